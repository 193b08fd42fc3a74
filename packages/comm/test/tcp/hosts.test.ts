/** Ranks on two machines, and a cable between them that is cut. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { inScope, runsQuick } from "@cobre/testing/scope";
import { killAll, startRank, until } from "../by-hand.js";
import type { Said, Scenario } from "../faults/scenario.js";
import { ADDRESSES, DEAD_ADDRESS, type Host, NoNamespaces, TwoHosts } from "./two-hosts.js";

const FAULT_RANK = fileURLToPath(new URL("../faults/rank.js", import.meta.url));
const TIMEOUT_SECS = 4;

let machines: TwoHosts | undefined;
const children: ChildProcess[] = [];

/** Two machines, if that can be had here; otherwise the test is skipped. */
function twoHosts(t: TestContext, hostsFile = ""): TwoHosts | undefined {
  try {
    machines = new TwoHosts(hostsFile);
    return machines;
  } catch (error) {
    if (!(error instanceof NoNamespaces)) throw error;
    t.skip(`needs two machines: ${error.message}`);
    return undefined;
  }
}

describe("tcp: two machines", () => {
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await killAll();
    machines?.close();
    machines = undefined;
  });

  for (const operation of inScope({
    quick: ["allreduce", "broadcast"],
    rest: ["barrier", "allgatherv"],
  } as const)) {
    it(`the cable is cut during ${operation}: every rank says so within the deadline`, async (t) => {
      const found = twoHosts(t);
      if (found === undefined) return;
      const [here, there] = found.hosts;
      const scenario: Scenario = { kind: "loop", operation, bytes: 300_000 };
      const ranks = [here, here, there, there].map((host, rank) => play(host, rank, 4, scenario));
      await until(() => ranks.every(({ said }) => said.some((line) => line.said === "ready")));
      found.cut();
      const cutAt = Date.now();
      await until(() => ranks.every(({ said }) => said.some((line) => line.said === "failed")));
      for (const [rank, { said }] of ranks.entries()) {
        const failed = said.find((line) => line.said === "failed");
        assert.ok(failed !== undefined);
        assert.equal(failed.error.kind, "CollectiveFailed");
        // Each side misses ranks of the other, and never one of its own.
        const missing = failed.error.missingRanks as number[];
        assert.ok(missing.length > 0);
        const across = rank < 2 ? [2, 3] : [0, 1];
        assert.ok(
          missing.every((r) => across.includes(r)),
          `rank ${rank} misses ${missing}`,
        );
        t.diagnostic(`rank ${rank} after ${failed.at - cutAt} ms misses ${missing}`);
      }
    });
  }

  // Idle connections are found by questions, those with data on the way by a limit of their own.
  for (const operation of inScope({ quick: ["broadcast"], rest: ["barrier"] } as const)) {
    it(`the cable is cut during ${operation} and there is no limit: silence gives it away`, async (t) => {
      const found = twoHosts(t);
      if (found === undefined) return;
      const scenario: Scenario = { kind: "loop", operation, bytes: 2_500_000 };
      const limits = { COBRE_TCP_TIMEOUT_SECS: "none", COBRE_TCP_SILENCE_SECS: "5" };
      const ranks = found.hosts.map((host, rank) => play(host, rank, 2, scenario, limits));
      await until(() => ranks.every(({ said }) => said.some((line) => line.said === "ready")));
      found.cut();
      await until(() => ranks.every(({ said }) => said.some((line) => line.said === "failed")));
      for (const [rank, { said }] of ranks.entries()) {
        const failed = said.find((line) => line.said === "failed");
        assert.deepEqual(failed?.error.missingRanks, [1 - rank]);
        assert.match(String(failed?.error.message), /its machine cannot be reached/);
      }
    });
  }

  if (!runsQuick) return;

  it("a name with several addresses, of which the first is dead", async (t) => {
    const names = `${DEAD_ADDRESS} coordinator\n${ADDRESSES[0]} coordinator\n`;
    const found = twoHosts(t, names);
    if (found === undefined) return;
    const [here, there] = found.hosts;
    const common = { size: 3, token: "secret" };
    const join = (host: Host, rank: number) =>
      startRank({ kind: "tcp", config: { ...common, rank, coordinator: "coordinator" } }, host)
        .answer;
    const answers = await Promise.all([join(here, 0), join(there, 1), join(there, 2)]);
    assert.deepEqual(answers, new Array(3).fill({ joined: 3 }));
  });
});

/** Starts a rank of a fault test on a machine. */
function play(
  host: Host,
  rank: number,
  size: number,
  scenario: Scenario,
  limits: Readonly<Record<string, string>> = { COBRE_TCP_TIMEOUT_SECS: String(TIMEOUT_SECS) },
): { said: Said[] } {
  const [command, ...args] = [...host, process.execPath, FAULT_RANK, JSON.stringify(scenario)];
  const child = spawn(command as string, args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      ...process.env,
      COBRE_COMM_BACKEND: "tcp",
      COBRE_TCP_COORDINATOR: ADDRESSES[0],
      COBRE_TCP_RANK: String(rank),
      COBRE_TCP_SIZE: String(size),
      COBRE_TCP_TOKEN: "secret",
      ...limits,
    },
  });
  children.push(child);
  const said: Said[] = [];
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += chunk;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("{")) said.push(JSON.parse(line) as Said);
  });
  return { said };
}
