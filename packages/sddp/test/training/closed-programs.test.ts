/** No program of the solver outlives training. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { train } from "@cobre/sddp";
import { type LpData, type LpOptions, type LpSolver, loadSolver } from "@cobre/solver";
import { tutorial } from "./told-events.js";

describe("programs", () => {
  it("are closed when training ends, also if one of them cannot be built", async () => {
    const highs = await loadSolver("highs");
    for (const most of [Infinity, 1]) {
      const [created, closed] = [new Set<unknown>(), new Set<unknown>()];
      const solver: LpSolver = {
        name: highs.name,
        version: highs.version,
        fingerprint: highs.fingerprint,
        create: (data: LpData, options?: LpOptions) => {
          if (created.size === most) throw new RangeError("no more programs");
          const program = highs.create(data, options);
          created.add(program);
          const close = program.close.bind(program);
          program.close = () => {
            closed.add(program);
            close();
          };
          return program;
        },
      };
      using comm = new LocalCommunicator();
      const training = train(comm, await tutorial(), { solver });
      if (most === 1) await assert.rejects(training, /no more programs/);
      else await training;
      assert.equal(created.size, most === 1 ? 1 : 3);
      assert.equal(closed.size, created.size);
    }
  });
});
