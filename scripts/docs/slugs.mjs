/** The anchors of headings: the same that GitHub makes, so that a link works there and on the site. */
export class Slugs {
  #seen = new Map();

  of(heading) {
    const slug = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    const count = this.#seen.get(slug) ?? 0;
    this.#seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }
}
