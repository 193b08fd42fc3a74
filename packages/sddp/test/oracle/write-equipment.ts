/** The files of a case that hold what a small system has besides plants, buses and lines. */
import type { CaseFiles } from "./case-files.js";
import type { SmallSystem } from "./system.js";

export function writeEquipment(system: SmallSystem, files: CaseFiles): void {
  writeSources(system, files);
  writeConstraints(system, files);
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
