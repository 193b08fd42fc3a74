/** Holds a region of the given size and says what this process then uses of memory, in KiB. */
import { readFileSync } from "node:fs";
import { createCommunicator, HeapRegion } from "@cobre/comm";

const [kind, bytes] = [process.argv[2], Number(process.argv[3])];
const comm = await createCommunicator();
comm.barrier();
const before = memory();
const region =
  kind === "shared"
    ? comm.createSharedRegion(Float64Array, bytes / 8)
    : new HeapRegion(Float64Array, bytes / 8);
// Everybody touches everything: a page that is only reserved would not count.
const view = region.asMutSlice();
for (let i = comm.rank; i < view.length; i += comm.size) view[i] = i;
let sum = 0;
for (let i = 0; i < view.length; i += 512) sum += view[i] as number;
comm.barrier();
const after = memory();
comm.barrier();
// Used once more: what nobody needs any longer may have been freed before it was measured.
sum += view[0] as number;
const uses = { proportionalKiB: after.pss - before.pss, residentKiB: after.rss - before.rss };
console.log(JSON.stringify({ ...uses, sum: Number.isFinite(sum) }));
comm.close();

/** What this process has in memory, shared pages counted by its share of them and in full. */
function memory(): { pss: number; rss: number } {
  const text = readFileSync("/proc/self/smaps_rollup", "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]);
  return { pss: field("Pss"), rss: field("Rss") };
}
