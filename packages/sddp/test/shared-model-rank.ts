/** A rank that puts the case `argv[2]` into shared memory and prints which of its arrays follow what the leader writes. */
import { createCommunicator } from "@cobre/comm";
import { studyTables } from "@cobre/core";
import { CutPool } from "@cobre/sddp";
import { SharedCutMemory, shareModel } from "#internal";
import { caseNamed } from "./cases.js";

const comm = await createCommunicator();
const source = await caseNamed(process.argv[2] ?? "");
using model = shareModel(comm, source);
const arrays: Record<string, Float64Array> = {
  tree: model.tree.values,
  inflow: model.inflow.values,
  load: model.load.values,
};
studyTables(model.study).forEach((table, i) => {
  if (table.values.length > 0) arrays[`table ${i}`] = table.values;
});
// Only the leader writes a cut. Twenty of them need a second piece.
using memory = new SharedCutMemory(comm);
const pool = new CutPool(1, memory);
for (let i = 0; i < 20; i++) {
  if (memory.isWriter) pool.add(1, i, i + 0.5, Float64Array.of(-i));
  else pool.addUnwritten(1, i);
}
memory.fence();
const cuts = pool
  .packedValues()
  .every((value, i) => value === (i % 2 === 0 ? i / 2 + 0.5 : -(i - 1) / 2));

const WRITTEN = 123.5;
comm.barrier();
if (comm.isLeader) for (const array of Object.values(arrays)) array.fill(WRITTEN);
comm.barrier();
const same = Object.entries(arrays).map(([name, array]) => [
  name,
  array.every((value) => value === WRITTEN),
]);
same.push(["cuts", cuts]);
console.log(JSON.stringify({ isLeader: comm.isLeader, same: Object.fromEntries(same) }));
comm.barrier();
comm.close();
