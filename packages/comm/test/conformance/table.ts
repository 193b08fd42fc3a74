import type { ConformanceCase } from "./case.js";
import { allgathervCases } from "./cases/allgatherv.js";
import { allreduceCases } from "./cases/allreduce.js";
import { barrierCases } from "./cases/barrier.js";
import { broadcastCases } from "./cases/broadcast.js";
import { closingCases } from "./cases/closing.js";
import { identityCases } from "./cases/identity.js";
import { misuseCases } from "./cases/misuse.js";
import { regionCases } from "./cases/region.js";

/** Every sentence of the contract, for every backend and any number of ranks. */
export const TABLE: readonly ConformanceCase[] = [
  ...identityCases,
  ...barrierCases,
  ...broadcastCases,
  ...allreduceCases,
  ...allgathervCases,
  ...regionCases,
  ...misuseCases,
];

/** What comes after everything else. */
export const LAST: readonly ConformanceCase[] = closingCases;
