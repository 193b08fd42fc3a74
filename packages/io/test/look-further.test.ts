/** A case of which something cannot be read is looked at further, without telling what only follows from that. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import { validateCase } from "@cobre/sddp";
import { goodCase, hydro, stage, withCase } from "./case-folder.js";

async function told(changes: Parameters<typeof withCase>[0]): Promise<string[]> {
  let lines: string[] = [];
  await withCase(changes, async (directory) => {
    const { issues } = await validateCase(directory);
    lines = issues.map((issue) => formatIssue(issue).split(";")[0] as string);
  });
  return lines;
}

const line = (fields: object) => ({
  "system/lines.json": {
    lines: [
      {
        id: 0,
        name: "L",
        source_bus_id: 1,
        target_bus_id: 9,
        capacity: { direct_mw: 1, reverse_mw: 1 },
        ...fields,
      },
    ],
  },
});
const NO_BUS = "system/lines.json: line 0: target_bus_id: bus 9 does not exist";

describe("a case of which something cannot be read", () => {
  it("is checked across files as well", async () => {
    const thermals = { thermals: [{ id: 0, name: "T", bus_id: 1, cost_per_mwh: 5 }] };
    assert.deepEqual(await told({ ...line({}), "system/thermals.json": thermals }), [
      "system/thermals.json: thermal 0: generation: is missing",
      NO_BUS,
    ]);
  });

  it("says nothing more about an entity that was not read in full", async () => {
    assert.deepEqual(await told(line({ name: 3 })), ["system/lines.json: line 0: name: is 3"]);
  });

  it("says nothing about entities that may be in what was not read", async () => {
    const buses = { buses: [{ id: 1, name: "B" }, { name: "without an id" }] };
    assert.deepEqual(await told({ ...line({}), "system/buses.json": buses }), [
      "system/buses.json: buses[1].id: is missing",
    ]);
  });

  it("tells hydro 1 from hydro 12", async () => {
    const hydros = [hydro(1, { name: 7 }), hydro(12, { downstream_id: 13 })];
    const found = await told({
      "system/hydros.json": { hydros },
      "initial_conditions.json": { storage: [], filling_storage: [] },
    });
    assert.deepEqual(
      found.filter((text) => text.startsWith("system/hydros.json")),
      [
        "system/hydros.json: hydro 1: name: is 7",
        "system/hydros.json: hydro 12: downstream_id: hydro 13 does not exist",
      ],
    );
  });

  it("does not blame plants for a penalty of all that was not read, and still tells other costs", async () => {
    const penalties = goodCase()["penalties.json"] as { readonly hydro: object };
    const changed = { ...penalties, hydro: { ...penalties.hydro, spillage_cost: "x" } };
    const hydros = [
      hydro(4, { penalties: { diversion_cost: -1 } }),
      hydro(2, { downstream_id: 4 }),
    ];
    assert.deepEqual(await told({ "penalties.json": changed, "system/hydros.json": { hydros } }), [
      'penalties.json: hydro.spillage_cost: is the text "x"',
      "system/hydros.json: hydro 4: penalties.diversion_cost: is -1",
    ]);
  });

  it("is not checked further if nothing can be built", async () => {
    assert.deepEqual(await told({ ...line({}), "stages.json": "{" }).then((all) => all.length), 1);
    const stages = { stages: [{ ...stage(0), blocks: 5 }] };
    const found = await told({ ...line({}), "stages.json": { ...stages, policy_graph: 7 } });
    assert.ok(found.includes(NO_BUS), found.join("\n"));
  });
});
