import {
  ARRAY_TYPES,
  arrayTypeOfConstructor,
  type CommArray,
  type CommArrayConstructor,
} from "../arrays.js";
import { InvalidArgument } from "../errors/comm-error.js";

/** Checks the arguments of `createSharedRegion`. Returns the size in bytes. */
export function checkRegionRequest<T extends CommArray>(
  type: CommArrayConstructor<T>,
  count: number,
): number {
  if (arrayTypeOfConstructor(type) === undefined) {
    const names = Object.keys(ARRAY_TYPES).join(", ");
    throw new InvalidArgument("createSharedRegion", "type", `must be one of ${names}.`);
  }
  const bytes = count * type.BYTES_PER_ELEMENT;
  if (!Number.isInteger(count) || count < 0 || !Number.isSafeInteger(bytes)) {
    throw new InvalidArgument(
      "createSharedRegion",
      "count",
      `is ${String(count)}; it must be a whole number of elements, 0 or more.`,
    );
  }
  return bytes;
}
