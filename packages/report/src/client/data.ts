/** The values that the page brings with it. */

/** A value function, as the page has it for every reservoir and stage. */
export interface Curve {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly visited: number;
  readonly cuts: number;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly slopes: readonly number[];
}

interface Header {
  /** The numbers of the scenarios that the page has. */
  readonly scenarios?: readonly number[];
  /** Their costs, and their places among all scenarios by cost, from 1. */
  readonly totals: readonly number[];
  readonly ranks: readonly number[];
  /** How many scenarios were simulated. */
  readonly count: number;
  readonly values?: {
    readonly stages: readonly string[];
    readonly curves: readonly (readonly Curve[])[];
  };
}

export const header: Header = JSON.parse(document.getElementById("data")?.textContent ?? "{}");

/** Indices of scenarios, the cheapest first. */
export const byCost: readonly number[] = (header.scenarios ?? [])
  .map((_, index) => index)
  .sort((a, b) => (header.ranks[a] as number) - (header.ranks[b] as number));

interface DecodedCube {
  readonly stages: number;
  readonly values: Float32Array;
}

const decoded = new Map<string, DecodedCube>();

/** A value of a scenario; NaN if the page has none. */
export function scenarioValue(cube: string, item: number, stage: number, scenario: number): number {
  if (item < 0) return 0; // a source that has nothing anywhere is left out
  const found = decoded.get(cube);
  if (found === undefined) return Number.NaN;
  return found.values[(item * found.stages + stage) * byCost.length + scenario] ?? Number.NaN;
}

/** Unpacks the values of the scenarios. Only then they can be chosen. */
export async function decodeCubes(): Promise<void> {
  const scripts = [...document.querySelectorAll<HTMLElement>("script[data-cube]")];
  await Promise.all(
    scripts.map(async (script) => {
      const { cube = "", stages } = script.dataset;
      decoded.set(cube, { stages: Number(stages), values: await decode(script.textContent ?? "") });
    }),
  );
}

async function decode(base64: string): Promise<Float32Array> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const view = new DataView(await new Response(stream).arrayBuffer());
  const values = new Float32Array(view.byteLength / 4);
  for (let i = 0; i < values.length; i++) values[i] = view.getFloat32(4 * i, true);
  return values;
}
