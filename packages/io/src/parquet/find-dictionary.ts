/** An index is then at most a byte. Columns with more values than this gain little. */
const MAX_ENTRIES = 256;
/** A power of two, so large that most values are found at the first look. */
const SLOTS = 1024;
const FREE = -1;

/** Used again for each column: for each slot the entry in it, and for each entry a row that has it. */
const slots = new Int16Array(SLOTS);
const places = new Uint32Array(MAX_ENTRIES);

/** The distinct values of a column in the order in which they appear, and for each row its place among them. */
export interface Dictionary {
  readonly entries: Float64Array;
  readonly indices: Uint8Array;
}

/**
 * Finds the distinct values of a column, by their bits, so that -0 and 0 are two. Gives up at the first value too many: a column that
 * has no dictionary costs little.
 */
export function findDictionary(values: Float64Array): Dictionary | undefined {
  const { length } = values;
  if (length === 0) return undefined;
  const bits = new Uint32Array(values.buffer, values.byteOffset, 2 * length);
  slots.fill(FREE);
  const indices = new Uint8Array(length);
  let count = 0;
  let last = -1;
  let lastLow = 0;
  let lastHigh = 0;
  for (let row = 0; row < length; row++) {
    const low = bits[2 * row] as number;
    const high = bits[2 * row + 1] as number;
    if (last < 0 || low !== lastLow || high !== lastHigh) {
      let slot = hashOf(low, high);
      for (;;) {
        last = slots[slot] as number;
        if (last === FREE) break;
        const place = 2 * (places[last] as number);
        if (bits[place] === low && bits[place + 1] === high) break;
        slot = (slot + 1) & (SLOTS - 1);
      }
      if (last === FREE) {
        if (count === MAX_ENTRIES) return undefined;
        last = count++;
        slots[slot] = last;
        places[last] = row;
      }
      lastLow = low;
      lastHigh = high;
    }
    indices[row] = last;
  }
  const entries = new Float64Array(count);
  for (let entry = 0; entry < count; entry++)
    entries[entry] = values[places[entry] as number] as number;
  return { entries, indices };
}

function hashOf(low: number, high: number): number {
  return (Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) >>> 22) & (SLOTS - 1);
}
