/** How processors are divided, on machines as their /sys describes them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  bindingArguments,
  formatProcessors,
  parseProcessors,
  planBinding,
  type ReadSystemFile,
  readTopology,
  wishedBind,
} from "#internal";

/**
 * Files below /sys/devices/system as machines have them: the hyper-threads of each processor's
 * core, and the processors of each memory node.
 */
function machine(siblings: readonly string[], nodes: readonly string[]): ReadSystemFile {
  const files = new Map<string, string>([
    ["cpu/online", `0-${siblings.length - 1}\n`],
    ["node/online", nodes.length === 1 ? "0\n" : `0-${nodes.length - 1}\n`],
  ]);
  siblings.forEach((list, i) => {
    files.set(`cpu/cpu${i}/topology/thread_siblings_list`, `${list}\n`);
  });
  nodes.forEach((list, i) => {
    files.set(`node/node${i}/cpulist`, `${list}\n`);
  });
  return (path) => files.get(path);
}

const alone = (count: number) => Array.from({ length: count }, (_, i) => String(i));

/** Recorded: a desktop, a notebook, servers of two makes, and a machine that hides everything. */
const MACHINES = {
  "8 cores": machine(alone(8), ["0-7"]),
  // Hyper-threads of a core are numbered half the machine apart, as on Intel servers.
  "4 cores with hyper-threads": machine(
    ["0,4", "1,5", "2,6", "3,7", "0,4", "1,5", "2,6", "3,7"],
    ["0-7"],
  ),
  // Hyper-threads of a core are neighbours, as on many AMD and virtual machines.
  "4 cores with neighbouring hyper-threads": machine(
    ["0-1", "0-1", "2-3", "2-3", "4-5", "4-5", "6-7", "6-7"],
    ["0-7"],
  ),
  "two memory nodes of 4 cores": machine(alone(8), ["0-3", "4-7"]),
  "two memory nodes, numbered in turn, with hyper-threads": machine(
    ["0,4", "1,5", "2,6", "3,7", "0,4", "1,5", "2,6", "3,7"],
    ["0,2,4,6", "1,3,5,7"],
  ),
  "a node without processors": machine(alone(4), ["0-3", ""]),
  "a machine without /sys": (() => undefined) as ReadSystemFile,
} as const;

type Line = readonly [
  machine: keyof typeof MACHINES,
  allowed: string,
  ranks: number,
  expected: string | undefined,
];

const TABLE: readonly Line[] = [
  ["8 cores", "0-7", 1, undefined],
  ["8 cores", "0-7", 2, "0-3 4-7"],
  ["8 cores", "0-7", 3, "0-1 2-4 5-7"],
  ["8 cores", "0-7", 8, "0 1 2 3 4 5 6 7"],
  ["8 cores", "0-7", 9, undefined],
  // A cgroup, or taskset, that leaves three.
  ["8 cores", "2-3,5", 2, "2 3,5"],
  ["8 cores", "2-3,5", 3, "2 3 5"],
  ["8 cores", "2-3,5", 4, undefined],
  ["4 cores with hyper-threads", "0-7", 2, "0-1,4-5 2-3,6-7"],
  ["4 cores with hyper-threads", "0-7", 4, "0,4 1,5 2,6 3,7"],
  ["4 cores with hyper-threads", "0-7", 8, "0 4 1 5 2 6 3 7"],
  ["4 cores with hyper-threads", "0-3", 2, "0-1 2-3"],
  ["4 cores with neighbouring hyper-threads", "0-7", 2, "0-3 4-7"],
  ["4 cores with neighbouring hyper-threads", "0-7", 3, "0-1 2-3 4-7"],
  ["two memory nodes of 4 cores", "0-7", 2, "0-3 4-7"],
  // Three equal parts would give one rank cores of both nodes.
  ["two memory nodes of 4 cores", "0-7", 3, "0-1 2-3 4-7"],
  ["two memory nodes of 4 cores", "0-7", 4, "0-1 2-3 4-5 6-7"],
  // A cgroup of three across the nodes.
  ["two memory nodes of 4 cores", "2-4", 2, "2-3 4"],
  ["two memory nodes of 4 cores", "2-4", 3, "2 3 4"],
  ["two memory nodes, numbered in turn, with hyper-threads", "0-7", 2, "0,2,4,6 1,3,5,7"],
  ["two memory nodes, numbered in turn, with hyper-threads", "0-7", 4, "0,4 2,6 1,5 3,7"],
  ["a node without processors", "0-3", 2, "0-1 2-3"],
  ["a machine without /sys", "0-3", 2, "0-1 2-3"],
];

const setOf = (list: string) => parseProcessors(list) ?? [];
const listed = (binding: readonly (readonly number[])[] | undefined) =>
  binding?.map(formatProcessors).join(" ");

describe("dividing processors", () => {
  for (const [name, allowed, ranks, expected] of TABLE) {
    const what = expected === undefined ? "binds nobody" : `gives ${expected}`;
    it(`${name}, of which ${allowed} may be used, ${ranks} ranks: ${what}`, () => {
      const binding = planBinding("auto", ranks, setOf(allowed), MACHINES[name]);
      assert.equal(listed(binding), expected);
    });
  }

  it("gives two ranks whole nodes if there are more nodes than ranks", () => {
    const four = machine(alone(8), ["0-1", "2-3", "4-5", "6-7"]);
    assert.equal(listed(planBinding("auto", 3, setOf("0-7"), four)), "0-1 2-3 4-7");
    assert.equal(readTopology(setOf("0-7"), four).nodes.length, 4);
  });
});

describe("--bind", () => {
  const plan = (bind: string, ranks: number) =>
    listed(planBinding(bind, ranks, setOf("0-5"), MACHINES["8 cores"]));

  it("divides a list, or lets all use it if it is too short", () => {
    assert.equal(plan("2-5", 2), "2-3 4-5");
    assert.equal(plan("2", 2), "2 2");
    assert.equal(plan("0-1", 1), "0-1");
  });

  it("takes a list for each rank", () => {
    assert.equal(plan("0-2/2-3", 2), "0-2 2-3");
  });

  it("binds nobody if it is none", () => {
    assert.equal(plan("none", 2), undefined);
  });

  it("refuses what cannot be meant, with the reason", () => {
    const refused = (bind: string, ranks: number, message: RegExp) =>
      assert.throws(() => plan(bind, ranks), { kind: "InvalidArgument", message });
    refused("all", 2, /"all" must be "auto", "none", or processors/);
    refused("0/1/2", 2, /processors for 3 ranks, but there are 2/);
    refused("0-7", 2, /processors 6-7, but this process may only use 0-5/);
    refused("0/7", 2, /processor 7,/);
  });

  it("is taken from the option, then the variable, then the default", () => {
    assert.equal(wishedBind("0-1", { COBRE_LAUNCH_BIND: "none" }), "0-1");
    assert.equal(wishedBind(undefined, { COBRE_LAUNCH_BIND: "none" }), "none");
    assert.equal(wishedBind(undefined, { COBRE_LAUNCH_BIND: "" }), wishedBind(undefined, {}));
  });
});

describe("mpirun's own binding", () => {
  it("gives each rank as many cores as there are for it", () => {
    const openmpi = { file: "mpirun", family: "openmpi" } as const;
    const hydra = { file: "mpiexec", family: "hydra" } as const;
    const words = (...[mpirun, version, each]: Parameters<typeof bindingArguments>) =>
      bindingArguments(mpirun, version, each).join(" ");
    assert.equal(words(openmpi, "Open MPI v4.1.4", 4), "--map-by slot:PE=4 --bind-to core");
    assert.equal(words(openmpi, "Open MPI v4.1.4", 0), "--bind-to none");
    assert.equal(words(hydra, "MPICH Version: 4.0.2", 2), "-bind-to core:2");
    assert.equal(words(hydra, "MPICH Version: 4.0.2", 0), "");
    assert.equal(words(hydra, "Intel(R) MPI Library 2021", 2), "");
  });
});
