/** Holds a region of the given size and says what this process then uses of memory, in KiB. */
import { createCommunicator, LocalCommunicator } from "@cobre/comm";
import { memoryInUse } from "../memory-in-use.js";

const [kind, bytes] = [process.argv[2], Number(process.argv[3])];
const comm = await createCommunicator();
comm.barrier();
const before = memoryInUse();
const region =
  kind === "shared"
    ? comm.createSharedRegion(Float64Array, bytes / 8)
    : new LocalCommunicator().createSharedRegion(Float64Array, bytes / 8);
// Everybody touches everything: a page that is only reserved would not count.
const view = region.asMutSlice();
for (let i = comm.rank; i < view.length; i += comm.size) view[i] = i;
let sum = 0;
for (let i = 0; i < view.length; i += 512) sum += view[i] as number;
comm.barrier();
const after = memoryInUse();
comm.barrier();
// Used once more: what nobody needs any longer may have been freed before it was measured.
sum += view[0] as number;
const uses = {
  proportionalKiB: after.pssKiB - before.pssKiB,
  residentKiB: after.rssKiB - before.rssKiB,
};
console.log(JSON.stringify({ ...uses, sum: Number.isFinite(sum) }));
comm.close();
