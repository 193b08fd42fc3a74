import type { Study } from "@cobre/core";

/** A component of a state, by name: a program that reads cuts needs no knowledge of the order in which a case has them. */
export interface StateComponent {
  /**
   * `storage`, at the end of the stage; `inflow_lag`, the inflow of a stage that is over; `in_transit`, water on its way to a plant;
   * `commitment`, what a thermal plant is to generate in a later stage.
   */
  readonly family: "storage" | "inflow_lag" | "in_transit" | "commitment";
  readonly entityType: "hydro" | "thermal";
  readonly entityId: number;
  /** Of an inflow: 1 for that of the stage itself, which is the last one known at its end, 2 for that of the stage before. */
  readonly lag?: number | undefined;
  /** Of water on its way and of commitments: 1 for the stage that begins when this one ends, 2 for the one after it. */
  readonly ahead?: number | undefined;
  readonly unit: "hm3" | "m3/s" | "MW";
}

/** What the families beside storages and inflows look like. */
export const FAMILIES_AHEAD = {
  in_transit: { entityType: "hydro", unit: "hm3" },
  commitment: { entityType: "thermal", unit: "MW" },
} as const satisfies Partial<
  Record<StateComponent["family"], Pick<StateComponent, "entityType" | "unit">>
>;

/** The storages and past inflows in the states of a case, which come first. */
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

/** All components of the states of a case, in the order of the coefficients of its cuts, and their values at the start. */
export function statesOfStudy(
  study: Pick<Study, "system" | "initialConditions" | "travel" | "commitments">,
  lags: number,
): { readonly components: readonly StateComponent[]; readonly initial: Float64Array } {
  const { system, initialConditions, travel, commitments } = study;
  const { storageHm3, pastInflowsM3s } = initialConditions;
  const { hydros, thermals } = system;
  const components = [
    ...stateComponents(
      hydros.map(({ id }) => id),
      lags,
    ),
    ...travel.states.map(({ plant, ahead }) => stateAhead("in_transit", hydros[plant].id, ahead)),
    ...commitments.states.map(({ plant, ahead }) => {
      return stateAhead("commitment", thermals[plant].id, ahead);
    }),
  ];
  const values = [
    ...storageHm3,
    ...Array.from({ length: lags }, (_, lag) =>
      pastInflowsM3s.map((past) => past[lag] ?? 0),
    ).flat(),
    ...travel.states.map(({ plant, ahead }) => travel.initialHm3[plant][ahead - 1]),
    ...commitments.states.map(({ plant, ahead }) => commitments.initialMw[plant][ahead - 1]),
  ];
  return { components, initial: Float64Array.from(values) };
}

function stateAhead(
  family: keyof typeof FAMILIES_AHEAD,
  entityId: number,
  ahead: number,
): StateComponent {
  const { entityType, unit } = FAMILIES_AHEAD[family];
  return { family, entityType, entityId, ahead, unit };
}

/** A component in words, as in `in_transit of hydro 3, 1 ahead`. */
export function describeComponent(component: StateComponent): string {
  const { family, entityType, entityId, lag, ahead } = component;
  const when = lag !== undefined ? `, lag ${lag}` : ahead !== undefined ? `, ${ahead} ahead` : "";
  return `${family} of ${entityType} ${entityId}${when}`;
}

/** The components beside storages and inflows, in words. */
export function describeOthers(components: readonly StateComponent[] | undefined): string {
  const others = (components ?? []).filter(({ ahead }) => ahead !== undefined);
  return others.length === 0 ? "none" : others.map(describeComponent).join("; ");
}

const MILLISECONDS_A_DAY = 86_400_000;

/** For each stage the day at whose beginning its cuts price the state: the day after its last one, as in 2025-02-01. */
export function pricingDates({ time }: Pick<Study, "time">): string[] {
  return time.stages.map(({ end }) =>
    new Date(end * MILLISECONDS_A_DAY).toISOString().slice(0, 10),
  );
}
