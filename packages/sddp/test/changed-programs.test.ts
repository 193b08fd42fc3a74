/** A policy can be simulated on a case whose programs have changed, as long as the states have not. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { loadCase, type SddpEvent, simulate, train } from "@cobre/sddp";
import { changed, directoryOf } from "./cases.js";

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-changed-"));
  cpSync(directoryOf("one-reservoir"), folder, { recursive: true });
});
after(() => rmSync(folder, { recursive: true }));

describe("a policy simulated after a thermal was added", () => {
  it("starts from slack bases, says so, and gives the same bits each time", async () => {
    using comm = new LocalCommunicator();
    const source = changed(await loadCase(folder), { iterations: 20 });
    const { policy } = await train(comm, source);
    const events: SddpEvent[] = [];
    const onEvent = (event: SddpEvent) => events.push(event);
    await simulate(comm, source, policy, { scenarios: 20, onEvent });
    assert.equal(replaced(events), undefined);

    const file = join(folder, "system/thermals.json");
    const { thermals, ...rest } = JSON.parse(readFileSync(file, "utf8"));
    const added = { ...thermals[0], id: 77, name: "added" };
    writeFileSync(file, JSON.stringify({ ...rest, thermals: [...thermals, added] }));
    const larger = changed(await loadCase(folder), { iterations: 20 });
    const { costs, hash } = await simulate(comm, larger, policy, { scenarios: 20, onEvent });
    assert.ok(costs.every((cost) => cost > 0 && Number.isFinite(cost)));
    assert.equal((await simulate(comm, larger, policy, { scenarios: 20 })).hash, hash);
    const stages = source.study.time.stages.map(({ id }) => id);
    assert.deepEqual(replaced(events)?.stageIds, stages);
  });
});

function replaced(events: readonly SddpEvent[]) {
  return events.find((event) => event.type === "bases_replaced");
}
