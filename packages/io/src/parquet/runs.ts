import { demand } from "./damage.js";

/** The library packs at most so many bits without loss. No dictionary has as many entries. */
const MAX_WIDTH = 24;

/**
 * Checks a series of numbers that are run-length encoded or packed in bits, before the library decodes it: a run that promises more
 * values than remain, or more bytes than there are, would take all time or memory.
 *
 * @returns where the last run ends
 */
export function checkRuns(
  bytes: Uint8Array,
  start: number,
  end: number,
  width: number,
  values: number,
): number {
  demand(width <= MAX_WIDTH, `values of ${width} bits cannot be packed`);
  let position = start;
  let seen = 0;
  while (seen < values) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      demand(position < end && shift < 35, "a run of values is damaged");
      const byte = bytes[position++] as number;
      header += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    const count = Math.floor(header / 2);
    if (header % 2 === 0) {
      demand(count <= values - seen, "a run of values is too long");
      position += Math.ceil(width / 8);
      seen += count;
    } else {
      // Groups of eight values; what is left of the last group is not used.
      demand(count * 8 < values - seen + 8 || width > 0, "a run of values is too long");
      position += count * width;
      seen += count * 8;
    }
    demand(position <= end, "a run of values is longer than its page");
  }
  return position;
}
