/** A coordinator that has no file descriptor left for a connection. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline/promises";
import { afterEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type Answer, killAll, startRank } from "../by-hand.js";
import { freePort } from "../free-port.js";
import { connectStranger, endStrangers } from "./stranger.js";

const LOOPBACK = "127.0.0.1";
const STARVED_RANK = fileURLToPath(new URL("./starved-rank.js", import.meta.url));

/** Runs a command that may have 100 files open. */
const FEW_FILES = ["bash", "-c", 'ulimit -n 100; exec "$@"', "few-files"];

afterEach(async () => {
  endStrangers();
  await killAll();
});

describe("tcp: too many open files", { timeout: 120_000 }, () => {
  it("strangers that take all descriptors make way for the ranks", async () => {
    const port = await freePort();
    const common = { size: 2, port, token: "secret" };
    const config = { ...common, rank: 0, bindAddress: LOOPBACK };
    const first = startRank({ kind: "tcp", config }, FEW_FILES).answer;
    for (let i = 0; i < 150; i++) await connectStranger(port);
    const worker = { ...common, rank: 1, coordinator: LOOPBACK };
    const second = startRank({ kind: "tcp", config: worker }).answer;
    assert.deepEqual(await Promise.all([first, second]), [{ joined: 2 }, { joined: 2 }]);
  });

  it("rank 0 says so at once if nobody can make way", async () => {
    const port = await freePort();
    const [command = "", ...args] = [...FEW_FILES, process.execPath, STARVED_RANK, String(port)];
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, "starved");
    // As long as nobody comes, nothing is wrong. Rank 0 may be gone before this connection knows that it was made.
    const visitor = connect(port, LOOPBACK).on("error", () => {});
    const error: Answer["error"] = JSON.parse((await lines.next()).value);
    assert.equal(error?.kind, "InitializationFailed");
    assert.deepEqual(error?.missingRanks, [1]);
    assert.match(error?.message ?? "", /accept: EMFILE.*1 of 2 ranks have joined.*ulimit -n/);
    if (child.exitCode === null) await once(child, "exit");
    visitor.destroy();
  });
});
