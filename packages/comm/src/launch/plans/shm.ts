import { randomBytes } from "node:crypto";
import { segmentPath } from "../../memory/temporary-files.js";
import { LONG_COPIES } from "../c-library.js";
import type { LaunchPlan } from "../plan.js";

/** Ranks that meet in a segment with a random name, so that no other job uses it. */
export function planShm(ranks: number): LaunchPlan {
  const name = `/cobre-${process.getuid?.() ?? 0}-${randomBytes(6).toString("hex")}`;
  return {
    backend: "shm",
    environment: (rank) => ({
      COBRE_COMM_BACKEND: "shm",
      COBRE_SHM_NAME: name,
      COBRE_SHM_RANK: String(rank),
      COBRE_SHM_SIZE: String(ranks),
    }),
    tunings: [LONG_COPIES],
    // The name is removed as soon as all ranks have joined. Ranks killed before that leave it
    // behind.
    leftovers: [`/dev/shm${name}`, segmentPath(name)],
    close: () => {},
  };
}
