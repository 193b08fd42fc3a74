/** The files of a case, from the schemas that `cobre schema` shows. */
import { basename } from "node:path";
import { caseSchemas } from "../../../packages/sddp/dist/index.js";
import { escapeHtml, tableHtml } from "../html.mjs";
import { anchorHtml } from "../markdown.mjs";

const TITLE = "Files of a case";
const INTRODUCTION = `<p>A case is a directory with these files. This page is made from the code that reads them, as is what <code>cobre schema</code> prints.
A table is a Parquet file, or a CSV file with the same columns and the ending <code>.csv</code>. <code>cobre init</code> makes a case to start from, and <code>cobre
validate</code> lists everything that is wrong with one.</p>
`;

/** A page with a section for each file. */
export function caseFiles() {
  const files = caseSchemas().map((one) => ({ ...one, id: one.file.replaceAll(/[^\w-]+/g, "-") }));
  const used = files.filter(({ about }) => !isUnused(about));
  const unused = files.filter(({ about }) => isUnused(about));
  const list = tableHtml(
    ["file", "what"],
    used.map(({ file, about, id }) => [
      `<a href="#${id}"><code>${escapeHtml(file)}</code></a>`,
      escapeHtml(about),
    ]),
  );
  const left = `<h2 id="not-in-this-version">Not in this version${anchorHtml("not-in-this-version")}</h2>
<p>These files of Cobre are refused unless their lists are empty.</p>
<ul>${unused.map(({ file, about }) => `<li><code>${escapeHtml(file)}</code>: ${escapeHtml(about.split(":")[0])}</li>`).join("\n")}</ul>
`;
  return {
    name: "case-files",
    title: TITLE,
    html: `<h1 id="files-of-a-case">${TITLE}</h1>\n${INTRODUCTION}${list}${used.map(fileHtml).join("")}${unused.length === 0 ? "" : left}`,
    headings: used.map(({ id, file }) => ({ level: 2, id, title: basename(file, ".parquet") })),
  };
}

function isUnused(about) {
  return about.includes("this version has none");
}

function fileHtml({ file, about, kind, schema, id }) {
  const fields = fieldsOf(schema, "");
  const rows = fields.map(({ path, type, isRequired, text }) => [
    `<code>${escapeHtml(path)}</code>`,
    escapeHtml(type),
    isRequired ? "yes" : "",
    escapeHtml(text),
  ]);
  const head = [kind === "json" ? "field" : "column", "type", "required", "what"];
  return `<h2 id="${id}"><code>${escapeHtml(file)}</code>${anchorHtml(id)}</h2>
<p>${escapeHtml(about[0].toUpperCase() + about.slice(1))}.</p>
${tableHtml(head, rows)}`;
}

/** The fields of a schema and of the objects in it, by their paths: `hydros[].reservoir.min_storage_hm3`. */
function fieldsOf(schema, prefix) {
  const { properties = {} } = schema;
  const needed = new Set(schema.required ?? []);
  return Object.entries(properties)
    .filter(
      ([name, field]) => name !== "$schema" && !field.deprecated && Object.keys(field).length > 0,
    )
    .flatMap(([name, field]) => {
      const path = `${prefix}${name}`;
      const own = { path, type: typeOf(field), isRequired: needed.has(name), text: textOf(field) };
      return [own, ...innerFields(field, path)];
    });
}

function innerFields(field, path) {
  const variants = [field, ...(field.oneOf ?? field.anyOf ?? [])];
  const lists = variants.flatMap(({ items }) => (items === undefined ? [] : [items]));
  const inLists = lists.flatMap((item) => [item, ...(item.oneOf ?? item.anyOf ?? [])]);
  const fields = [
    ...variants.flatMap((one) => fieldsOf(one, `${path}${choiceOf(one)}.`)),
    ...inLists.flatMap((one) => fieldsOf(one, `${path}[]${choiceOf(one)}.`)),
    ...lists.flatMap((one) => (one.items === undefined ? [] : innerFields(one, `${path}[]`))),
  ];
  // The field that chooses is told by the path of the others.
  return fields.filter(({ type }) => !type.startsWith("always "));
}

/** `(time_limit)` for one of several forms of an object. */
function choiceOf({ properties = {} }) {
  const chosen = Object.values(properties).find((field) => field.const !== undefined);
  return chosen === undefined ? "" : `(${chosen.const})`;
}

function typeOf({ type, enum: choices, const: only, items, oneOf, anyOf }) {
  if (only !== undefined) return `always ${only}`;
  if (choices !== undefined) return choices.map((choice) => `"${choice}"`).join(" or ");
  const several = oneOf ?? anyOf;
  if (several !== undefined) return [...new Set(several.map(typeOf))].join(" or ");
  const types = [type ?? "anything"].flat().filter((one) => one !== "null");
  if (types.length === 0) return "null only";
  const names = types.map((one) => (one === "array" ? `list of ${pluralOf(items)}` : one));
  return names.join(" or ");
}

function pluralOf(items) {
  if (items === undefined) return "values";
  const type = items.oneOf === undefined ? typeOf(items) : "object";
  return /^(object|number|integer|string)$/.test(type) ? `${type}s` : type;
}

function textOf({ description, default: usual, minimum, maximum, exclusiveMinimum }) {
  const limits = [
    ...(minimum === undefined ? [] : [`at least ${plain(minimum)}`]),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${plain(exclusiveMinimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${plain(maximum)}`]),
  ];
  return [
    ...(description === undefined ? [] : [description]),
    ...(limits.length === 0 ? [] : [limits.join(", ")]),
    ...(usual === undefined ? [] : [`default: ${JSON.stringify(usual)}`]),
  ].join("; ");
}

/** 100,000,000 is easier to read than 100000000. */
function plain(limit) {
  return limit.toLocaleString("en-GB");
}
