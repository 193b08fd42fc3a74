import { createHash } from "node:crypto";

/** The arrays of a container by name. */
export type ContainerArrays = Readonly<Record<string, Float64Array | Int32Array | Uint8Array>>;

/** A header of JSON and arrays of numbers, in one file. docs/policy-format.md describes every byte. */
export interface Container {
  readonly header: unknown;
  readonly arrays: ContainerArrays;
}

/** A file is not a container, of another version, or damaged. */
export class ContainerError extends Error {
  override readonly name = "ContainerError";
}

export const CONTAINER_VERSION = 1;
const MAGIC = "COBREPOL";
const PREAMBLE = 16;
const DIGEST = 32;
const ALIGNMENT = 8;

interface ArrayEntry {
  readonly name: string;
  readonly type: "f64" | "i32" | "u8";
  readonly offset: number;
  readonly length: number;
}

const TYPES = { f64: Float64Array, i32: Int32Array, u8: Uint8Array } as const;

/** The bytes of a container: preamble, header, arrays, SHA-256 of all that. */
export function encodeContainer({ header, arrays }: Container): Uint8Array {
  const entries: ArrayEntry[] = [];
  let length = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const type = array instanceof Float64Array ? "f64" : array instanceof Int32Array ? "i32" : "u8";
    entries.push({ name, type, offset: length, length: array.length });
    length = align(length + array.byteLength);
  }
  const text = new TextEncoder().encode(JSON.stringify({ header, arrays: entries }));
  const textLength = align(text.length);
  const dataStart = PREAMBLE + textLength;
  const bytes = new Uint8Array(dataStart + length + DIGEST);
  bytes.set(new TextEncoder().encode(MAGIC));
  const view = new DataView(bytes.buffer);
  view.setUint32(8, CONTAINER_VERSION, true);
  view.setUint32(12, textLength, true);
  bytes.fill(0x20, PREAMBLE, dataStart);
  bytes.set(text, PREAMBLE);
  Object.values(arrays).forEach((array, i) => {
    const raw = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    bytes.set(raw, dataStart + entries[i].offset);
  });
  bytes.set(digestOf(bytes), bytes.length - DIGEST);
  return bytes;
}

/** @throws {@link ContainerError} for anything that {@link encodeContainer} of this version did not write */
export function decodeContainer(bytes: Uint8Array): Container {
  const isLongEnough = bytes.length >= PREAMBLE + DIGEST;
  if (!isLongEnough || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) {
    throw new ContainerError("it is not a policy file; give one that `cobre run` has written");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== CONTAINER_VERSION) {
    throw new ContainerError(
      `it is of format version ${version}, this program reads version ${CONTAINER_VERSION}; train again`,
    );
  }
  const expected = bytes.subarray(bytes.length - DIGEST);
  if (!digestOf(bytes).every((byte, i) => byte === expected[i])) {
    throw new ContainerError(
      "its checksum is wrong: the file is damaged or cut short; use another copy, or train again",
    );
  }
  const dataStart = PREAMBLE + view.getUint32(12, true);
  const text = new TextDecoder().decode(bytes.subarray(PREAMBLE, dataStart));
  const { header, arrays: entries } = JSON.parse(text) as {
    header: unknown;
    arrays: readonly ArrayEntry[];
  };
  const arrays: Record<string, Float64Array | Int32Array | Uint8Array> = {};
  for (const { name, type, offset, length } of entries) {
    const start = bytes.byteOffset + dataStart + offset;
    // A copy: the array must be aligned, the bytes need not be.
    const raw = bytes.buffer.slice(start, start + length * TYPES[type].BYTES_PER_ELEMENT);
    arrays[name] = new TYPES[type](raw as ArrayBuffer);
  }
  return { header, arrays };
}

function align(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function digestOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256")
    .update(bytes.subarray(0, bytes.length - DIGEST))
    .digest();
}
