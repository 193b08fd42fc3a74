import type { Study } from "@cobre/core";

/** A component of a state, by name: a program that reads cuts needs no knowledge of the order in which a case has them. */
export interface StateComponent {
  /** `storage`, at the end of the stage; `inflow_lag`, the inflow of a stage that is over. */
  readonly family: "storage" | "inflow_lag";
  readonly entityType: "hydro";
  readonly entityId: number;
  /** Of an inflow: 1 for that of the stage itself, which is the last one known at its end, 2 for that of the stage before. */
  readonly lag?: number | undefined;
  readonly unit: "hm3" | "m3/s";
}

/** The components of the states of a case, in the order of the coefficients of its cuts. */
export function stateComponents(hydroIds: readonly number[], lags: number): StateComponent[] {
  const entityType = "hydro";
  const storages = hydroIds.map(
    (entityId): StateComponent => ({ family: "storage", entityType, entityId, unit: "hm3" }),
  );
  const inflows = Array.from({ length: lags }, (_, before) =>
    hydroIds.map(
      (entityId): StateComponent => ({
        family: "inflow_lag",
        entityType,
        entityId,
        lag: before + 1,
        unit: "m3/s",
      }),
    ),
  );
  return [...storages, ...inflows.flat()];
}

const MILLISECONDS_A_DAY = 86_400_000;

/** For each stage the day at whose beginning its cuts price the state: the day after its last one, as in 2025-02-01. */
export function pricingDates({ time }: Pick<Study, "time">): string[] {
  return time.stages.map(({ end }) =>
    new Date(end * MILLISECONDS_A_DAY).toISOString().slice(0, 10),
  );
}
