import type { Element } from "./element.js";

/** Buses: load that is not met, in segments that cost more and more, and generation in excess of the load. */
export const bus: Element = (builder) => {
  const { model, stage, program, blocks, blockIds } = builder;
  const { system, busPenalties } = model.study;
  const segments = system.buses.flatMap(({ id, deficitSegments }, at) =>
    deficitSegments.map((segment, i) => ({ ...segment, bus: at, label: `${id}_${i}` })),
  );
  const deficit = program.family("deficit", {
    labels: segments.map(({ label }) => label),
    blocks: blockIds,
    cost: builder.hourly((segment) => segments[segment].costPerMwh),
    kind: "deficit",
    upper: (segment) => segments[segment].depthMw,
  });
  const excess = program.family("excess", {
    labels: system.buses.map(({ id }) => id),
    blocks: blockIds,
    cost: builder.hourly((at) => busPenalties.excessCost.at(stage, at)),
    kind: "excess",
  });
  const power = program.balanceOf("power");
  blocks.forEach((_, k) => {
    segments.forEach((segment, i) => {
      power.add(segment.bus, k, [[deficit.column(i, k), 1]]);
    });
    system.buses.forEach((_bus, at) => {
      power.add(at, k, [[excess.column(at, k), -1]]);
    });
  });
  const segmentsOf = system.buses.map((_, at) =>
    segments.flatMap((segment, i) => (segment.bus === at ? [i] : [])),
  );
  program.express("bus_deficit", (at, k) =>
    segmentsOf[at].map((segment) => [deficit.column(segment, k), 1]),
  );
  return {
    record({ buses, primal }) {
      const deficits = buses.column("deficit_mw");
      const deficitEnergy = buses.column("deficit_mwh");
      const excesses = buses.column("excess_mw");
      const excessEnergy = buses.column("excess_mwh");
      buses.each((row, at, k) => {
        let missing = 0;
        for (const segment of segmentsOf[at]) missing += deficit.value(primal, segment, k);
        deficits[row] = missing;
        deficitEnergy[row] = missing * blocks[k].hours;
        excesses[row] = excess.value(primal, at, k);
        excessEnergy[row] = excesses[row] * blocks[k].hours;
      });
    },
  };
};
