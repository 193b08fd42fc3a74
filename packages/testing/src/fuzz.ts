/** Damage to files and messages that is drawn from a seed, so that whatever fails can be repeated. */

/** Repeatable random numbers (mulberry32). */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** 0 … `below - 1`. */
  below(below: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let z = this.state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) % below;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

type ByteDamage = (bytes: number[], dice: Dice) => void;

const BYTE_DAMAGES: readonly ByteDamage[] = [
  (bytes, dice) => {
    const at = dice.below(bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << dice.below(8));
  },
  (bytes, dice) => {
    bytes[dice.below(bytes.length)] = dice.pick([0, 1, 0x7f, 0x80, 0xff, dice.below(256)]);
  },
  // A piece is lost, is there twice, or is overwritten.
  (bytes, dice) => {
    bytes.splice(dice.below(bytes.length), 1 + dice.below(16));
  },
  (bytes, dice) => {
    const at = dice.below(bytes.length);
    bytes.splice(at, 0, ...bytes.slice(at, at + 1 + dice.below(16)));
  },
  (bytes, dice) => {
    const at = dice.below(bytes.length);
    for (let i = at; i < Math.min(at + 8, bytes.length); i++) bytes[i] = dice.below(256);
  },
  (bytes, dice) => {
    bytes.length = dice.below(bytes.length);
  },
];

/** The bytes with one to three damages. */
export function damagedBytes(bytes: Uint8Array, dice: Dice): Uint8Array {
  const copy = [...bytes];
  for (let i = dice.pick([1, 1, 2, 3]); i > 0 && copy.length > 0; i--) {
    dice.pick(BYTE_DAMAGES)(copy, dice);
  }
  return Uint8Array.from(copy);
}

/** Values that programs tend not to expect, as they are written in JSON. */
const ODD_VALUES = [
  "null",
  "true",
  '""',
  '"x"',
  "[]",
  "{}",
  "[[]]",
  "-1",
  "0",
  "0.5",
  "-0",
  "1e15",
  "1e308",
  "-1e999",
  "1e999",
  "2147483648",
  "4294967297",
  "9007199254740991",
  "9007199254740993",
] as const;

/** JSON in which one value, anywhere, is odd, missing or there twice. */
export function damagedJson(value: unknown, dice: Dice): string {
  const text = JSON.stringify(value);
  const odd = `\u0000odd${dice.below(2 ** 31)}`;
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const copy: unknown = JSON.parse(text);
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const holder = node as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      places.push({ holder, key });
      walk(holder[key]);
    }
  };
  walk(copy);
  if (places.length === 0) return dice.pick(ODD_VALUES);
  const { holder, key } = dice.pick(places);
  switch (dice.below(4)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      return JSON.stringify(copy);
    case 1:
      if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
      else holder[`${key}x`] = structuredClone(holder[key]);
      return JSON.stringify(copy);
    default:
      holder[key] = odd;
      return JSON.stringify(copy).replace(JSON.stringify(odd), () => dice.pick(ODD_VALUES));
  }
}

/** A CSV table in which one cell is odd, or the text is damaged. */
export function damagedCsv(text: string, dice: Dice): string {
  if (dice.below(3) === 0) {
    return new TextDecoder().decode(damagedBytes(new TextEncoder().encode(text), dice));
  }
  const lines = text.split("\n").map((line) => line.split(","));
  const line = dice.pick(lines);
  line[dice.below(line.length)] = dice.pick([
    ...ODD_VALUES,
    "",
    "1e400",
    "0x1F",
    "NaN",
    " 7 ",
    ";",
  ]);
  return lines.map((cells) => cells.join(",")).join("\n");
}
