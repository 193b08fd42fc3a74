/** A policy file whose checksum is right may still be wrong inside. Everything that is wrong is reported as such. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { type Container, decodeContainer, encodeContainer } from "@cobre/io";
import { decodePolicy, encodePolicy, SddpError, train } from "@cobre/sddp";
import { caseNamed, changed } from "./cases.js";

type Json = Record<string, unknown>;

let good: Uint8Array;

before(async () => {
  using comm = new LocalCommunicator();
  const source = changed(await caseNamed("sddp-tutorial"), { iterations: 2 });
  good = encodePolicy((await train(comm, source)).policy);
});

/** The error for the policy with another content, or `undefined` if it is read. */
function errorOf(bytes: Uint8Array): unknown {
  try {
    decodePolicy(bytes, "policy.bin");
    return undefined;
  } catch (error) {
    return error;
  }
}

function refused(bytes: Uint8Array, what: string): SddpError {
  const error = errorOf(bytes);
  assert.ok(error instanceof SddpError, `${what}: ${error}`);
  assert.equal(error.kind, "InvalidPolicy", what);
  assert.match(error.message, /^policy\.bin cannot be used: /, what);
  return error;
}

function parts(): { header: Json & { origin: Json }; arrays: Record<string, Float64Array> } {
  const { header, arrays } = decodeContainer(good);
  return structuredClone({ header, arrays }) as ReturnType<typeof parts>;
}

const WRONG = [null, true, -1, 0.5, 1e300, "", "x", [], [-1], ["x"], [null], {}, { a: 1 }];

describe("a policy with the right checksum", () => {
  it("and a header field that is missing or of another type is refused, or the same", () => {
    const fields = (object: object) => Object.keys(object);
    const { header } = parts();
    for (const key of [
      ...fields(header),
      ...fields(header.origin).map((name) => `origin.${name}`),
    ]) {
      for (const wrong of [undefined, ...WRONG]) {
        const changed = parts();
        const [first = "", second] = key.split(".");
        const holder = second === undefined ? changed.header : changed.header.origin;
        holder[second ?? first] = wrong;
        const error = errorOf(encodeContainer(changed as Container));
        const what = `${key} = ${JSON.stringify(wrong)}`;
        assert.ok(error === undefined || error instanceof SddpError, `${what}: ${error}`);
      }
    }
    for (const key of ["kind", "origin", "iteration", "dimension", "cost_scale", "record_fields"]) {
      const changed = parts();
      delete changed.header[key];
      refused(encodeContainer(changed as Container), key);
    }
    for (const wrong of WRONG) {
      refused(encodeContainer({ header: wrong, arrays: parts().arrays }), JSON.stringify(wrong));
    }
  });

  it("and an array that is missing, longer, shorter or of another type is refused by its name", () => {
    for (const name of Object.keys(parts().arrays)) {
      const wrongs = (array: Float64Array) => [
        undefined,
        array.slice(0, -1),
        Float64Array.of(...array, 1),
        new Uint8Array(array.length + 1),
      ];
      for (const wrong of wrongs(parts().arrays[name] as Float64Array)) {
        const changed = parts();
        if (wrong === undefined) delete changed.arrays[name];
        else changed.arrays[name] = wrong as Float64Array;
        if (wrong?.length === parts().arrays[name]?.length) continue; // it was empty
        const error = refused(encodeContainer(changed as Container), `${name}, ${wrong?.length}`);
        assert.ok(error.message.includes(name), error.message);
      }
    }
  });

  it("and numbers that cannot be is refused", () => {
    for (const name of ["cuts/0/values", "trial_points", "initial_bound", "history"]) {
      const changed = parts();
      (changed.arrays[name] as Float64Array)[0] = Number.NaN;
      refused(encodeContainer(changed as Container), name);
    }
    const changed = parts();
    (changed.arrays["bases/states"] as unknown as Uint8Array)[0] = 9;
    refused(encodeContainer(changed as Container), "bases/states");
  });

  it("and a table of arrays that lies is refused", () => {
    for (const wrong of [
      "null",
      "[]",
      "{}",
      '{"header":{},"arrays":5}',
      '{"header":{},"arrays":[null]}',
      '{"header":{},"arrays":[{"name":"a","type":"f32","offset":0,"length":1}]}',
      '{"header":{},"arrays":[{"name":"a","type":"f64","offset":0,"length":1e15}]}',
      '{"header":{},"arrays":[{"name":"a","type":"f64","offset":-8,"length":1}]}',
      '{"header":{},"arrays":[{"name":"a","type":"f64","offset":1e15,"length":0}]}',
      '{"header":{},"arrays":[{"name":"__proto__","type":"f64","offset":0,"length":0}]}',
      "{",
    ]) {
      refused(withText(wrong), wrong);
    }
    const long = encodeContainer({ header: {}, arrays: {} });
    new DataView(long.buffer).setUint32(12, 0xfffffff8, true);
    refused(withDigest(long), "the length of the header");
  });

  it("and other columns in history is read by their names", () => {
    const read = decodePolicy(good, "policy.bin");
    const changed = parts();
    const names = changed.header.record_fields as string[];
    const { history } = changed.arrays;
    changed.header.record_fields = [...names].reverse().concat("later");
    const rows = Array.from({ length: history.length / names.length }, (_, row) => [
      ...history.slice(row * names.length, (row + 1) * names.length).reverse(),
      7,
    ]);
    changed.arrays.history = Float64Array.from(rows.flat());
    const again = decodePolicy(encodeContainer(changed as Container), "policy.bin");
    assert.deepEqual(again.history, read.history);
  });

  it("and costs in another unit is refused with that unit", () => {
    const changed = parts();
    changed.header.cost_scale = 1;
    const { message } = refused(encodeContainer(changed as Container), "cost_scale");
    assert.match(message, /cost_scale/);
  });
});

/** A container with this text instead of its header. */
function withText(text: string): Uint8Array {
  const bytes = encodeContainer({ header: "x".repeat(text.length + 64), arrays: {} });
  const length = new DataView(bytes.buffer).getUint32(12, true);
  bytes.fill(0x20, 16, 16 + length);
  bytes.set(new TextEncoder().encode(text), 16);
  return withDigest(bytes);
}

function withDigest(bytes: Uint8Array): Uint8Array {
  bytes.set(createHash("sha256").update(bytes.subarray(0, -32)).digest(), bytes.length - 32);
  return bytes;
}
