import { withUnit } from "@cobre/study/numbers";
import { convergenceSvg } from "../charts/convergence.js";
import { NARROW, WIDE } from "../charts/frame.js";
import { figureHtml, legendHtml } from "../page/figure.js";
import { escapeHtml } from "../page/html.js";
import { percent } from "../words.js";
import { nothing, type Section, type Source } from "./section.js";

export function convergenceSection({ report }: Source): Section {
  return {
    id: "convergence",
    name: "Convergence",
    title: "Has it converged?",
    html: contents(report),
  };
}

function contents({ convergence, simulation, run }: Source["report"]): string {
  if (convergence === undefined) {
    return nothing("No training in this run: it simulated a policy that was trained elsewhere.");
  }
  if (convergence.iteration.length === 0) {
    return nothing("Training was stopped before its first iteration ended.");
  }
  const simulated = run.isRiskNeutral ? simulation?.costs.distribution : undefined;
  const title = "Bound and forward cost by iteration";
  const hasLog = convergence.lowerBound.some((bound) => bound > 0);
  const both = (isLog: boolean) => {
    const drawing = { title, convergence, simulated, isLog };
    return [convergenceSvg(WIDE, drawing), convergenceSvg(NARROW, drawing)] as const;
  };
  const [wide, narrow] = both(false);
  const [wideLog, narrowLog] = hasLog ? both(true) : ["", ""];
  const { iteration, lowerBound, forwardMean, forwardStd, forwardPasses } = convergence;
  const { gapPercent, cuts, lpSolves, milliseconds } = convergence;
  const { recent } = convergence;
  const isExact = run.training?.forward?.isExact ?? false;
  const figure = figureHtml({
    id: "bounds",
    title,
    wide: `<div class="linear">${wide}</div><div class="log">${wideLog}</div>`,
    narrow: `<div class="linear">${narrow}</div><div class="log">${narrowLog}</div>`,
    // A checkbox and CSS: it works without the script.
    controls: hasLog
      ? `<label class="switch"><input type="checkbox" class="log-switch"> logarithmic</label>`
      : "",
    legend: legendHtml([
      { name: "lower bound", style: "bound", isLine: true },
      {
        name: isExact ? "cost of the policy, over all paths" : "mean of the forward passes",
        style: "point forward",
      },
      ...(recent && recent.ci95 !== null
        ? [{ name: `its 95 % interval, last ${recent.iterations}`, style: "interval forward" }]
        : []),
      ...(simulated ? [{ name: "simulated mean", style: "simulated", isLine: true }] : []),
    ]),
    unit: "$",
    table: {
      columns: [
        { label: "iteration" },
        { label: "lower bound", unit: "$" },
        { label: "forward mean", unit: "$" },
        { label: "forward standard deviation", unit: "$" },
        { label: "forward passes", unit: "" },
        { label: "gap", unit: "%" },
        { label: "cuts", unit: "" },
        { label: "programs solved", unit: "" },
        { label: "time", unit: "ms" },
      ],
      rows: Array.from(iteration, (number, i) => [
        String(number),
        ...[lowerBound, forwardMean, forwardStd, forwardPasses, gapPercent].map(
          (column) => column[i] as number,
        ),
        ...[cuts, lpSolves, milliseconds].map((column) => column[i] as number),
      ]),
    },
  });
  const exact = isExact ? run.training?.forward?.mean : undefined;
  return `${explanation(convergence, exact, simulated !== undefined)}${figure}`;
}

function explanation(
  { recent, rise }: NonNullable<Source["report"]["convergence"]>,
  exact: number | undefined,
  isComparable: boolean,
): string {
  const texts = [
    rise && Number.isFinite(rise.percent)
      ? `The bound rose ${percent(rise.percent)} in the last ${rise.iterations} iterations. When it rises no more, more training changes little.`
      : undefined,
    exact === undefined
      ? undefined
      : `The forward passes went along every path: in the last iteration the policy cost ${withUnit(exact, "$")}, and the optimum lies between that and the bound.`,
    recent && recent.ci95 !== null
      ? `The ${recent.passes} forward passes of the last ${recent.iterations} iterations cost ${withUnit(recent.mean, "$")} ± ${withUnit(recent.ci95, "$", 3)}. They are a sample: the interval holds the mean cost of the policy in 95 of 100 such samples. It is no upper bound, and a bound below it is no proof of convergence.`
      : undefined,
    isComparable
      ? "The dashed line is the mean of the simulated scenarios, the better estimate of what the policy costs."
      : undefined,
    "Triangles at the upper edge are forward passes that cost more than the axis shows.",
  ].filter((text) => text !== undefined);
  return `<p class="lead">${texts.map(escapeHtml).join(" ")}</p>`;
}
