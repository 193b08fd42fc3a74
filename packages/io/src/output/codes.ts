/** The codes used in tables; `dictionaries/codes.json` lists them. */

/** 1 is reserved for plants in maintenance, which cases cannot describe yet. */
export const OPERATIVE_STATE = { deactivated: 0, maintenance: 1, operating: 2, saturated: 3 };

export const STORAGE_BINDING = { none: 0, at_minimum: 1, at_maximum: 2, both: 3 };

export const ENTITY_TYPE = {
  hydro: 0,
  thermal: 1,
  bus: 2,
  line: 3,
  pumping_station: 4,
  contract: 5,
  non_controllable: 7,
};

export const CONTRACT_TYPE = { import: 0, export: 1 };

export const BOUND_TYPE = {
  storage_min: 0,
  storage_max: 1,
  turbined_min: 2,
  turbined_max: 3,
  outflow_min: 4,
  outflow_max: 5,
  generation_min: 6,
  generation_max: 7,
  /** For a line: its capacity from target to source, as a negative number. */
  flow_min: 8,
  flow_max: 9,
};

/** `codes.json`: for each kind of code, what each number means. */
export function codeDictionary(): object {
  const words = (codes: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(codes).map(([word, number]) => [String(number), word]));
  return {
    version: "1.0",
    operative_state: words(OPERATIVE_STATE),
    storage_binding: words(STORAGE_BINDING),
    entity_type: words(ENTITY_TYPE),
    bound_type: words(BOUND_TYPE),
    contract_type: words(CONTRACT_TYPE),
  };
}
