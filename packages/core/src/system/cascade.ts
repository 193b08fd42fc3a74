import { CASE_FILES } from "../case-files.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Hydro } from "./entities.js";

/** How water flows between hydro plants, by their index. */
export interface Cascade {
  /** The plant downstream, or -1. */
  readonly downstream: Int32Array;
  /** For each plant, the plants directly upstream. */
  readonly upstream: readonly (readonly number[])[];
  /** All plants, each after the plants upstream of it. */
  readonly order: Int32Array;
}

/** Builds the cascade of plants sorted by id. Reports missing plants and cycles. */
export function buildCascade(hydros: readonly Hydro[], issues: IssueCollector): Cascade {
  const index = new Map(hydros.map(({ id }, i) => [id, i]));
  const downstream = new Int32Array(hydros.length).fill(-1);
  const upstream: number[][] = hydros.map(() => []);
  hydros.forEach(({ id, downstreamId }, i) => {
    if (downstreamId === undefined) return;
    const target = index.get(downstreamId);
    if (target === undefined) {
      issues.error(
        "references",
        { file: CASE_FILES.hydros, entity: `hydro ${id}`, field: "downstream_id" },
        `hydro ${downstreamId} does not exist`,
        "give the id of a plant in this file, or null",
      );
      return;
    }
    downstream[i] = target;
    upstream[target]?.push(i);
  });
  const order = sortCascade(downstream, upstream);
  if (order.length < hydros.length) reportCircle(hydros, downstream, order, issues);
  return { downstream, upstream, order: Int32Array.from(order) };
}

function sortCascade(downstream: Int32Array, upstream: readonly (readonly number[])[]): number[] {
  const waiting = upstream.map((plants) => plants.length);
  const order: number[] = [];
  waiting.forEach((count, plant) => {
    if (count === 0) order.push(plant);
  });
  for (let i = 0; i < order.length; i++) {
    const target = downstream[order[i] as number] as number;
    if (target < 0) continue;
    waiting[target] = (waiting[target] as number) - 1;
    if (waiting[target] === 0) order.push(target);
  }
  return order;
}

function reportCircle(
  hydros: readonly Hydro[],
  downstream: Int32Array,
  sorted: readonly number[],
  issues: IssueCollector,
): void {
  const left = new Set(hydros.keys());
  for (const plant of sorted) left.delete(plant);
  while (left.size > 0) {
    const [first] = left;
    const circle: number[] = [];
    // Each plant that could not be sorted is on a cycle or downstream of one: follow the water until a plant comes again.
    for (let plant = first as number; left.delete(plant); plant = downstream[plant] as number) {
      circle.push(hydros[plant]?.id as number);
    }
    issues.error(
      "references",
      { file: CASE_FILES.hydros, entity: `hydro ${circle[0]}`, field: "downstream_id" },
      `the water flows in a circle: ${[...circle, circle[0]].join(" → ")}`,
      "set downstream_id of one of these plants to another plant, or to null",
    );
  }
}
