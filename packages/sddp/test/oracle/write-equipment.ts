/** The files of a case that hold what a small system has besides plants, buses and lines. */
import type { CaseFiles } from "./case-files.js";
import type { SmallBlockLimits } from "./equipment.js";
import type { SmallSystem } from "./system.js";

/** The columns of limits by block. */
const COLUMNS: Readonly<Record<string, string>> = {
  min: "min_generation_mw",
  max: "max_generation_mw",
  direct: "direct_mw",
  reverse: "reverse_mw",
  minTurbined: "min_turbined_m3s",
  maxTurbined: "max_turbined_m3s",
  minOutflow: "min_outflow_m3s",
  maxOutflow: "max_outflow_m3s",
  minGeneration: "min_generation_mw",
  maxGeneration: "max_generation_mw",
};

/** The rows of single blocks in a table of limits. */
export function blockRows(
  { stages, equipment }: SmallSystem,
  kind: SmallBlockLimits["kind"],
): readonly Readonly<Record<string, number>>[] {
  return equipment.blockLimits
    .filter((limits) => limits.kind === kind && Object.keys(limits.values).length > 0)
    .map(({ id, stage, block, values }) => ({
      [`${kind}_id`]: id,
      stage_id: stages[stage].id,
      block_id: block,
      ...Object.fromEntries(Object.entries(values).map(([name, x]) => [COLUMNS[name], x])),
    }));
}

export function writeEquipment(system: SmallSystem, files: CaseFiles): void {
  writeSources(system, files);
  writeConstraints(system, files);
  writePumpsAndContracts(system, files);
  const { stages, equipment } = system;
  if (equipment.lineFactors.length === 0) return;
  files.json("constraints/exchange_factors.json", {
    exchange_factors: equipment.lineFactors.map(({ line, stage, direct, reverse }) => ({
      line_id: line,
      stage_id: stages[stage].id,
      block_factors: direct.map((factor, k) => ({
        block_id: k,
        direct_factor: factor,
        reverse_factor: reverse[k],
      })),
    })),
  });
}

function writePumpsAndContracts({ stages, equipment }: SmallSystem, files: CaseFiles): void {
  const { pumps, contracts } = equipment;
  if (pumps.length > 0) {
    files.json("system/pumping_stations.json", {
      pumping_stations: pumps.map((pump) => ({
        id: pump.id,
        name: `pump ${pump.id}`,
        bus_id: pump.bus,
        source_hydro_id: pump.from,
        destination_hydro_id: pump.to,
        consumption_mw_per_m3s: pump.consumption,
        flow: { min_m3s: pump.min, max_m3s: pump.max },
        entry_stage_id: pump.entry,
        exit_stage_id: pump.exit,
      })),
    });
  }
  files.table(
    "constraints/pumping_bounds",
    pumps.flatMap(({ id, stages: own }) =>
      own.flatMap(({ max }, t) =>
        max === undefined ? [] : [{ station_id: id, stage_id: stages[t].id, max_m3s: max }],
      ),
    ),
  );
  if (contracts.length > 0) {
    files.json("system/energy_contracts.json", {
      contracts: contracts.map((contract) => ({
        id: contract.id,
        name: `contract ${contract.id}`,
        bus_id: contract.bus,
        type: contract.isImport ? "import" : "export",
        price_per_mwh: contract.price,
        limits: { min_mw: contract.min, max_mw: contract.max },
        entry_stage_id: contract.entry,
        exit_stage_id: contract.exit,
      })),
    });
  }
  files.table(
    "constraints/contract_bounds",
    contracts.flatMap(({ id, stages: own }) =>
      own.flatMap(({ min, max, price }, t) => {
        const values = { min_mw: min, max_mw: max, price_per_mwh: price };
        const isEmpty = Object.values(values).every((value) => value === undefined);
        return isEmpty ? [] : [{ contract_id: id, stage_id: stages[t].id, ...values }];
      }),
    ),
  );
}

function writeConstraints({ stages, equipment }: SmallSystem, files: CaseFiles): void {
  const { constraints } = equipment;
  if (constraints.length === 0) return;
  files.json("constraints/generic_constraints.json", {
    constraints: constraints.map(({ id, sense, penalty, terms }) => ({
      id,
      name: `constraint ${id}`,
      expression: terms
        .map(({ coefficient, variable, id: entity, block }) => {
          const sign = coefficient < 0 ? "-" : "+";
          const argument = block === null ? entity : `${entity}, ${block}`;
          return `${sign} ${Math.abs(coefficient)} * ${variable}(${argument})`;
        })
        .join(" "),
      sense,
      slack: penalty === null ? { enabled: false } : { enabled: true, penalty },
    })),
  });
  files.table(
    "constraints/generic_constraint_bounds",
    constraints.flatMap(({ id, bounds }) =>
      bounds.map(({ stage, block, bound }) => ({
        constraint_id: id,
        stage_id: stages[stage].id,
        block_id: block,
        bound,
      })),
    ),
  );
}

function writeSources({ stages, equipment }: SmallSystem, files: CaseFiles): void {
  const { sources } = equipment;
  if (sources.length === 0) return;
  files.json("system/non_controllable_sources.json", {
    non_controllable_sources: sources.map(({ id, bus, max, cost, curtails, entry, exit }) => ({
      id,
      name: `source ${id}`,
      bus_id: bus,
      max_generation_mw: max,
      ...(cost !== null && { curtailment_cost: cost }),
      ...(!curtails && { allow_curtailment: false }),
      entry_stage_id: entry,
      exit_stage_id: exit,
    })),
  });
  const cells = sources.flatMap((source) =>
    source.stages.map((cell, t) => ({ ...cell, source, stage_id: stages[t].id })),
  );
  files.table(
    "constraints/ncs_bounds",
    cells.flatMap(({ source, stage_id, available }) =>
      source.isUncertain || available === null
        ? []
        : [{ ncs_id: source.id, stage_id, available_generation_mw: available }],
    ),
  );
  files.table(
    "scenarios/non_controllable_stats",
    cells.flatMap(({ source, stage_id, mean, std }) =>
      source.isUncertain ? [{ ncs_id: source.id, stage_id, mean, std }] : [],
    ),
  );
  files.table(
    "constraints/penalty_overrides_ncs",
    cells.flatMap(({ source, stage_id, cost }) =>
      cost === null ? [] : [{ source_id: source.id, stage_id, curtailment_cost: cost }],
    ),
  );
  files.json("scenarios/non_controllable_factors.json", {
    non_controllable_factors: cells.flatMap(({ source, stage_id, factors }) =>
      factors === null
        ? []
        : [
            {
              ncs_id: source.id,
              stage_id,
              block_factors: factors.map((factor, block_id) => ({ block_id, factor })),
            },
          ],
    ),
  });
}
