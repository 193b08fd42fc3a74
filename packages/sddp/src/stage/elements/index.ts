import { bus } from "./bus.js";
import { commitment } from "./commitment.js";
import { diversion } from "./diversion.js";
import type { Element } from "./element.js";
import { energy } from "./energy.js";
import { energyContract } from "./energy-contract.js";
import { evaporation } from "./evaporation.js";
import { fillingTarget } from "./filling-target.js";
import { futureCost } from "./future-cost.js";
import { genericConstraint } from "./generic-constraint.js";
import { hydro } from "./hydro.js";
import { hydroLimits } from "./hydro-limits.js";
import { inflow } from "./inflow.js";
import { inflowSlack } from "./inflow-slack.js";
import { line } from "./line.js";
import { load } from "./load.js";
import { nonControllable } from "./non-controllable.js";
import { production } from "./production.js";
import { pumpingStation } from "./pumping-station.js";
import { reservoir } from "./reservoir.js";
import { storageMinimum } from "./storage-minimum.js";
import { thermal } from "./thermal.js";
import { travelTime } from "./travel-time.js";
import { unitGroups, unitLimits } from "./unit-groups.js";
import { withdrawal } from "./withdrawal.js";

/**
 * The components of a stage. Their order is that of the columns, on which the bits of results depend; an element stands after those whose
 * balances it adds to.
 */
export const ELEMENTS: readonly Element[] = [
  reservoir,
  load,
  inflow,
  futureCost,
  hydro,
  travelTime,
  unitGroups,
  production,
  diversion,
  hydroLimits,
  unitLimits,
  inflowSlack,
  storageMinimum,
  fillingTarget,
  evaporation,
  withdrawal,
  thermal,
  commitment,
  line,
  bus,
  nonControllable,
  pumpingStation,
  energyContract,
  genericConstraint,
  energy,
];
