/** How a process finds its place: variables, Slurm, Kubernetes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tcp } from "@cobre/comm/tcp";
import { firstPod, firstSlurmNode, placeFromCluster } from "#internal";

describe("tcp: variables", () => {
  it("missing ones are all named at once, with an example", () => {
    assert.throws(() => tcp.configure({}), {
      kind: "MissingConfiguration",
      missing: ["COBRE_TCP_RANK", "COBRE_TCP_SIZE", "COBRE_TCP_COORDINATOR"],
      message: /COBRE_TCP_COORDINATOR=node1 COBRE_TCP_RANK=1 COBRE_TCP_SIZE=4/,
    });
  });

  it("rank 0 needs no coordinator", () => {
    const { rank, size } = tcp.configure({ COBRE_TCP_RANK: "0", COBRE_TCP_SIZE: "2" });
    assert.deepEqual({ rank, size }, { rank: 0, size: 2 });
  });

  it("what does not parse is named as the variable it is", () => {
    const env = { COBRE_TCP_RANK: "0", COBRE_TCP_SIZE: "2", COBRE_TCP_PORT: "http" };
    const expected = { kind: "InvalidConfiguration", setting: "COBRE_TCP_PORT", value: "http" };
    assert.throws(() => tcp.configure(env), expected);
  });
});

describe("tcp: in a cluster", () => {
  it("Slurm fills in rank, size and coordinator", () => {
    const env = { SLURM_PROCID: "5", SLURM_NTASKS: "8", SLURM_NODELIST: "node[03-08,12],gpu1" };
    const { rank, size, coordinator } = tcp.configure(env);
    assert.deepEqual({ rank, size, coordinator }, { rank: 5, size: 8, coordinator: "node03" });
  });

  it("what is said by our own variables counts more", () => {
    const env = { SLURM_PROCID: "5", SLURM_NTASKS: "8", SLURM_NODELIST: "a,b" };
    const ours = { COBRE_TCP_RANK: "1", COBRE_TCP_SIZE: "2", COBRE_TCP_COORDINATOR: "c:7000" };
    const { rank, size, coordinator } = tcp.configure({ ...env, ...ours });
    assert.deepEqual({ rank, size, coordinator }, { rank: 1, size: 2, coordinator: "c:7000" });
  });

  for (const [list, first] of [
    ["node1", "node1"],
    ["node1,node2", "node1"],
    ["node[1-4]", "node1"],
    ["node[007,009-011]", "node007"],
    ["rack[1-2]n[3-4],x", "rack1n3"],
    ["login-a,node[1-4]", "login-a"],
  ] as const) {
    it(`the first node of ${list} is ${first}`, () => assert.equal(firstSlurmNode(list), first));
  }

  it("a Kubernetes indexed job fills in rank and coordinator", () => {
    const place = placeFromCluster({ JOB_COMPLETION_INDEX: "3" }, "train-3");
    assert.deepEqual(place, { rank: 3, coordinator: "train-0" });
    const full = "train-3.svc.default.svc.cluster.local";
    assert.equal(firstPod("train-3", "3", full), "train-0.svc.default.svc.cluster.local");
    assert.equal(firstPod("other", "3", "other"), undefined);
  });
});
