import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** In the package, and in the checkout. */
const PLACES = ["../../docs/", "../../../../docs/"];

/** A page of the documentation. */
export interface Page {
  /** `outputs` */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** A part of a page, under a heading. */
export interface Passage {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

let pages: Promise<readonly Page[]> | undefined;

/** All pages. They belong to the program, not to the roots. */
export function allPages(): Promise<readonly Page[]> {
  pages ??= readPages();
  return pages;
}

async function readPages(): Promise<readonly Page[]> {
  const places = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const folder = places.find((place) => existsSync(join(place, "outputs.md")));
  if (folder === undefined) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  return await Promise.all(
    names.map(async (file) => {
      const text = await readFile(join(folder, file), "utf8");
      const name = file.replace(/\.md$/, "");
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
    }),
  );
}

/** The passages that speak most of the words, the best first. */
export async function searchPages(query: string, limit: number): Promise<Passage[]> {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_.-]{2,}/gu) ?? [])];
  const passages = (await allPages()).flatMap(passagesOf);
  const rarity = new Map(
    words.map((word) => {
      const count = passages.filter(({ text }) => text.toLowerCase().includes(word)).length;
      return [word, Math.log(1 + passages.length / (1 + count))];
    }),
  );
  return passages
    .map((passage) => ({ passage, score: scoreOf(passage, words, rarity) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ passage }) => passage);
}

function scoreOf(
  { heading, text }: Passage,
  words: readonly string[],
  rarity: ReadonlyMap<string, number>,
): number {
  const [head, body] = [heading.toLowerCase(), text.toLowerCase()];
  return words.reduce((sum, word) => {
    const count = body.split(word).length - 1;
    const weight = rarity.get(word) ?? 0;
    return sum + weight * ((count === 0 ? 0 : 1 + Math.log(count)) + (head.includes(word) ? 2 : 0));
  }, 0);
}

function passagesOf({ name, text }: Page): Passage[] {
  const parts = text.split(/^(?=#{1,3} )/m).filter((part) => part.trim() !== "");
  return parts.map((part) => {
    const [first = "", ...rest] = part.split("\n");
    return { page: name, heading: first.replace(/^#+ /, ""), text: rest.join("\n").trim() };
  });
}
