import type { ConvergenceReport, Distribution } from "@cobre/study";
import { curveStepAfter, line } from "d3-shape";
import { numberTicks } from "./bars.js";
import { Frame, px, type Size } from "./frame.js";

/** The bound, the forward passes and the simulated mean. */
export interface Convergence {
  readonly title: string;
  readonly convergence: ConvergenceReport;
  /** The simulated cost, if it may be compared with the bound. */
  readonly simulated: Distribution | undefined;
  readonly isLog: boolean;
}

export function convergenceSvg(size: Size, { title, convergence, simulated, isLog }: Convergence) {
  const { iteration, lowerBound, forwardMean, recent } = convergence;
  const count = iteration.length;
  const usable = (value: number) => Number.isFinite(value) && (!isLog || value > 0);
  const ends = [
    ...lowerBound,
    ...(recent ? [recent.mean + (recent.ci95 ?? 0), recent.mean - (recent.ci95 ?? 0)] : []),
    ...(simulated ? [simulated.mean + (simulated.ci95 ?? 0)] : []),
    ...(isLog ? forwardMean : []),
  ].filter(usable);
  const from = isLog ? Math.min(...ends) : Math.min(0, ...ends);
  // The first forward passes cost many times as much as the later ones. They are marked at the edge, or nothing else would be seen.
  const to = Math.max(...ends) * (isLog ? 1 : 1.15);
  const frame = new Frame(size, { from, to, unit: "$", isLog });
  const x = (i: number) => frame.middle(i, count);
  const y = (value: number) => frame.y(isLog && value <= 0 ? from : value);
  const bound = line<number>()
    .defined((i) => usable(lowerBound[i] as number))
    .x(x)
    .y((i) => y(lowerBound[i] as number))
    .curve(curveStepAfter)
    .digits(1);
  const parts: string[] = [];
  if (recent && recent.ci95 !== null) {
    const left = frame.left + ((count - recent.iterations) * frame.width) / count;
    const [high, low] = [y(recent.mean + recent.ci95), y(recent.mean - recent.ci95)];
    parts.push(
      `<rect class="interval forward" x="${px(left)}" y="${px(high)}" width="${px(frame.right - left)}" height="${px(low - high)}"/>`,
      `<path class="interval-mean forward" d="M${px(left)} ${px(y(recent.mean))}H${frame.right}"/>`,
    );
  }
  if (simulated) {
    parts.push(
      `<path class="simulated" d="M${frame.left} ${px(y(simulated.mean))}H${frame.right}"/>`,
    );
  }
  forwardMean.forEach((value, i) => {
    if (!usable(value)) return;
    const isBeyond = y(value) < frame.top;
    parts.push(
      isBeyond
        ? `<path class="beyond forward" d="M${px(x(i))} ${frame.top + 1}l4 7h-8z"/>`
        : `<circle class="point forward" cx="${px(x(i))}" cy="${px(y(value))}" r="3"/>`,
    );
  });
  parts.push(`<path class="bound" d="${bound(lowerBound.keys()) ?? ""}"/>`);
  const room = Math.max(2, Math.floor(frame.width / 50));
  const ticks = numberTicks(iteration)(room).map(({ index, label }) => ({ at: x(index), label }));
  return frame.svg(
    parts.join(""),
    ticks,
    { first: x(0), distance: frame.width / count, count },
    title,
    "iteration",
  );
}
