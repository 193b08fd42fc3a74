/** What the launcher tells the ranks of each backend. */
import assert from "node:assert/strict";
import { closeSync, fstatSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type LaunchPlan, parseLaunchBackend, planLaunch } from "#internal";

describe("launch: the name of a backend", () => {
  it("is one of the four, or auto", () => {
    for (const name of ["auto", "shm", "tcp", "mpi", "local"])
      assert.equal(parseLaunchBackend(name, "--backend"), name);
    for (const name of ["", "Shm", "toString"])
      assert.throws(() => parseLaunchBackend(name, "--backend"), {
        kind: "InvalidBackend",
        requested: name,
        message: /--backend/,
      });
  });
});

describe("launch: the plan of local", () => {
  it("is one rank, and no other number", async () => {
    const plan = await planLaunch("local", 1, {}, "none");
    assert.deepEqual(plan.environment(0), { COBRE_COMM_BACKEND: "local" });
    plan.close();
    for (const ranks of [0, 2])
      await assert.rejects(planLaunch("local", ranks, {}, "none"), {
        kind: "InvalidConfiguration",
        setting: "ranks",
        value: String(ranks),
      });
  });
});

describe("launch: the plan of shm, which auto stands for", () => {
  it("names the user's segment, another one for each job, and what killed ranks leave of it", async () => {
    const plans = [await planLaunch("shm", 3, {}, "none"), await planLaunch("auto", 3, {}, "none")];
    const names = plans.map((plan) => {
      const { COBRE_SHM_NAME: name = "", ...rest } = plan.environment(2);
      assert.equal(plan.backend, "shm");
      assert.deepEqual(rest, {
        COBRE_COMM_BACKEND: "shm",
        COBRE_SHM_RANK: "2",
        COBRE_SHM_SIZE: "3",
      });
      assert.match(name, new RegExp(`^/cobre-${process.getuid?.()}-[0-9a-f]{12}$`));
      assert.deepEqual(plan.leftovers, [
        `/dev/shm${name}`,
        join(tmpdir(), `cobre-shm-${name.slice(1)}`),
      ]);
      assert.equal(plan.environment(0).COBRE_SHM_NAME, name);
      plan.close();
      return name;
    });
    assert.notEqual(names[0], names[1]);
  });

  it("has the number of the user in its name, and 0 where users have none", async (t) => {
    const { getuid } = process;
    t.after(() => Object.assign(process, { getuid }));
    for (const [number, prefix] of [
      [() => 4711, "/cobre-4711-"],
      [undefined, "/cobre-0-"],
    ] as const) {
      Object.assign(process, { getuid: number });
      const { COBRE_SHM_NAME = "" } = (await planLaunch("shm", 1, {}, "none")).environment(0);
      assert.equal(COBRE_SHM_NAME.startsWith(prefix), true, COBRE_SHM_NAME);
    }
  });
});

describe("launch: the plan of tcp", () => {
  const isOpen = (descriptor: number) => {
    try {
      return fstatSync(descriptor).isSocket();
    } catch {
      return false;
    }
  };
  const listenerOf = (plan: LaunchPlan) => plan.descriptors?.(0)[0] ?? -1;

  it("gives rank 0 a listening socket, the others its address, and all a secret of the job", async () => {
    const plan = await planLaunch("tcp", 2, {}, "none");
    const {
      COBRE_TCP_TOKEN: token,
      COBRE_TCP_PORT: port,
      ...rest
    } = plan.environment(0) as Record<string, string>;
    assert.match(token ?? "", /^[0-9a-f]{32}$/);
    const common = { COBRE_COMM_BACKEND: "tcp", COBRE_TCP_SIZE: "2" };
    assert.deepEqual(rest, { ...common, COBRE_TCP_RANK: "0", COBRE_TCP_LISTEN_FD: "3" });
    assert.deepEqual(plan.environment(1), {
      ...common,
      COBRE_TCP_RANK: "1",
      COBRE_TCP_TOKEN: token,
      COBRE_TCP_PORT: port,
      COBRE_TCP_COORDINATOR: "127.0.0.1",
    });
    assert.deepEqual(plan.descriptors?.(1), []);
    assert.equal(isOpen(listenerOf(plan)), true);
    assert.ok(Number(port) > 1023, "a port that the system chose");
    plan.close();
    const another = await planLaunch("tcp", 2, {}, "none");
    assert.notEqual(another.environment(0).COBRE_TCP_TOKEN, token);
    another.close();
  });

  it("closes the socket once: when it has been handed over, or at the end", async () => {
    for (const ways of [["handedOver", "close"], ["close"]] as const) {
      const plan = await planLaunch("tcp", 1, {}, "none");
      const listener = listenerOf(plan);
      plan[ways[0]]?.();
      assert.equal(isOpen(listener), false);
      // Whatever gets the number next must not be closed for it.
      const opened: number[] = [];
      while (opened.at(-1) !== listener && opened.length < 100) {
        opened.push(openSync("/dev/null", "r"));
      }
      plan.close();
      assert.doesNotThrow(() => fstatSync(listener));
      for (const descriptor of opened) closeSync(descriptor);
    }
  });
});
