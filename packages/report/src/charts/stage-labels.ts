import type { StageEntry } from "@cobre/study";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"].concat([
  "Jul",
  "Aug",
  "Sep",
  "Oct",
  "Nov",
  "Dec",
]);
const DAY = 86_400_000;

/** What a stage is called in full: `Mar 2026`, `9 Mar 2026`, or `stage 3` if it has no date. */
export function stageName(stage: StageEntry): string {
  if (stage.start === undefined) return `stage ${stage.id}`;
  const [year = "", month, day] = stage.start.split("-");
  const name = `${MONTHS[Number(month) - 1]} ${year}`;
  return isMonth(stage) ? name : `${Number(day)} ${name}`;
}

/** Which stages have a label on the axis, if there is room for so many, and which. */
export function stageTicks(
  stages: readonly StageEntry[],
  room: number,
): { readonly index: number; readonly label: string }[] {
  const steps = [1, 2, 3, 4, 6, 12, 24, 36, 60, 120];
  const step = steps.find((one) => stages.length / one <= room) ?? Math.ceil(stages.length / room);
  const first = firstTick(stages, step);
  return stages.flatMap((stage, index) =>
    index % step === first % step ? [{ index, label: shortName(stage) }] : [],
  );
}

/** Ticks of several months fall on January if a stage begins there. */
function firstTick(stages: readonly StageEntry[], step: number): number {
  const january = stages.findIndex(({ start }) => start?.slice(5, 7) === "01");
  return january === -1 || step === 1 ? 0 : january;
}

function shortName(stage: StageEntry): string {
  if (stage.start === undefined) return String(stage.id);
  const [year = "", month, day] = stage.start.split("-");
  const name = MONTHS[Number(month) - 1] as string;
  return isMonth(stage) ? `${name} ’${year.slice(2)}` : `${Number(day)} ${name}`;
}

function isMonth({ start, end }: StageEntry): boolean {
  if (start === undefined || end === undefined) return true;
  return start.endsWith("-01") && (Date.parse(end) - Date.parse(start)) / DAY >= 28;
}
