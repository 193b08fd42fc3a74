/** The look of a chart that stands alone, in CSS that any viewer of SVG understands: without variables. */
import { CHART_STYLE } from "../page/chart-style.js";
import { LIGHT } from "../page/style.js";

const FONT = '"DejaVu Sans", Arial, Helvetica, "Liberation Sans", sans-serif';

/** The rules of {@link CHART_STYLE} with the colours of the light page in place of variables. */
export function plainStyle(): string {
  const colours = new Map([...LIGHT.matchAll(/--([\w-]+): ([^;]+)/g)].map(([, a, b]) => [a, b]));
  const known = (text: string) =>
    text.replace(/var\(--([\w-]+)\)/g, (all, name) => colours.get(name) ?? all);
  const rules = [...CHART_STYLE.matchAll(/([^{}]+)\{([^}]*)\}/g)].map(([, selectors, body]) => ({
    selectors: (selectors as string).replace(/\/\*.*?\*\//g, "").trim(),
    body: known((body as string).trim()),
  }));
  /** The classes that give a colour, and which. */
  const givers = rules.flatMap(({ selectors, body }) => {
    const colour = /--c: ([^;]+)/.exec(body)?.[1]?.trim();
    return colour === undefined ? [] : [{ selectors, colour }];
  });
  const written = rules.flatMap(({ selectors, body }) => {
    const plain = body
      .replace(/--c: [^;]+;?/, "")
      .replace(/font: 11px [^;]+;/, `font-family: ${FONT}; font-size: 11px;`)
      .trim();
    // Not all viewers know :not(); the one attribute it asks for becomes a style, which goes before.
    const named = selectors.replaceAll(":not([text-anchor])", "").split(",");
    if (plain === "") return [];
    if (!plain.includes("var(--c)")) return [`${named.join(",")}{${plain}}`];
    return givers.map(({ selectors: giver, colour }) => {
      const both = named.map((one) => `${one.trim().replace("[class]", "")}${giver}`);
      return `${both.join(",")}{${plain.replaceAll("var(--c)", colour)}}`;
    });
  });
  return `text{font-family:${FONT}}${written.join("\n")}`;
}
