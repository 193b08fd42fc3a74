/**
 * Without an argument: starts two ranks of itself. With one, it is such a rank, which gathers very long pieces twice and looks at them. Where
 * /dev/shm has no room for long parts, they must go through the slots.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import { ShmCommunicator } from "@cobre/comm/shm";

const LENGTH = 3_000_000;

if (process.argv[2] === undefined) {
  const command = [process.execPath, fileURLToPath(import.meta.url), "rank"];
  const job = await launch({ ranks: 2, backend: "shm", command, timeoutSecs: 60 });
  process.exitCode = (await job.done).code;
} else {
  const { COBRE_SHM_NAME: name = "", COBRE_SHM_RANK: rank } = process.env;
  using comm = await ShmCommunicator.join({ name, rank: Number(rank), size: 2 });
  const recv = new Float64Array(2 * LENGTH);
  for (const turn of [1, 2]) {
    const send = new Float64Array(LENGTH).map((_, i) => turn * (i + comm.rank));
    comm.allgatherv(send, recv, [LENGTH, LENGTH], [0, LENGTH]);
    const wrong = recv.findIndex((value, i) => value !== turn * (i < LENGTH ? i : i - LENGTH + 1));
    assert.equal(wrong, -1);
  }
}
