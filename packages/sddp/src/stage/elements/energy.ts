import { MWH_PER_HM3 } from "@cobre/core";
import type { Element } from "./element.js";

/** What the water of reservoirs and inflows is worth in energy. It is no part of the program: results have it. */
export const energy: Element = ({ model, stage, blocks }) => {
  const { system, energy: worth } = model.study;
  let hours = 0;
  for (const block of blocks) hours += block.hours;
  const perInflow = system.hydros.map((_, h) => worth.accumulated.at(stage, h));
  const perHm3 = system.hydros.map(
    (_, h) => worth.integratedAccumulated.at(stage, h) * MWH_PER_HM3,
  );
  const dead = system.hydros.map(({ minStorageHm3 }) => minStorageHm3);
  return {
    // After the elements that record the water.
    record({ hydros }) {
      const inflows = hydros.column("incremental_inflow_m3s");
      const inflowEnergies = hydros.column("incremental_inflow_energy_mw");
      hydros.each((row, h) => {
        inflowEnergies[row] = perInflow[h] * inflows[row];
      });
      for (const when of ["initial", "final"] as const) {
        const volumes = hydros.column(`storage_${when}_hm3`);
        const energies = hydros.column(`stored_energy_${when}_mwh`);
        const powers = hydros.column(`stored_energy_${when}_mw`);
        hydros.each((row, h) => {
          energies[row] = perHm3[h] * (volumes[row] - dead[h]);
          powers[row] = energies[row] / hours;
        });
      }
    },
  };
};
