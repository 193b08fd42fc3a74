/** Configurations that are refused, by name. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCommunicator } from "@cobre/comm";
import { ShmCommunicator } from "@cobre/comm/shm";

describe("shm: what cannot be configured", () => {
  const good = { name: "/cobre-never-made", rank: 0, size: 2, timeoutSecs: 1 };

  for (const [change, setting] of [
    [{ name: "no-slash" }, "name"],
    [{ name: "/two/slashes" }, "name"],
    [{ name: "/" }, "name"],
    [{ name: "/.." }, "name"],
    [{ name: "" }, "name"],
    [{ name: `/${"x".repeat(255)}` }, "name"],
    [{ name: 7 }, "name"],
    [{ rank: 2 }, "rank"],
    [{ rank: -1 }, "rank"],
    [{ rank: 0.5 }, "rank"],
    [{ size: 0 }, "size"],
    [{ size: 1_000_000 }, "size"],
    [{ size: Number.NaN }, "size"],
    [{ timeoutSecs: 0 }, "timeoutSecs"],
    [{ timeoutSecs: Number.NaN }, "timeoutSecs"],
  ] as const) {
    it(`${JSON.stringify(change).slice(0, 60)}`, async () => {
      const config = { ...good, ...change } as typeof good;
      await assert.rejects(ShmCommunicator.join(config), {
        kind: "InvalidConfiguration",
        backend: "shm",
        setting,
      });
    });
  }

  it("missing fields are all named at once", async () => {
    await assert.rejects(ShmCommunicator.join({} as typeof good), {
      kind: "MissingConfiguration",
      missing: ["name", "rank", "size"],
    });
    await assert.rejects(createCommunicator({ kind: "shm", config: {} as typeof good }), {
      kind: "MissingConfiguration",
    });
  });

  it("variables are named as variables", async () => {
    const saved = { ...process.env };
    try {
      process.env.COBRE_SHM_NAME = "/cobre-x";
      await assert.rejects(createCommunicator(), {
        kind: "MissingConfiguration",
        missing: ["COBRE_SHM_RANK", "COBRE_SHM_SIZE"],
      });
      process.env.COBRE_SHM_RANK = "1e0";
      process.env.COBRE_SHM_SIZE = "2";
      await assert.rejects(createCommunicator(), {
        kind: "InvalidConfiguration",
        setting: "COBRE_SHM_RANK",
        value: "1e0",
      });
      process.env.COBRE_SHM_RANK = "2";
      await assert.rejects(createCommunicator(), { setting: "COBRE_SHM_RANK", value: "2" });
      process.env.COBRE_SHM_RANK = "0";
      process.env.COBRE_SHM_TIMEOUT_SECS = "soon";
      await assert.rejects(createCommunicator(), { setting: "COBRE_SHM_TIMEOUT_SECS" });
    } finally {
      process.env = saved;
    }
  });
});
