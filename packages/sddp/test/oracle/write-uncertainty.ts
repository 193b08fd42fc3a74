/** The files of a case that describe what is uncertain: inflows, loads, noise and its correlation. */
import type { CaseFiles } from "./case-files.js";
import { uncertainSourcesById } from "./equipment.js";
import { hydrosById, type SmallSystem, uncertainBusesById } from "./system.js";

export function writeUncertainty(system: SmallSystem, files: CaseFiles): void {
  const { stages, hydros, buses } = system;
  const inflows = hydros.flatMap((hydro) =>
    hydro.stages.map((stage, t) => ({
      ...stage,
      key: { hydro_id: hydro.id, stage_id: stages[t].id },
    })),
  );
  const before = hydros.flatMap(({ id, before: past }) =>
    past.map((value, i) => ({ ...value, key: { hydro_id: id, stage_id: -1 - i } })),
  );
  files.table(
    "scenarios/inflow_seasonal_stats",
    [...before, ...inflows].map(({ key, mean, std }) => ({ ...key, mean_m3s: mean, std_m3s: std })),
  );
  files.table(
    "scenarios/inflow_ar_coefficients",
    inflows.flatMap(({ key, coefficients, ratio }) =>
      coefficients.map((coefficient, i) => ({
        ...key,
        lag: i + 1,
        coefficient,
        residual_std_ratio: ratio,
      })),
    ),
  );
  files.table(
    "scenarios/inflow_annual_component",
    inflows.flatMap(({ key, annual }) =>
      annual === null
        ? []
        : [
            {
              ...key,
              annual_coefficient: annual.coefficient,
              annual_mean_m3s: 0,
              annual_std_m3s: annual.std,
            },
          ],
    ),
  );
  const loaded = buses.filter((bus) => bus.stages.some(({ mean, std }) => mean !== 0 || std !== 0));
  files.table(
    "scenarios/load_seasonal_stats",
    loaded.flatMap(({ id, stages: loads }) =>
      loads.map(({ mean, std }, t) => ({
        bus_id: id,
        stage_id: stages[t].id,
        mean_mw: mean,
        std_mw: std,
      })),
    ),
  );
  files.json("scenarios/load_factors.json", {
    load_factors: buses.flatMap(({ id, stages: loads }) =>
      loads.flatMap(({ factors }, t) =>
        factors === null
          ? []
          : [
              {
                bus_id: id,
                stage_id: stages[t].id,
                block_factors: factors.map((factor, k) => ({ block_id: k, factor })),
              },
            ],
      ),
    ),
  });
  if (system.treeSeed === null) files.table("scenarios/noise_openings", noiseRows(system));
  else if (stages.some(({ correlation }) => correlation !== null)) {
    files.json("scenarios/correlation.json", correlationOf(system));
  }
}

function noiseRows(system: SmallSystem) {
  const entities = [
    ...hydrosById(system),
    ...uncertainBusesById(system),
    ...uncertainSourcesById(system),
  ];
  return system.stages.flatMap(({ id, openings }, t) =>
    Array.from({ length: openings }, (_, opening) =>
      entities.map(({ stages }, entity) => ({
        stage_id: id,
        opening_index: opening,
        entity_index: entity,
        value: stages[t].noise[opening],
      })),
    ).flat(),
  );
}

/** A profile for each stage; the first one is the default. */
function correlationOf(system: SmallSystem) {
  const group = (type: "inflow" | "load" | "ncs", ids: readonly number[], value: number) => ({
    name: type,
    entities: ids.map((id) => ({ type, id })),
    matrix: ids.map((_, i) => ids.map((_id, j) => (i === j ? 1 : value))),
  });
  const hydros = hydrosById(system).map(({ id }) => id);
  const buses = uncertainBusesById(system).map(({ id }) => id);
  const sources = uncertainSourcesById(system).map(({ id }) => id);
  const profile = (t: number) => {
    const { correlation } = system.stages[t];
    if (correlation === null) return { correlation_groups: [] };
    const groups = [
      group("inflow", hydros, correlation.inflow),
      group("load", buses, correlation.load),
      // Two sources go together as two loads do.
      group("ncs", sources, correlation.load),
    ];
    return { correlation_groups: groups.filter(({ entities }) => entities.length > 1) };
  };
  const profiles = system.stages.map((_, t) => [t === 0 ? "default" : `stage ${t}`, profile(t)]);
  return {
    method: "spectral",
    profiles: Object.fromEntries(profiles),
    schedule: system.stages
      .map(({ id }, t) => ({ stage_id: id, profile_name: `stage ${t}` }))
      .slice(1),
  };
}
