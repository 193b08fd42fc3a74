// `npm run case-format`: writes docs/case-format.md from the code that reads cases, and what packages/io/src/schema/meanings says of their fields.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const DOCUMENT = join(ROOT, "docs/case-format.md");

const INTRODUCTION = `# The files of a case

Every file and field that is read, with type, unit, default and meaning. This page is made from the code that reads cases (\`npm run case-format\`), as is what
[\`cobre schema\`](commands.md) prints. [model.md](model.md) says what the numbers do, [hydro-plants.md](hydro-plants.md) and [components.md](components.md) have
examples, and [differences.md](differences.md) tells where Cobre understands a file in another way.

A case is a directory with these files, or one JSON file or object that holds the same ([models.md](models.md#a-case-from-objects)). \`cobre init\` makes one to start from, and
\`cobre validate\` lists everything that is wrong with one.

- Names are paths: \`hydros[].reservoir.min_storage_hm3\` is a field of the object \`reservoir\` of each entry of the list \`hydros\`. \`(time_limit)\` after a path means: in
  the form of the object with that choice.
- A field or cell that may be missing may also be null or empty. Its default stands in the table; \`required\` means that there is none.
- A table is a Parquet file, or a CSV file with the same columns and the ending \`.csv\`. Its rows may be in any order. Integers and floating point numbers of any width will do.
- Numbers are finite. Bounds, costs and flows are not above 10¹⁵ in size.
- A field that is not in this list is an error, in a case for Cobre 0.5 a warning, and told with the field that may have been meant.
- This is a case for Cobre 0.18. What is different in one for Cobre 0.5 stands [at the end](#cases-for-cobre-05); [how-to-migrate.md](how-to-migrate.md) tells how to get from one to the other.
`;

/** The text of the page. */
export async function caseFormat() {
  const { caseSchemas } = await import("../packages/sddp/dist/index.js");
  const { meaningOf, REFUSED_FILES } = await import("../packages/io/dist/internal.js");
  const schemas = caseSchemas();
  const list = table(
    ["file", "", "what"],
    schemas.map(({ file, about, kind }) => [
      `[\`${file}\`](#${anchorOf(file)})`,
      kind === "table" ? "table" : "",
      about,
    ]),
  );
  const sections = schemas.map(({ file, about, schema }) => {
    const fields = fieldsOf(schema, "").map((field) => rowOf(field, file, meaningOf));
    const head = ["field", "type", "unit", "default", "meaning"];
    return `## \`${file}\`\n\n${about[0].toUpperCase()}${about.slice(1)}.\n\n${table(head, fields)}`;
  });
  const earlier = earlierSections(schemas, caseSchemas({}, "0.5"), meaningOf);
  const refused = table(
    ["file", "asks for"],
    Object.entries(REFUSED_FILES).map(([file, what]) => [`\`${file}\``, what]),
  );
  const rest = `## Files that are refused\n\nThey would change results, and this version cannot use them. A case with one of them is not read.\n\n${refused}`;
  return [INTRODUCTION, list, ...sections, earlier, rest].join("\n");
}

/** What a case for Cobre 0.5 has and one for 0.18 has not, and the other way round. */
function earlierSections(now, earlier, meaningOf) {
  const parts = earlier.flatMap(({ file, about, schema }) => {
    const after = now.find((one) => one.file === file);
    const known = new Map(
      fieldsOf(after?.schema ?? {}, "").map((one) => [bare(one.path), one.isRequired]),
    );
    const fields = fieldsOf(schema, "");
    const left = new Set(fields.map(({ path }) => bare(path)));
    const added = fields.filter(({ path }) => !known.has(bare(path)));
    const gone = [...known.keys()].filter((path) => !left.has(path));
    if (added.length === 0 && gone.length === 0) return [];
    const head = ["field", "type", "unit", "default", "meaning"];
    const rows = added.map((field) => rowOf(field, file, meaningOf));
    return [
      `### \`${file}\` for Cobre 0.5\n`,
      ...(after === undefined ? [`A file of its own: ${about}.\n`] : []),
      ...(rows.length === 0 ? [] : [table(head, rows)]),
      ...(gone.length === 0 ? [] : [`Without: ${gone.map((path) => `\`${path}\``).join(", ")}.\n`]),
    ];
  });
  const missing = now.filter(({ file }) => !earlier.some((one) => one.file === file));
  const none = missing.map(({ file }) => `\`${file}\``).join(", ");
  const lead =
    "A case is one for Cobre 0.5 if `training` in `config.json` has `forward_passes`. These fields are added, and those named after a table are not there; everything else is as above.";
  const last = none === "" ? [] : [`Files that it has not got: ${none}.\n`];
  return [`## Cases for Cobre 0.5\n\n${lead}\n`, ...parts, ...last].join("\n");
}

/** Fields without a meaning, which somebody has yet to write down. */
export async function fieldsWithoutMeaning() {
  const { caseSchemas } = await import("../packages/sddp/dist/index.js");
  const { meaningOf } = await import("../packages/io/dist/internal.js");
  const all = [...caseSchemas(), ...caseSchemas({}, "0.5")];
  return all.flatMap(({ file, schema }) =>
    fieldsOf(schema, "")
      .filter(({ path }) => meaningOf(file, bare(path)) === undefined)
      .map(({ path }) => `${file}: ${path}`),
  );
}

function rowOf({ path, field, isRequired }, file, meaningOf) {
  const { text = "", unit = "", otherwise } = meaningOf(file, bare(path)) ?? {};
  const usual = field.default === undefined ? otherwise : `\`${JSON.stringify(field.default)}\``;
  return [
    `\`${path}\``,
    typeOf(field) + limitsOf(field),
    unit,
    isRequired ? "required" : (usual ?? ""),
    text,
  ];
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return `${[line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n")}\n`;
}

/** As GitHub and the site make it of the heading. */
function anchorOf(file) {
  return file.replaceAll(/[^\w-]/g, "");
}

/** A path without the choices in it. */
function bare(path) {
  return path.replaceAll(/\([^)]*\)/g, "");
}

/** The fields of a schema and of the objects in it, with their paths. */
function fieldsOf(schema, prefix) {
  const needed = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {})
    .filter(([name, field]) => name !== "$schema" && !field.deprecated)
    .flatMap(([name, field]) => {
      const path = `${prefix}${name}`;
      return [{ path, field, isRequired: needed.has(name) }, ...innerFields(field, path)];
    });
}

function innerFields(field, path) {
  const variants = [field, ...(field.oneOf ?? field.anyOf ?? [])];
  const fields = variants.flatMap((one) => [
    ...fieldsOf(one, `${path}${one === field ? "" : choiceOf(one)}.`),
    ...(typeof one.additionalProperties === "object"
      ? fieldsOf(one.additionalProperties, `${path}.*.`)
      : []),
    ...(one.items === undefined ? [] : innerFields(one.items, `${path}[]`)),
  ]);
  const seen = new Set();
  // The field that chooses is told once; the paths of the others have its value.
  return fields.filter(({ path: at }) => {
    const isNew = !seen.has(at);
    seen.add(at);
    return isNew;
  });
}

/** `(time_limit)` for one of several forms of an object. */
function choiceOf({ properties = {} }) {
  const chosen = Object.values(properties).find((field) => field.const !== undefined);
  return chosen === undefined ? "" : `(${chosen.const})`;
}

function typeOf({ type, enum: choices, const: only, items, oneOf, anyOf, format }) {
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (choices !== undefined) {
    return choices
      .filter((choice) => choice !== null)
      .map((choice) => `\`${JSON.stringify(choice)}\``)
      .join(", ");
  }
  const several = oneOf ?? anyOf;
  if (several !== undefined) {
    const types = several.filter((one) => one.type !== "null").map(typeOf);
    return [...new Set(types)].join(" or ");
  }
  if (format === "date") return "day";
  const [name = "null"] = [type ?? "any"].flat().filter((one) => one !== "null");
  if (name === "string") return "text";
  if (name !== "array") return name;
  return items === undefined ? "empty list" : `list of ${pluralOf(items)}`;
}

function pluralOf(items) {
  if (items.oneOf !== undefined || items.type === "object") return "objects";
  return items.type === "array" ? `lists of ${pluralOf(items.items)}` : "numbers";
}

function limitsOf({ minimum, maximum, exclusiveMinimum }) {
  const plain = (limit) => limit.toLocaleString("en-GB");
  const limits = [
    ...(minimum === undefined ? [] : [`at least ${plain(minimum)}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${plain(exclusiveMinimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${plain(maximum)}`]),
  ];
  return limits.length === 0 ? "" : `, ${limits.join(", ")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await caseFormat();
  const isSame = text === readFileSync(DOCUMENT, "utf8");
  if (!isSame) writeFileSync(DOCUMENT, text);
  console.log(`docs/case-format.md ${isSame ? "is up to date" : "is written"}`);
}
