/** Whether everything that the pages refer to exists: pages, anchors, pictures. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ATTRIBUTE = /<[a-z][^>]*?\s(?:href|src)="([^"]*)"/g;
const ID = /<[a-z][^>]*?\sid="([^"]*)"/g;
/** Pages load nothing from elsewhere; only links may lead there. */
const LOADED = /<(?:script|link|img|iframe|source)[^>]*\s(?:href|src)="(?:https?:)?\/\//;

/** Returns a sentence for each thing that is wrong with the site in a folder. */
export function faultsOf(folder) {
  const pages = readdirSync(folder).filter((name) => name.endsWith(".html"));
  const texts = new Map(pages.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const ids = new Map([...texts].map(([name, text]) => [name, idsOf(text)]));
  return [...texts].flatMap(([name, text]) => [
    ...repeated(ids.get(name)).map((id) => `${name} has the anchor ${id} twice`),
    ...(LOADED.test(text) ? [`${name} loads something from elsewhere`] : []),
    ...targetsOf(text)
      .map((target) => faultOf(target, name, ids, folder))
      .filter((fault) => fault !== undefined)
      .map((fault) => `${name}: ${fault}`),
  ]);
}

/** Scripts and comments of a page refer to nothing. */
function bare(text) {
  return text.replaceAll(/<script\b[^>]*>.*?<\/script>|<!--.*?-->/gs, "");
}

function idsOf(text) {
  return [...bare(text).matchAll(ID)].map(([, id]) => decode(id));
}

function targetsOf(text) {
  return [...new Set([...bare(text).matchAll(ATTRIBUTE)].map(([, target]) => decode(target)))];
}

function decode(text) {
  return decodeURIComponent(text.replaceAll("&amp;", "&").replaceAll("&quot;", '"'));
}

function repeated(ids) {
  return [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))];
}

function faultOf(target, page, ids, folder) {
  if (/^(?:https?|mailto|data):/.test(target)) return undefined;
  const [file, anchor] = target.split("#");
  const name = file === "" ? page : file;
  if (!existsSync(join(folder, name))) return `${target} leads to no file`;
  if (anchor === undefined || anchor === "") return undefined;
  return ids.get(name)?.includes(anchor) ? undefined : `${target} leads to no anchor`;
}
