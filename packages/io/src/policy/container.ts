import { createHash } from "node:crypto";

type ContainerArray = Float64Array | Int32Array | Uint8Array;

/** The arrays of a container by name. */
export type ContainerArrays = Readonly<Record<string, ContainerArray>>;

/** A JSON header and arrays of numbers in one file. docs/policy-format.md describes every byte. */
export interface Container {
  readonly header: unknown;
  readonly arrays: ContainerArrays;
}

/** A file is not a container, has another version, or is damaged. */
export class ContainerError extends Error {
  override readonly name = "ContainerError";
}

export const CONTAINER_VERSION = 1;
/** The first bytes of a container. */
export const MAGIC = "COBREPOL";
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

/** The bytes of a container: preamble, header, arrays, and the SHA-256 of all of them. */
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
  for (const { name, offset } of entries) {
    const array = arrays[name] as ContainerArray;
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), dataStart + offset);
  }
  bytes.set(digestOf(bytes), bytes.length - DIGEST);
  return bytes;
}

/** @throws {@link ContainerError} for anything that {@link encodeContainer} of this version did not write */
export function decodeContainer(bytes: Uint8Array): Container {
  const isLongEnough = bytes.length >= PREAMBLE + DIGEST;
  if (!isLongEnough || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) {
    throw new ContainerError("it is not a policy file; use one that `cobre run` has written");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== CONTAINER_VERSION) {
    throw new ContainerError(
      `it has format version ${version}, but this program reads version ${CONTAINER_VERSION}; train again`,
    );
  }
  const expected = bytes.subarray(bytes.length - DIGEST);
  if (!digestOf(bytes).every((byte, i) => byte === expected[i])) {
    throw new ContainerError(
      "its checksum is wrong: the file is damaged or cut short; use another copy, or train again",
    );
  }
  const dataStart = PREAMBLE + view.getUint32(12, true);
  const dataLength = bytes.length - DIGEST - dataStart;
  if (dataLength < 0) throw inconsistent("its header is longer than the file");
  const { header, arrays: entries } = parseText(bytes.subarray(PREAMBLE, dataStart));
  const arrays = new Map<string, ContainerArray>();
  for (const entry of entries) {
    const { name, type, offset, length } = checkEntry(entry, dataLength);
    if (arrays.has(name)) throw inconsistent(`it has two arrays ${name}`);
    const start = bytes.byteOffset + dataStart + offset;
    // A copy, because the array must be aligned and the bytes may not be.
    const raw = bytes.buffer.slice(start, start + length * TYPES[type].BYTES_PER_ELEMENT);
    arrays.set(name, new TYPES[type](raw as ArrayBuffer));
  }
  return { header, arrays: Object.fromEntries(arrays) };
}

function parseText(bytes: Uint8Array): { header: unknown; arrays: readonly unknown[] } {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw inconsistent("its header is not JSON", cause);
  }
  const { header, arrays } = (content ?? {}) as { header?: unknown; arrays?: unknown };
  if (!Array.isArray(arrays)) throw inconsistent("its header has no list of arrays");
  return { header, arrays };
}

/** Checks an entry of the list of arrays against the number of bytes that there are. */
function checkEntry(value: unknown, dataLength: number): ArrayEntry {
  const { name, type, offset, length } = (value ?? {}) as Partial<ArrayEntry>;
  const isCount = (number: unknown) => Number.isSafeInteger(number) && (number as number) >= 0;
  const isEntry =
    typeof name === "string" &&
    typeof type === "string" &&
    Object.hasOwn(TYPES, type) &&
    isCount(offset) &&
    isCount(length) &&
    (offset as number) + (length as number) * TYPES[type].BYTES_PER_ELEMENT <= dataLength;
  if (!isEntry) throw inconsistent("its list of arrays does not fit its length");
  return value as ArrayEntry;
}

/** The checksum is right, so the file was written like this. */
function inconsistent(problem: string, cause?: unknown): ContainerError {
  return new ContainerError(`${problem}; use another copy, or train again`, { cause });
}

function align(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function digestOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256")
    .update(bytes.subarray(0, bytes.length - DIGEST))
    .digest();
}
