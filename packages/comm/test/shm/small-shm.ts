/** Runs where /dev/shm has 1 MB: what creating a group, and a region in a group of one, says. */
import { isBackendError, isCommError } from "@cobre/comm";
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

const segment = await failureOf(() => ShmCommunicator.join({ name: "/big", rank: 0, size: 4 }));
using alone = await ShmCommunicator.join({ name: "/small", rank: 0, size: 1 });
const region = await failureOf(() => alone.createSharedRegion(Float64Array, 1_000_000));
using small = alone.createSharedRegion(Float64Array, 100);
small.asMutSlice().fill(1);
console.log(JSON.stringify({ segment, region, stillWorks: small.asSlice()[99] === 1 }));
