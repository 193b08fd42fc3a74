/** The API of the packages, from their declarations: one page for each package. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../prepare.mjs";
import { coloured } from "../code.mjs";
import { escapeHtml, tableHtml } from "../html.mjs";
import { anchorHtml } from "../markdown.mjs";
import { Slugs } from "../slugs.mjs";
import { apiPageOf, publicPackages } from "../sources.mjs";

/** @returns the pages of all public packages */
export function apiPages({ typescript: ts, highlight }, markdown) {
  const packages = publicPackages().map((one) => ({ ...one, doors: doorsOf(one) }));
  const files = packages.flatMap(({ doors }) => doors.map(({ file }) => file));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
    types: ["node"],
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const read = packages.map((one) => ({ ...one, ...exportsOf(ts, checker, program, one) }));
  const places = new Map(
    read.flatMap(({ folder, parts }) =>
      parts.flatMap(({ items }) =>
        items.map(({ name, id }) => [name, `${apiPageOf(folder)}.html#${id}`]),
      ),
    ),
  );
  const how = { ts, checker, highlight, markdown, places };
  return read.map((one) => pageOf(one, how));
}

/** The entry points of a package: `.`, `./shm`, …, and the declarations behind them. */
function doorsOf({ folder, manifest }) {
  return Object.entries(manifest.exports ?? {})
    .filter(([, target]) => target.types !== undefined)
    .map(([path, { types }]) => ({
      path: `${manifest.name}${path.slice(1)}`,
      file: join(ROOT, "packages", folder, types),
    }));
}

function exportsOf(ts, checker, program, { doors, slugs = new Slugs() }) {
  // The README comes first on the page, and has the first right to its anchors.
  const seen = new Set();
  const parts = doors.map(({ path, file }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file));
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    const items = symbols
      .map((symbol) => itemOf(ts, checker, symbol))
      .filter(({ name, declarations }) => declarations.length > 0 && !seen.has(name))
      .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
    for (const { name } of items) seen.add(name);
    return { path, items: items.map((item) => ({ ...item, id: `api-${slugs.of(item.name)}` })) };
  });
  return { parts: parts.filter(({ items }) => items.length > 0) };
}

const ORDER = ["function", "class", "interface", "constant", "type"];

function itemOf(ts, checker, exported) {
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const declarations = (symbol.declarations ?? []).filter((one) => !ts.isSourceFile(one));
  return { name: exported.name, symbol, declarations, kind: kindOf(ts, symbol.flags) };
}

function kindOf(ts, flags) {
  if (flags & ts.SymbolFlags.Function) return "function";
  if (flags & ts.SymbolFlags.Class) return "class";
  if (flags & ts.SymbolFlags.Interface) return "interface";
  if (flags & ts.SymbolFlags.Variable) return "constant";
  return "type";
}

function pageOf({ folder, manifest, parts }, how) {
  const readme = `packages/${folder}/README.md`;
  const intro = how.markdown(readFileSync(join(ROOT, readme), "utf8"), readme);
  const headings = parts.map(({ path }) => ({
    level: 2,
    id: idOf(path),
    title: `import from "${path}"`,
  }));
  const body = parts.map(
    ({
      path,
      items,
    }) => `<h2 id="${idOf(path)}">import from <code>${escapeHtml(path)}</code>${anchorHtml(idOf(path))}</h2>
<p class="names">${items.map(({ name, id }) => `<a href="#${id}"><code>${escapeHtml(name)}</code></a>`).join(" ")}</p>
${items.map((item) => itemHtml(item, how)).join("")}`,
  );
  return {
    name: apiPageOf(folder),
    title: manifest.name,
    html: intro.html + body.join(""),
    headings: [...intro.headings, ...headings],
  };
}

function idOf(path) {
  return `import-${path.replaceAll(/[^\w]+/g, "-").replace(/^-/, "")}`;
}

function itemHtml({ name, id, kind, symbol, declarations }, how) {
  const { checker, markdown, highlight } = how;
  const parts = symbol.getDocumentationComment(checker);
  const text = parts.map(partText(how.places)).join("");
  const tags = symbol.getJsDocTags(checker);
  const render = (source) => markdown(source, undefined).html;
  const tagTexts = (wanted) =>
    tags
      .filter(({ name: tag }) => tag === wanted)
      .map((tag) => (tag.text ?? []).map(partText(how.places)).join(""));
  const parameters = tagTexts("param").map((one) => {
    const [word = "", ...rest] = one.split(" ");
    return [`<code>${escapeHtml(word)}</code>`, inline(render(rest.join(" ").replace(/^- /, "")))];
  });
  const code = declarations.map((one) => declarationText(one)).join("\n");
  return `<section class="item"><h3 id="${id}">${escapeHtml(name)} <small>${kind}</small>${anchorHtml(id)}</h3>
${render(text)}
<div class="code"><pre tabindex="0"><code>${linked(coloured(highlight, code, "typescript"), how.places, name)}</code></pre></div>
${parameters.length === 0 ? "" : tableHtml(["parameter", "what"], parameters)}${tagTexts("returns")
  .map((one) => `<p>Returns ${inline(render(one))}</p>`)
  .join("")}${tagTexts("throws")
  .map((one) => `<p>Throws ${inline(render(one))}</p>`)
  .join("")}${tagTexts("example")
  .map((one) => render(one.startsWith("```") ? one : `\`\`\`ts\n${one}\n\`\`\``))
  .join("")}</section>
`;
}

/** A piece of a comment. `{@link Name}` becomes a link if the site has the name, and code otherwise. */
function partText(places) {
  return ({ kind, text }) => {
    if (kind === "link") return "";
    if (kind === "linkName" || kind === "linkText") {
      const name = text.trim();
      const place = places.get(name);
      return place === undefined ? `\`${name}\`` : `[\`${name}\`](${place})`;
    }
    return text;
  };
}

/** One paragraph without its mark. */
function inline(html) {
  return html.trim().replace(/^<p>(.*)<\/p>$/s, "$1");
}

/** The declaration as in the .d.ts file, with the comments of its members. */
function declarationText(declaration) {
  const whole =
    declaration.parent?.parent?.declarationList === declaration.parent
      ? declaration.parent.parent
      : declaration;
  return whole
    .getText()
    .replace(/^export (?:declare )?/, "")
    .replace(/^declare /, "");
}

/** Names that have a place on the site, as links. */
function linked(html, places, own) {
  return html
    .split(/(<[^>]*>)/)
    .map((part) =>
      part.startsWith("<")
        ? part
        : part.replaceAll(/\b[A-Z]\w+\b/g, (name) => {
            const place = name === own ? undefined : places.get(name);
            return place === undefined ? name : `<a href="${place}">${name}</a>`;
          }),
    )
    .join("");
}
