import type { ConformanceCase } from "./case.js";
import { allgathervCases } from "./cases/allgatherv.js";
import { allreduceCases } from "./cases/allreduce.js";
import { barrierCases } from "./cases/barrier.js";
import { broadcastCases } from "./cases/broadcast.js";
import { closingCases } from "./cases/closing.js";
import { identityCases } from "./cases/identity.js";
import { misuseCases } from "./cases/misuse.js";
import { precedenceCases, precedenceWhenClosed } from "./cases/precedence.js";
import { regionCases } from "./cases/region.js";

/** Every sentence of the contract, for every backend and any number of ranks. */
export const TABLE: readonly ConformanceCase[] = [
  ...identityCases,
  ...barrierCases,
  ...broadcastCases,
  ...allreduceCases,
  ...allgathervCases,
  ...regionCases,
  ...precedenceCases,
  ...misuseCases,
];

/** What comes after everything else. */
export const LAST: readonly ConformanceCase[] = [...closingCases, precedenceWhenClosed];

/** Where groups are many or slow: who is there, what is shared. The random mix of all collectives follows it as it follows the table. */
export const SHORT_TABLE: readonly ConformanceCase[] = [...identityCases, ...regionCases];
