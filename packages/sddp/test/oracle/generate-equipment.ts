/** Draws what a small system has besides plants, buses and lines. */
import { Draw } from "./draw.js";
import type {
  SmallBlockLimits,
  SmallConstraint,
  SmallContract,
  SmallEquipment,
  SmallPump,
  SmallSource,
} from "./equipment.js";
import type { SmallLife, SmallSystem } from "./system.js";

/** Far from the seeds of systems, so that equipment has draws of its own. */
const APART = 7_000_001;

/** The system with equipment drawn from its seed. */
export function withEquipment(system: SmallSystem): SmallSystem {
  const draw = new Draw(system.seed + APART);
  const equipment: SmallEquipment = {
    curtailmentCost: draw.number(0.01, 30),
    sources: sourcesOf(system, draw),
    pumps: pumpsOf(system, draw),
    contracts: contractsOf(system, draw),
    constraints: [],
    ...limitsOf(system, draw),
  };
  const lives = livesOf(system, draw);
  return {
    ...system,
    ...lives,
    equipment: { ...equipment, constraints: constraintsOf(system, equipment, draw) },
  };
}

function sourcesOf({ stages, buses, treeSeed }: SmallSystem, draw: Draw): readonly SmallSource[] {
  if (!draw.chance(0.4)) return [];
  return draw.ids(draw.pick([1, 1, 2, 3])).map((id): SmallSource => {
    const isUncertain = draw.chance(0.6);
    const max = draw.number(5, 60);
    return {
      id,
      bus: draw.pick(buses).id,
      max,
      cost: draw.chance(0.5) ? draw.number(0.01, 40) : null,
      curtails: draw.chance(0.8),
      isUncertain,
      ...lifetimeOf(stages, draw),
      stages: stages.map(({ openings, hours }) => ({
        available: draw.chance(0.5) ? draw.number(0, 1.2 * max) : null,
        mean: draw.number(0, 1),
        std: draw.chance(0.8) ? draw.number(0.05, 0.7) : 0,
        noise: draw.noise(openings, treeSeed !== null),
        factors: draw.chance(0.4) ? hours.map(() => draw.number(0.2, 1.6)) : null,
        cost: draw.chance(0.3) ? draw.number(0.01, 60) : null,
      })),
    };
  });
}

function pumpsOf({ stages, buses, hydros }: SmallSystem, draw: Draw): readonly SmallPump[] {
  if (hydros.length < 2 || !draw.chance(0.35)) return [];
  return draw.ids(draw.pick([1, 2])).map((id): SmallPump => {
    const [from, to] = draw.shuffled(hydros);
    const max = draw.number(1, 30);
    return {
      id,
      bus: draw.pick(buses).id,
      from: from.id,
      to: to.id,
      consumption: draw.chance(0.8) ? draw.number(0.05, 1.2) : 0,
      // What must be pumped may not be there.
      min: 0,
      max,
      ...lifetimeOf(stages, draw),
      stages: stages.map(() => (draw.chance(0.3) ? { max: draw.number(0, 2 * max) } : {})),
    };
  });
}

function contractsOf({ stages, buses }: SmallSystem, draw: Draw): readonly SmallContract[] {
  if (!draw.chance(0.35)) return [];
  return draw.ids(draw.pick([1, 1, 2])).map((id): SmallContract => {
    const isImport = draw.chance(0.5);
    const price = () => (isImport ? draw.number(-10, 120) : draw.number(-80, 30));
    const min = draw.chance(0.3) ? draw.number(1, 8) : 0;
    const max = draw.number(min, 40);
    return {
      id,
      bus: draw.pick(buses).id,
      isImport,
      price: price(),
      min,
      max,
      ...lifetimeOf(stages, draw),
      stages: stages.map(() =>
        draw.chance(0.4)
          ? draw.some({ min: draw.number(0, min), max: draw.number(min, 60), price: price() })
          : {},
      ),
    };
  });
}

/** Limits of single blocks, and factors of lines. */
function limitsOf(
  { stages, thermals, lines, hydros }: SmallSystem,
  draw: Draw,
): Pick<SmallEquipment, "blockLimits" | "lineFactors"> {
  const blockLimits: SmallBlockLimits[] = [];
  if (draw.chance(0.35)) {
    const add = (
      kind: SmallBlockLimits["kind"],
      id: number,
      values: (stage: number) => Readonly<Record<string, number>>,
    ) => {
      stages.forEach(({ hours }, stage) => {
        if (!draw.chance(0.5)) return;
        blockLimits.push({
          kind,
          id,
          stage,
          block: draw.below(hours.length),
          values: draw.some(values(stage)) as Readonly<Record<string, number>>,
        });
      });
    };
    // What a plant is committed to is about whole stages.
    for (const { id, min, max, stages: own } of thermals.filter(({ lead }) => lead === null)) {
      add("thermal", id, (t) => ({
        min: draw.number(0, own[t].min ?? min),
        max: draw.number(min, 1.5 * max),
      }));
    }
    for (const { id } of lines) {
      add("line", id, () => ({ direct: draw.number(0, 60), reverse: draw.number(0, 60) }));
    }
    for (const { id, bounds, stages: own } of hydros) {
      add("hydro", id, (t) => {
        const usual = { ...bounds, ...own[t].bounds };
        return {
          minTurbined: draw.number(0, usual.minTurbined),
          maxTurbined: draw.number(usual.minTurbined, 2 * usual.maxTurbined),
          minOutflow: draw.number(0, usual.minOutflow),
          maxOutflow: draw.number(usual.minOutflow, 2 * usual.minOutflow + 30),
          minGeneration: draw.number(0, usual.minGeneration),
          maxGeneration: draw.number(usual.minGeneration, 2 * usual.maxGeneration),
        };
      });
    }
  }
  const free = lines.filter(({ id }) => !blockLimits.some((b) => b.kind === "line" && b.id === id));
  const lineFactors = draw.chance(0.35)
    ? free.flatMap(({ id: line }) =>
        stages.flatMap(({ hours }, stage) => {
          if (!draw.chance(0.6)) return [];
          const factors = () => hours.map(() => draw.number(0.1, 1.9));
          return [{ line, stage, direct: factors(), reverse: factors() }];
        }),
      )
    : [];
  return { blockLimits, lineFactors };
}

/** Thermal plants and lines that come or go. */
function livesOf(
  { stages, thermals, lines }: SmallSystem,
  draw: Draw,
): Pick<SmallSystem, "thermals" | "lines"> {
  if (!draw.chance(0.25)) return { thermals, lines };
  const living = <E extends { readonly life: SmallLife }>(entity: E): E => ({
    ...entity,
    life: lifetimeOf(stages, draw),
  });
  return {
    thermals: thermals.map((thermal) => (thermal.lead === null ? living(thermal) : thermal)),
    lines: lines.map(living),
  };
}

/** The variables of entities that the system has; those of a stage have no block. */
function variablesOf(
  { hydros, thermals, lines, buses, compat }: SmallSystem,
  { sources, pumps, contracts }: SmallEquipment,
) {
  const of = (entities: readonly { readonly id: number }[], names: readonly string[]) =>
    names.flatMap((variable) => entities.map(({ id }) => ({ variable, id })));
  return {
    ofStage: of(hydros, ["hydro_storage", "hydro_evaporation", "hydro_withdrawal"]),
    ofBlock: [
      ...of(hydros, [
        "hydro_turbined",
        "hydro_spillage",
        "hydro_diversion",
        "hydro_outflow",
        "hydro_generation",
      ]),
      ...of(thermals, ["thermal_generation"]),
      ...of(lines, ["line_direct", "line_reverse", "line_exchange"]),
      ...of(buses, ["bus_deficit", "bus_excess"]),
      // Cobre 0.5 has neither pumps nor contracts, so constraints cannot name them there.
      ...of(compat ? [] : pumps, ["pumping_flow", "pumping_power"]),
      ...(compat ? [] : contracts).map(({ id, isImport }) => ({
        variable: isImport ? "contract_import" : "contract_export",
        id,
      })),
      ...of(sources, ["non_controllable_generation", "non_controllable_curtailment"]),
    ],
  };
}

function constraintsOf(
  system: SmallSystem,
  equipment: SmallEquipment,
  draw: Draw,
): readonly SmallConstraint[] {
  if (!draw.chance(0.4)) return [];
  const { ofStage, ofBlock } = variablesOf(system, equipment);
  const { stages, thermals } = system;
  return draw.ids(draw.pick([1, 2, 3])).map((id): SmallConstraint => {
    const bounds = (bound: () => number) =>
      stages.flatMap(({ hours }, stage) => {
        if (!draw.chance(0.7)) return [];
        const ofAll = draw.chance(0.7) ? [{ stage, block: null, bound: bound() }] : [];
        const block = draw.below(hours.length);
        return draw.chance(0.4) ? [...ofAll, { stage, block, bound: bound() }] : ofAll;
      });
    const free = thermals.filter(({ lead }) => lead === null);
    if (free.length > 0 && draw.chance(0.2)) {
      // A limit without slack that can always be kept: load may stay unmet.
      const { id: plant, min, max } = draw.pick(free);
      const term = { coefficient: 1, variable: "thermal_generation", id: plant, block: null };
      return {
        id,
        sense: "<=",
        penalty: null,
        terms: [term],
        bounds: bounds(() => draw.number(min, max) + 0.01),
      };
    }
    return {
      id,
      sense: draw.pick([">=", "<=", "=="] as const),
      penalty: draw.number(1, 120),
      terms: Array.from({ length: draw.pick([1, 1, 2, 3]) }, () => {
        const isOfStage = ofStage.length > 0 && draw.chance(0.15);
        const coefficient = draw.chance(0.5) ? 1 : draw.number(-2, 2);
        return {
          coefficient,
          ...draw.pick(isOfStage ? ofStage : ofBlock),
          block: !isOfStage && draw.chance(0.2) ? 0 : null,
        };
      }),
      bounds: bounds(() => draw.number(-20, 60)),
    };
  });
}

/** Mostly the whole study. */
function lifetimeOf(stages: SmallSystem["stages"], draw: Draw): SmallLife {
  if (!draw.chance(0.35)) return { entry: null, exit: null };
  const [first, last] = [stages[0].id, stages[stages.length - 1].id];
  const entry = draw.chance(0.6) ? first + draw.below(last - first + 1) : null;
  const exit = draw.chance(0.6) ? (entry ?? first) + 1 + draw.below(last - first + 2) : null;
  return { entry, exit };
}
