/** What a run found, for people. */

/**
 * The table of all targets. Equivalent changes are counted but are no part of the share.
 *
 * @param found changes with `target` and `outcome`: noticed, survived or equivalent
 * @returns `{ text, low }`: `low` are the targets of which less than `least` percent are noticed
 */
export function tabulate(found, least) {
  const rows = [
    ["target", "changed", "noticed", "survived", "equivalent", "noticed of the others"],
  ];
  const low = [];
  const targets = [...new Set(found.map(({ target }) => target))];
  for (const target of targets.length > 1 ? [...targets, undefined] : targets) {
    const own = found.filter((one) => target === undefined || one.target === target);
    const count = (outcome) => own.filter((one) => one.outcome === outcome).length;
    const [noticed, survived] = [count("noticed"), count("survived")];
    const share = noticed + survived === 0 ? 100 : (100 * noticed) / (noticed + survived);
    if (share < least && target !== undefined) low.push(target);
    const numbers = [own.length, noticed, survived, count("equivalent")].map(String);
    rows.push([target ?? "all", ...numbers, `${share.toFixed(1)} %`]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(" | ")} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return { text: [line(rows[0]), rule, ...rows.slice(1).map(line)].join("\n"), low };
}

/** One change as a line or two. */
export function describe({ file, line, within, before, after }) {
  const place = `${file}:${line}${within === "" ? "" : ` (${within})`}`;
  return `${place}\n    ${JSON.stringify(before)}\n  → ${JSON.stringify(after)}`;
}
