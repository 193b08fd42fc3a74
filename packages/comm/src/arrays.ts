/**
 * The array types that a collective can carry, and the one table of what the backends know about
 * them. The `code` is part of the wire and shared-memory protocols: never renumber.
 */

/** Every array that a collective accepts. A `Buffer` counts as a `Uint8Array`. */
export type CommArray =
  | Float64Array
  | Float32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** The constructor of a {@link CommArray}, as `createSharedRegion` takes it. */
export interface CommArrayConstructor<T extends CommArray> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): T;
}

/** How the elements of two arrays are combined, in rank order. */
export type ReduceOp = "sum" | "min" | "max";

/** The names of the array types, as in `Symbol.toStringTag`. */
export type ArrayTypeName =
  | "Float64Array"
  | "Float32Array"
  | "Int8Array"
  | "Int16Array"
  | "Int32Array"
  | "Uint8Array"
  | "Uint16Array"
  | "Uint32Array"
  | "BigInt64Array"
  | "BigUint64Array";

/** What the library knows about one array type. */
export interface ArrayType {
  readonly name: ArrayTypeName;
  readonly code: number;
  readonly bytesPerElement: number;
  readonly constructorFunction: CommArrayConstructor<CommArray>;
}

function arrayType(
  name: ArrayTypeName,
  code: number,
  constructorFunction: CommArrayConstructor<CommArray>,
): ArrayType {
  const bytesPerElement = constructorFunction.BYTES_PER_ELEMENT;
  return Object.freeze({ name, code, bytesPerElement, constructorFunction });
}

/** All ten array types, by name. */
export const ARRAY_TYPES: Readonly<Record<ArrayTypeName, ArrayType>> = Object.freeze({
  Float64Array: arrayType("Float64Array", 1, Float64Array),
  Float32Array: arrayType("Float32Array", 2, Float32Array),
  Int8Array: arrayType("Int8Array", 3, Int8Array),
  Int16Array: arrayType("Int16Array", 4, Int16Array),
  Int32Array: arrayType("Int32Array", 5, Int32Array),
  Uint8Array: arrayType("Uint8Array", 6, Uint8Array),
  Uint16Array: arrayType("Uint16Array", 7, Uint16Array),
  Uint32Array: arrayType("Uint32Array", 8, Uint32Array),
  BigInt64Array: arrayType("BigInt64Array", 9, BigInt64Array),
  BigUint64Array: arrayType("BigUint64Array", 10, BigUint64Array),
});

const TYPES_BY_CONSTRUCTOR = new Map<unknown, ArrayType>(
  Object.values(ARRAY_TYPES).map((type) => [type.constructorFunction, type]),
);

/** The protocol codes of `sum`, `min` and `max`: never renumber. */
export const REDUCE_OPS: Readonly<Record<ReduceOp, number>> = Object.freeze({
  sum: 1,
  min: 2,
  max: 3,
});

const typedArrayTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)?.get as (this: unknown) => string | undefined;

/**
 * The type of `value`, or `undefined` if a collective cannot carry it. Works across realms and for
 * subclasses (`Buffer`). Rejects `DataView`, `Uint8ClampedArray` and `Float16Array`.
 */
export function arrayTypeOf(value: unknown): ArrayType | undefined {
  const name = typedArrayTag.call(value);
  return name === undefined ? undefined : ARRAY_TYPES[name as ArrayTypeName];
}

/** The type of the arrays that `constructorFunction` makes, or `undefined`. */
export function arrayTypeOfConstructor(constructorFunction: unknown): ArrayType | undefined {
  return TYPES_BY_CONSTRUCTOR.get(constructorFunction);
}

/**
 * Copies `count` elements between arrays of the same type. `set` then copies bytes, so NaN payloads
 * survive.
 */
export function copyElements(
  from: CommArray,
  fromAt: number,
  to: CommArray,
  toAt: number,
  count: number,
): void {
  const source =
    fromAt === 0 && count === from.length ? from : from.subarray(fromAt, fromAt + count);
  (to as Float64Array).set(source as Float64Array, toAt);
}
