import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { formatIssue } from "@cobre/core";
import { validateCase } from "@cobre/sddp";
import type { Roots } from "../files/roots.js";
import { Refusal } from "../refusal.js";
import { checkPolicyPaths } from "./policy-paths.js";

/** A value of a JSON file of a case. */
export interface Change {
  readonly file: string;
  /** With dots; entries of lists by number. */
  readonly path: string;
  readonly value: unknown;
}

/** What became of it; values as JSON. */
export interface Changed {
  readonly file: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Results and what editors need are no part of a case. */
const LEFT_OUT: ReadonlySet<string> = new Set(["output", "schemas"]);
const CASE_FILE = /\.(json|csv|parquet)$/;

/**
 * Copies a case to a new folder with other values. It is made under another name, checked, and only then gets its own: a variant that has
 * errors is never there.
 */
export async function varyCase(
  roots: Roots,
  from: string,
  to: string,
  changes: readonly Change[],
): Promise<{ readonly changed: Changed[]; readonly warnings: string[] }> {
  const made = join(dirname(to), `.cobre-variant-${randomBytes(6).toString("hex")}`);
  await mkdir(made);
  try {
    await copyCase(roots, from, made);
    const changed: Changed[] = [];
    for (const change of changes) changed.push(await apply(made, change));
    await checkPolicyPaths(roots, made, undefined);
    const { case: source, issues } = await validateCase(made);
    if (source === undefined) {
      const errors = issues.filter(({ severity }) => severity === "error");
      const told = errors.slice(0, 5).map((issue) => formatIssue(issue).replaceAll(`${made}/`, ""));
      throw new Refusal(
        `the variant would have ${errors.length} errors: ${told.join("; ")}`,
        "Nothing was written. get_schema shows the fields of a file and their ranges.",
      );
    }
    await rename(made, to);
    return { changed, warnings: issues.map(formatIssue) };
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
}

/** Every file is opened by its checked real path, and written as a file of its own. */
async function copyCase(roots: Roots, from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.name.startsWith(".") || LEFT_OUT.has(entry.name)) continue;
    if (entry.isDirectory()) {
      await mkdir(join(to, entry.name));
      await copyCase(roots, source, join(to, entry.name));
    } else if (CASE_FILE.test(entry.name)) {
      await writeFile(join(to, entry.name), await roots.read(source), { flag: "wx" });
    }
  }
}

async function apply(folder: string, { file, path, value }: Change): Promise<Changed> {
  const target = join(folder, file);
  const root: unknown = await readFile(target, "utf8").then(JSON.parse, () => {
    throw new Refusal(
      `the case has no file ${file} that holds JSON`,
      "get_schema lists the files of a case.",
    );
  });
  const keys = path.split(".");
  const last = keys.pop() as string;
  let place: unknown = root;
  for (const key of keys) place = enter(place, key, `${file}: ${path}`);
  const holder = holderOf(place, `${file}: ${path}`);
  checkKey(holder, last, `${file}: ${path}`);
  const before = JSON.stringify(holder[last]) ?? "nothing";
  if (value === null && !Array.isArray(holder)) delete holder[last];
  else holder[last] = value;
  await writeFile(target, `${JSON.stringify(root, null, 2)}\n`);
  return { file, path, before: short(before), after: short(JSON.stringify(value)) };
}

/** The value at a key; an object is made where there is none. */
function enter(place: unknown, key: string, where: string): unknown {
  const holder = holderOf(place, where);
  checkKey(holder, key, where);
  holder[key] ??= {};
  return holder[key];
}

function holderOf(place: unknown, where: string): Record<string, unknown> {
  if (typeof place === "object" && place !== null) return place as Record<string, unknown>;
  throw new Refusal(`${where} leads into a single value`, "Give the path of that value itself.");
}

function checkKey(holder: object, key: string, where: string): void {
  if (Array.isArray(holder)) {
    if (/^\d+$/.test(key) && Number(key) < holder.length) return;
    throw new Refusal(
      `${where}: the list has ${holder.length} entries, and '${key}' is none of them`,
      `Entries count from 0 to ${holder.length - 1}.`,
    );
  }
  if (!["__proto__", "constructor", "prototype"].includes(key)) return;
  throw new Refusal(`${where} is no path of a value`, "get_schema shows the fields of a file.");
}

function short(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)} …`;
}
