import { stateOfFlow } from "../../results/codes.js";
import { scaled, type Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/** Pumping stations: water goes from one reservoir to another, and takes power of a bus. */
export const pumpingStation: Element = (builder) => {
  const { model, stage, program, blocks, blockIds } = builder;
  const { system, time, pumpingStations: at } = model.study;
  const stations = system.pumpingStations;
  if (stations.length === 0) return {};
  const flow = program.family("pumping_flow", {
    labels: stations.map(({ id }) => id),
    blocks: blockIds,
    lower: (station, k) => at.minFlowM3s.at(stage, station, k),
    upper: (station, k) => at.maxFlowM3s.at(stage, station, k),
  });
  const pumped = (station: number, k: number): Term[] => [[flow.column(station, k), 1]];
  const consumption = (station: number) => stations[station].consumptionMwPerM3s;
  program.express("pumping_power", (station, k) =>
    scaled(pumped(station, k), consumption(station)),
  );
  const water = program.balanceOf("water");
  const power = program.balanceOf("power");
  const volumes = time.blockVolumes[stage];
  stations.forEach((_, station) => {
    volumes.forEach((volume, k) => {
      const [from, to] = [
        system.sourceOfPumpingStation[station],
        system.destinationOfPumpingStation[station],
      ];
      const period = builder.periodOf(k);
      water.add(from, period, scaled(pumped(station, k), volume));
      water.add(to, period, scaled(pumped(station, k), -volume));
      const taken = program.expression("pumping_power", station, k);
      power.add(system.busOfPumpingStation[station], k, scaled(taken, -1));
    });
  });
  return {
    record({ pumpingStations, primal, data }) {
      const value = (station: number, k: number) => flow.value(primal, station, k);
      const taken = (station: number, k: number) => consumption(station) * value(station, k);
      pumpingStations.set("pumped_flow_m3s", value);
      pumpingStations.set("pumped_volume_hm3", (station, k) => value(station, k) * volumes[k]);
      pumpingStations.set("power_consumption_mw", taken);
      pumpingStations.set("energy_consumption_mwh", (station, k) => {
        return taken(station, k) * blocks[k].hours;
      });
      pumpingStations.set("operative_state_code", (station, k) =>
        stateOfFlow(value(station, k), data.columnUpper[flow.column(station, k)]),
      );
    },
  };
};
