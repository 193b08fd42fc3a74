/**
 * Numbers as people read them: one rule for the terminal, the page and the script of the page, into which this file is copied. It imports
 * nothing.
 */

const PREFIXES = ["", "k", "M", "G", "T", "P", "E"];

/** How the values of a unit are written: what one of them is in the unit that takes prefixes. */
interface Written {
  readonly base: number;
  readonly symbol: string;
}

/** Units that take a prefix. All others are written as they are. */
const PREFIXED: Readonly<Record<string, Written>> = {
  $: { base: 1, symbol: "$" },
  "$/hm³": { base: 1, symbol: "$/hm³" },
  "$/MWh": { base: 1, symbol: "$/MWh" },
  MWh: { base: 1e6, symbol: "Wh" },
  MW: { base: 1e6, symbol: "W" },
  B: { base: 1, symbol: "B" },
};

/** A unit with the prefix that suits values up to `largest`, and what to divide values by. */
export function unitFor(unit: string, largest: number): { divisor: number; label: string } {
  const written = PREFIXED[unit];
  if (written === undefined) {
    if (unit === "ms" && largest >= 1000) return { divisor: 1000, label: "s" };
    return { divisor: 1, label: unit };
  }
  const size = Math.abs(largest) * written.base;
  const step = size > 0 ? Math.floor(Math.log10(size * 1.0000001) / 3) : 0;
  // Prices are read in the hundreds and thousands: they take no prefix before that.
  const isPrice = unit === "$/MWh" && Math.abs(largest) < 1e5;
  const place = isPrice ? 0 : Math.min(PREFIXES.length - 1, Math.max(0, step));
  return {
    divisor: 1000 ** place / written.base,
    label: `${PREFIXES[place]}${written.symbol}`,
  };
}

/**
 * A few digits and a prefix: `75.4 G$`, `3.20 TWh`, `1,234 hm³`.
 *
 * @example
 * ```ts
 * withUnit(101_877_001_163, "$"); // "101.9 G$"
 * withUnit(3.2e6, "MWh", 3); // "3.20 TWh"
 * ```
 */
export function withUnit(value: number, unit: string, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  const { divisor, label } = unitFor(unit, Number(value.toPrecision(digits)));
  const scaled = value / divisor;
  const size = Math.abs(scaled);
  // 115.0 beside 104.9: zeros at the end are digits, too.
  const takesZeros = size > 0.99 && size < 10 ** digits && label !== unit;
  const text = takesZeros
    ? scaled.toLocaleString("en-US", {
        minimumSignificantDigits: digits,
        maximumSignificantDigits: digits,
      })
    : rounded(scaled, digits);
  return `${text} ${label}`.trim();
}

/** `1,234`, `12.35`, `0.001235`, `1.235e-7` */
export function rounded(value: number, digits = 4): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return value.toExponential(digits - 1);
  if (Number.isInteger(value) && size < 1e6) return value.toLocaleString("en-US");
  return value.toLocaleString("en-US", {
    maximumSignificantDigits: Math.max(digits, size >= 1 ? Math.floor(Math.log10(size)) + 1 : 1),
  });
}
