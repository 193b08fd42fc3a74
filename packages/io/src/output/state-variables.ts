import type { Case } from "../load-case.js";

/** A component of the state, as `state_dictionary.json` tells it. */
export interface StateVariable {
  readonly type: "storage" | "inflow_lag" | "in_transit" | "commitment";
  readonly entity_type: "hydro" | "thermal";
  readonly entity_id: number;
  /** Of an inflow: how many stages ago. */
  readonly lag_index?: number;
  /** Of what belongs to a later stage: how many stages later. */
  readonly stages_ahead?: number;
  readonly unit: "hm3" | "m3/s" | "MW";
}

/** The components of the state of a case, in the order in which a policy holds them. */
export function stateVariables({ study, uncertainty }: Pick<Case, "study" | "uncertainty">) {
  const { hydros } = study.system;
  const states: StateVariable[] = hydros.map(({ id }) => ({
    type: "storage",
    entity_type: "hydro",
    entity_id: id,
    unit: "hm3",
  }));
  for (let lag = 1; lag <= uncertainty.inflow.lags; lag++) {
    for (const { id } of hydros) {
      const place = { entity_type: "hydro", entity_id: id, lag_index: lag } as const;
      states.push({ type: "inflow_lag", ...place, unit: "m3/s" });
    }
  }
  for (const { plant, ahead } of study.travel.states) {
    const id = hydros[plant]?.id as number;
    const place = { entity_type: "hydro", entity_id: id, stages_ahead: ahead } as const;
    states.push({ type: "in_transit", ...place, unit: "hm3" });
  }
  for (const { plant, ahead } of study.commitments.states) {
    const id = study.system.thermals[plant]?.id as number;
    const place = { entity_type: "thermal", entity_id: id, stages_ahead: ahead } as const;
    states.push({ type: "commitment", ...place, unit: "MW" });
  }
  return states;
}
