/** How the kernel treats the connections of ranks, as it says itself. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import type { SocketOptions } from "./socket-options-rank.js";

const PROGRAM = fileURLToPath(new URL("./socket-options-rank.js", import.meta.url));
const RANKS = 3;

/** Small messages leave at once; a machine that is silent for so many seconds is gone. */
function expected(silenceSecs: number): SocketOptions {
  return {
    noDelay: 1,
    keepAlive: 1,
    // The first question after four sevenths, three more until the end: 60, 75, 90, 105 s.
    keepIdle: Math.round((silenceSecs * 4) / 7),
    keepInterval: Math.round(silenceSecs / 7),
    keepCount: 3,
    userTimeout: silenceSecs * 1000,
  };
}

describe("tcp: options of connections", () => {
  for (const [title, env, silenceSecs] of [
    ["links through the network", { COBRE_TCP_LINKS: "network" }, 105],
    ["no links, another silence", { COBRE_TCP_LINKS: "0", COBRE_TCP_SILENCE_SECS: "42" }, 42],
  ] as const) {
    it(`${title}: no delay, questions to a silent machine, a limit for what is on the way`, async () => {
      const job = await launch({
        ranks: RANKS,
        backend: "tcp",
        command: [process.execPath, PROGRAM],
        env,
        output: "capture",
        timeoutSecs: 60,
      });
      const { code, ranks } = await job.done;
      assert.equal(code, 0, ranks.map(({ stderr }) => stderr).join("\n"));
      for (const { rank, stdout } of ranks) {
        const connections = JSON.parse(stdout) as SocketOptions[];
        // Without links a worker has one connection, to rank 0; with them one more to every rank.
        const least = env.COBRE_TCP_LINKS === "0" && rank !== 0 ? 1 : RANKS - 1;
        assert.ok(connections.length >= least, `rank ${rank} has ${connections.length}`);
        for (const connection of connections) assert.deepEqual(connection, expected(silenceSecs));
      }
    });
  }
});
