import { type Area, fitted, type Line, lineColumns, span } from "./styled.js";

/** Lines in a frame with a title. It has the size of the area; lines that do not fit are left out. */
export function box(title: string, lines: readonly Line[], { columns, rows }: Area): Line[] {
  const inner = columns - 4;
  const rule = Math.max(0, columns - 5 - lineColumns([span(title)]));
  const body = Array.from({ length: Math.max(0, rows - 2) }, (_, i): Line => {
    const content = fitted(lines[i] ?? [], inner);
    const gap = " ".repeat(Math.max(0, inner - lineColumns(content)));
    return [span("│ ", "dim"), ...content, span(`${gap} │`, "dim")];
  });
  return [
    [span("┌ ", "dim"), span(title, "bold"), span(` ${"─".repeat(rule)}─┐`, "dim")],
    ...body,
    [span(`└${"─".repeat(Math.max(0, columns - 2))}┘`, "dim")],
  ];
}
