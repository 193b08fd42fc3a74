/**
 * Makes a region, touches all of it, closes it while a view is left, then drops the view. Says what this process used of memory at each
 * step. It comes to its end only when the memory has gone back. Needs --expose-gc.
 */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { setImmediate as turn } from "node:timers/promises";
import { type CommArray, createCommunicator, type ReadonlySlice } from "@cobre/comm";
import { memoryInUse } from "../memory-in-use.js";

/** What a rank says at its end. */
export interface Returned {
  /** What the region has taken: as long as it was open, as long as there was a view, at the end. */
  readonly openMiB: number;
  readonly viewedMiB: number;
  readonly endMiB: number;
  readonly viewIsReadable: boolean;
  readonly newDescriptors: number;
  readonly files: readonly string[];
}

const BYTES = Number(process.argv[2]);
const ELEMENTS = BYTES / 8;

/** V8's own memory comes and goes by some 10 MiB. A region that has gone back is told by far more than that. */
const SLACK_MIB = BYTES / 2 ** 20 / 4;

/** Views by name, so that each can be dropped for certain. */
const kept: { view?: ReadonlySlice<CommArray> } = {};

const comm = await createCommunicator();
// Made once before: what is loaded with the first region stays.
await collect(() => comm.createSharedRegion(Float64Array, 512).close());
const descriptors = openDescriptors();
const before = residentMiB();
let openMiB = 0;
await collect(() => {
  const region = comm.createSharedRegion(Float64Array, ELEMENTS);
  region.asMutSlice().fill(1);
  region.fence();
  openMiB = residentMiB() - before;
  kept.view = region.asSlice();
  region.close();
});
const viewedMiB = residentMiB() - before;
const viewIsReadable = kept.view?.[ELEMENTS - 1] === 1;
delete kept.view;
let endMiB = residentMiB() - before;
while (endMiB > SLACK_MIB) {
  await collect(() => {});
  endMiB = residentMiB() - before;
}
comm.barrier();
const said: Returned = {
  openMiB,
  viewedMiB,
  endMiB,
  viewIsReadable,
  newDescriptors: openDescriptors() - descriptors,
  files: readdirSync(tmpdir()).filter((name) => name.startsWith("cobre-region-")),
};
process.stdout.write(`${JSON.stringify(said)}\n`);
comm.close();

/** Does something whose garbage is collected after it. */
async function collect(action: () => void): Promise<void> {
  action();
  for (let i = 0; i < 3; i++) {
    await turn();
    globalThis.gc?.();
  }
}

function residentMiB(): number {
  return memoryInUse().rssKiB / 1024;
}

function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}
