/**
 * Runs where /dev/shm has room for the parts of some ranks but not of all. Without an argument: joins as two ranks, of which one has no room;
 * then, where there is more, starts two ranks of itself. With `rank`, it is such a rank, which asks for a region that only one of the two has room
 * for, and then for one that both have.
 */
import { fileURLToPath } from "node:url";
import { isBackendError, isCommError } from "@cobre/comm";
import { launch } from "@cobre/comm/launch";
import { ShmCommunicator } from "@cobre/comm/shm";

async function failureOf(action: () => unknown): Promise<unknown> {
  try {
    await action();
    return "no failure";
  } catch (error) {
    if (isCommError(error) || isBackendError(error)) return error;
    throw error;
  }
}

const [, , what] = process.argv;
if (what === "join") {
  const join = (rank: number) => ShmCommunicator.join({ name: "/short", rank, size: 2 });
  console.log(JSON.stringify(await Promise.all([0, 1].map((r) => failureOf(() => join(r))))));
} else if (what === "rank") {
  const { COBRE_SHM_NAME: name = "", COBRE_SHM_RANK: rank } = process.env;
  using comm = await ShmCommunicator.join({ name, rank: Number(rank), size: 2 });
  const failure = await failureOf(() => comm.createSharedRegion(Float64Array, 600_000));
  using small = comm.createSharedRegion(Float64Array, 250_000);
  if (comm.isLeader) small.asMutSlice().fill(1);
  small.fence();
  const stillWorks = small.asSlice().every((value) => value === 1);
  console.log(JSON.stringify({ failure, stillWorks }));
} else {
  const command = [process.execPath, fileURLToPath(import.meta.url), "rank"];
  const job = await launch({ ranks: 2, backend: "shm", command, output: "capture" });
  const { ranks } = await job.done;
  console.log(`[${ranks.map(({ stdout, stderr }) => stdout || JSON.stringify(stderr)).join()}]`);
}
