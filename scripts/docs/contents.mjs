/** The order of the pages: docs/contents.json, and for pages that it does not name its default section. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../prepare.mjs";

/** Sections with their pages. An entry `api` stands for all pages whose names begin with `api-`. */
export function arrange(pages) {
  const { sections, default: rest } = JSON.parse(
    readFileSync(join(ROOT, "docs/contents.json"), "utf8"),
  );
  const left = new Map(pages.map((page) => [page.name, page]));
  const take = (name) => {
    const names = left.has(name)
      ? [name]
      : [...left.keys()].filter((one) => one.startsWith(`${name}-`));
    if (names.length === 0)
      throw new Error(`docs/contents.json names ${name}, and there is no such page`);
    const taken = names.map((one) => left.get(one));
    for (const one of names) left.delete(one);
    return taken;
  };
  const arranged = sections.map(({ title, pages: names }) => ({
    title,
    pages: names.flatMap(take),
  }));
  const others = arranged.find(({ title }) => title === rest);
  if (others === undefined) throw new Error(`docs/contents.json has no section ${rest}`);
  others.pages.push(...left.values());
  return arranged.filter((section) => section.pages.length > 0);
}
