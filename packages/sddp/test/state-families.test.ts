/** A case whose state has every family: policies name them, go on from them, and are the same on any number of ranks. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { LocalCommunicator } from "@cobre/comm";
import { launch } from "@cobre/comm/launch";
import type { Case } from "@cobre/io";
import {
  decodePolicy,
  encodePolicy,
  hashPolicy,
  type Policy,
  type SddpEvent,
  simulate,
  train,
} from "@cobre/sddp";
import { inScope } from "@cobre/testing/scope";
import { caseNamed, changed } from "./cases.js";
import {
  arcsOf,
  furthestOf,
  generateSystem,
  isSplitPlant,
  lagsOf,
  type SmallSystem,
  withoutLaterFeatures,
  writeCase,
} from "./oracle/index.js";

const RANK = fileURLToPath(new URL("rank.js", import.meta.url));
const SIZE = { iterations: 6, forwardPasses: 3 } as const;

/** The first system with everything that links stages, and with units on several buses. */
function systemWithAll(): SmallSystem {
  for (let seed = 1; seed < 20_000; seed++) {
    const system = generateSystem(seed);
    const { thermals, hydros, boundary } = system;
    const hasAll =
      boundary === null &&
      lagsOf(system) > 0 &&
      arcsOf(system).length > 0 &&
      thermals.some((thermal) => furthestOf(system, thermal) > 1) &&
      hydros.some(({ filling }) => filling !== null) &&
      hydros.some(isSplitPlant);
    if (hasAll) return system;
  }
  throw new Error("no system has all of it");
}

const folder = mkdtempSync(join(tmpdir(), "cobre-families-"));
after(() => rmSync(folder, { recursive: true }));
let source: Case;
let trained: Policy;
before(async () => {
  writeCase(systemWithAll(), join(folder, "all"));
  writeCase(withoutLaterFeatures(systemWithAll()), join(folder, "without"));
  source = changed(await caseNamed(join(folder, "all")), SIZE);
  using comm = new LocalCommunicator();
  trained = (await train(comm, source)).policy;
});

describe("a policy of a case with every family of states", () => {
  it("names them by family, entity and how many stages ahead", () => {
    const { components = [], hydroIds, lags } = trained.origin;
    assert.equal(components.length, trained.points.dimension);
    const families = components.map(({ family }) => family);
    assert.deepEqual([...new Set(families)], ["storage", "inflow_lag", "in_transit", "commitment"]);
    const others = components.slice(hydroIds.length * (1 + lags));
    for (const { family, entityType, ahead, unit } of others) {
      const expected = family === "in_transit" ? ["hydro", "hm3"] : ["thermal", "MW"];
      assert.deepEqual([entityType, unit], expected);
      assert.ok((ahead ?? 0) >= 1);
    }
    const { study } = source;
    const dimension = study.travel.states.length + study.commitments.states.length;
    assert.equal(others.length, dimension);
  });

  it("goes through a file to the same bits", async () => {
    using comm = new LocalCommunicator();
    const read = decodePolicy(encodePolicy(trained), "policy");
    assert.deepEqual(read.origin, trained.origin);
    assert.deepEqual(hashPolicy(read), hashPolicy(trained));
    const simulated = await simulate(comm, source, trained, { scenarios: 8 });
    assert.equal((await simulate(comm, source, read, { scenarios: 8 })).hash, simulated.hash);
  });

  it("is resumed to the bits of one that was never interrupted", async () => {
    using comm = new LocalCommunicator();
    let asked = 0;
    const stopped = await train(comm, source, { isInterrupted: () => ++asked === 3 });
    assert.equal(stopped.policy.iteration, 3);
    const resume = decodePolicy(encodePolicy(stopped.policy), "policy");
    const { policy } = await train(comm, source, { resume });
    assert.deepEqual(hashPolicy(policy), hashPolicy(trained));
  });

  it("is a warm start whose cuts are all valid", async () => {
    using comm = new LocalCommunicator();
    let foreign: readonly number[] | undefined;
    const onEvent = (event: SddpEvent) => {
      if (event.type === "training_started") foreign = event.foreignStageIds;
    };
    const { policy } = await train(comm, source, { warmStart: trained, onEvent });
    assert.deepEqual([foreign, policy.boundCaveats], [[], []]);
  });

  it("is refused where the state is another one, with the names of the difference", async () => {
    using comm = new LocalCommunicator();
    const other = changed(await caseNamed(join(folder, "without")), SIZE);
    await assert.rejects(
      train(comm, other, { warmStart: trained }),
      /another case: .*other states in_transit of hydro \d+, 1 ahead.*commitment of thermal \d+, 1 ahead.* instead of none/,
    );
    await assert.rejects(
      train(comm, other, { boundary: { policy: trained, sourceStage: 0 } }),
      /its other states are in_transit of hydro \d+, 1 ahead.*but those of this case none; set policy\.boundary\.path/,
    );
  });

  it("is damaged if a component is none that can be", () => {
    const changedTo = (change: (component: Record<string, unknown>) => void) => {
      const origin = structuredClone(trained.origin);
      change(origin.components?.at(-1) as unknown as Record<string, unknown>);
      return () => decodePolicy(encodePolicy({ ...trained, origin }), "policy");
    };
    assert.throws(
      changedTo((component) => {
        component.family = "snow";
      }),
      /origin\.components\[\d+\]\.family is none of in_transit, commitment/,
    );
    assert.throws(
      changedTo((component) => {
        component.ahead = -1;
      }),
      /origin\.components\[\d+\]\.ahead is negative/,
    );
    assert.throws(
      changedTo((component) => {
        component.unit = "hm3";
      }),
      /origin\.components\[\d+\]\.unit is not MW/,
    );
  });

  for (const [backend, ranks] of inScope<readonly ["shm" | "tcp", number]>({
    quick: [["shm", 2]],
    rest: [
      ["tcp", 2],
      ["shm", 3],
    ],
  })) {
    it(`is the same on ${ranks} ranks of ${backend}`, async () => {
      using comm = new LocalCommunicator();
      const { hash } = await simulate(comm, source, trained, { scenarios: 5 });
      const run = `${join(folder, "all")}:${SIZE.forwardPasses}:${SIZE.iterations}`;
      await using job = await launch({
        ranks,
        backend,
        command: [process.execPath, RANK, "highs-wasm", run],
        output: "capture",
      });
      const { code, ranks: ended } = await job.done;
      assert.equal(code, 0, ended.map(({ stderr }) => stderr).join("\n"));
      const { hashes } = JSON.parse((ended[0]?.stdout ?? "").trim());
      assert.deepEqual(hashes, { ...hashPolicy(trained), simulation: hash });
    });
  }
});
