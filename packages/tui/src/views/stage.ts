import type { Cut, StageCuts } from "../state/stage-cuts.js";
import { counted, money } from "../text/numbers.js";
import { line, span, wrapped } from "../text/styled.js";
import { type Column, table } from "../text/table.js";
import type { View } from "./view.js";

const COLUMNS: readonly Column<Cut>[] = [
  { title: "iteration", cell: ({ iteration }) => (iteration === 0 ? "before" : String(iteration)) },
  { title: "pass", cell: ({ pass }) => String(pass), spare: 1 },
  { title: "intercept", cell: ({ intercept }) => money(intercept) },
  {
    title: "highest at",
    cell: ({ highestAt }) =>
      highestAt === undefined ? "-" : highestAt === 0 ? "" : counted(highestAt, "state"),
  },
  { title: "largest slope", cell: ({ slopes }) => slopeText(slopes[0]), isLeft: true },
  { title: "second", cell: ({ slopes }) => slopeText(slopes[1]), isLeft: true, spare: 2 },
  { title: "by inflows", cell: ({ other }) => slopeText(other), isLeft: true, spare: 3 },
];

/** What does the policy know at this stage? Its cuts, and which of them bind at the states that were visited last. */
export const stageView: View = (_, screen, { cuts, stageLabels }, { columns, rows }) => {
  const label = stageLabels[screen.stage] ?? String(screen.stage);
  if (cuts === undefined) return [line(""), line(`  Reading the cuts of stage ${label} …`)];
  if (typeof cuts === "string")
    return [line(""), ...wrapped(cuts, columns - 4).map((text) => line(`  ${text}`))];
  const shown = cuts.cuts.filter(
    ({ iteration }) => screen.iteration === undefined || iteration <= screen.iteration,
  );
  const head = [line(span(` stage ${cuts.label}`, "bold"), `: ${summaryOf(cuts, shown.length)}`)];
  const binding = bindingText(cuts).flatMap((text) =>
    wrapped(text, columns - 2).map((part) => line(` ${part}`)),
  );
  const foot = binding.slice(0, Math.max(1, Math.floor(rows / 3)));
  if (shown.length === 0) return [...head, line(""), line("  No cuts here."), ...foot];
  const marked = Math.min(screen.offset, shown.length - 1);
  const room = rows - head.length - foot.length;
  return [...head, ...table(COLUMNS, shown, { rows: room, columns, marked }), ...foot];
};

function summaryOf({ iteration, cuts }: StageCuts, shown: number): string {
  const some = shown === cuts.length ? "" : `, ${counted(shown, "cut")} up to the chosen iteration`;
  return `${counted(cuts.length, "cut")} after iteration ${iteration}${some}`;
}

/** What binds, in words. */
function bindingText({ cuts, passes, atLimits }: StageCuts): string[] {
  if (passes === 0)
    return ["The states at the end of this stage are not kept, so what binds is not known."];
  const binding = cuts.filter(({ highestAt = 0 }) => highestAt > 0).length;
  const where = `the ${counted(passes, "state")} that the last forward passes reached`;
  return [
    `At ${where}, ${counted(binding, "cut")} ${binding === 1 ? "is" : "are"} the highest: they set the value of water.`,
    ...(atLimits.length === 0 ? [] : [`Reservoirs at their limits: ${atLimits.join("; ")}.`]),
  ];
}

function slopeText(slope: Cut["slopes"][number] | undefined): string {
  return slope === undefined ? "" : `${slope.name} ${money(slope.value, 3, slope.unit)}`;
}
