import type { ScalingPart } from "@cobre/study";
import { rounded } from "@cobre/study/numbers";
import { NARROW, WIDE } from "../charts/frame.js";
import { rangesSvg } from "../charts/ranges.js";
import { figureHtml } from "../page/figure.js";
import { nothing, paragraph, type Section, type Source } from "./section.js";

const PARTS = ["matrix", "objective", "bounds", "rhs"] as const satisfies readonly ScalingPart[];

export function numericsSection({ report }: Source): Section {
  return {
    id: "coefficients",
    name: "Coefficients",
    title: "Is the model well scaled?",
    html: `${solves(report)}${ranges(report)}`,
  };
}

function solves({ numerics }: Source["report"]): string {
  const texts = (["training", "simulation"] as const).flatMap((phase) => {
    const counts = numerics[phase];
    if (counts === null) return [];
    const each = counts.solves > 0 ? counts.simplexIterations / counts.solves : 0;
    const retried =
      counts.retried === 0
        ? "none needed a second attempt"
        : `${rounded(counts.retried)} needed more than one attempt`;
    return [
      `In the ${phase}, ${rounded(counts.solves)} programs were solved, ${rounded(each, 3)} simplex iterations each; ${retried}.`,
    ];
  });
  return texts.length === 0 ? "" : paragraph(texts.join(" "));
}

function ranges({ numerics }: Source["report"]): string {
  const { scaling } = numerics;
  if (scaling === null) {
    return nothing("No training in this run; the ranges of coefficients are written by training.");
  }
  const { usual } = scaling;
  const found = PARTS.flatMap((part) => {
    const range = scaling.overall[part];
    return range === null
      ? []
      : [{ name: part, ...range, isUnusual: scaling.unusual.includes(part) }];
  });
  const title = "Magnitudes of the coefficients";
  const text = `From the smallest to the largest in the programs of all stages. The shaded range, ${usual.min.toExponential()} to ${usual.max.toExponential()}, is where solvers are at ease.`;
  return figureHtml({
    id: "ranges",
    title,
    text,
    wide: rangesSvg(WIDE, title, found, usual),
    narrow: rangesSvg(NARROW, title, found, usual),
    table: {
      columns: [
        { label: "stage" },
        ...PARTS.flatMap((part) => [
          { label: `${part}, smallest`, unit: "" },
          { label: `${part}, largest`, unit: "" },
        ]),
        { label: "columns", unit: "" },
        { label: "rows", unit: "" },
        { label: "nonzeros", unit: "" },
      ],
      rows: scaling.stages.map((stage) => [
        String(stage.stageId),
        ...PARTS.flatMap((part) => [stage[part]?.min ?? null, stage[part]?.max ?? null]),
        stage.columns,
        stage.rows,
        stage.nonzeros,
      ]),
    },
  });
}
