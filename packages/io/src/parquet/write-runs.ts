/** Parquet's mix of run-length encoding and bit packing, as far as it is written here: always a single run. */

/** A run of one value below 256, for values of up to 8 bits. */
export function repeatedRun(value: number, count: number): Uint8Array {
  return Uint8Array.of(...varInt(2 * count), value);
}

/**
 * Packs values of `width` bits, at most 8, the lowest bit first.
 *
 * @param isRun whether they become a run: a header in front, and whole groups of eight values
 */
export function packBits(
  values: Uint8Array,
  count: number,
  width: number,
  isRun = false,
): Uint8Array {
  const groups = Math.ceil(count / 8);
  const header = isRun ? varInt(2 * groups + 1) : [];
  const length = isRun ? groups * width : Math.ceil((count * width) / 8);
  const bytes = new Uint8Array(header.length + length);
  bytes.set(header);
  let position = header.length;
  let pending = 0;
  let bits = 0;
  for (let i = 0; i < count; i++) {
    pending |= (values[i] as number) << bits;
    bits += width;
    if (bits >= 8) {
      bytes[position++] = pending;
      pending >>>= 8;
      bits -= 8;
    }
  }
  if (bits > 0) bytes[position] = pending;
  return bytes;
}

/** An unsigned number below 2^31, seven bits in each byte, the lowest first. */
function varInt(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
  return bytes;
}
