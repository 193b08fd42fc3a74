/**
 * The cost of folding two vectors of doubles: by the plain loop, by the WebAssembly kernel, and by the one that the
 * library chooses for the length. Prints one JSON line per length and way.
 *
 *     node fold.js BATCHES
 */
import { ARRAY_TYPES, fold, foldInKernel, foldInLoop } from "../../comm/dist/internal.js";
import { type Measurement, median } from "./measurement.js";

const LENGTHS = [16, 64, 128, 256, 1024, 8192, 131_072, 1_048_576];
const type = ARRAY_TYPES.Float64Array;
const batches = Number(process.argv[2]);

type Way = (operands: readonly Float64Array[], out: Float64Array) => void;

// Every way has its own loop, so that V8 sees one function at each call site.
const WAYS: Readonly<Record<string, (calls: number, ...of: Parameters<Way>) => void>> = {
  "fold-loop": (calls, operands, out) => {
    for (let i = 0; i < calls; i++) foldInLoop(type, operands, out, "sum");
  },
  "fold-kernel": (calls, operands, out) => {
    for (let i = 0; i < calls; i++) foldInKernel(type, operands, out, "sum");
  },
  fold: (calls, operands, out) => {
    for (let i = 0; i < calls; i++) fold(operands, out, "sum");
  },
};

for (const length of LENGTHS) {
  const a = Float64Array.from({ length }, (_, i) => Math.sin(i));
  const b = Float64Array.from({ length }, (_, i) => Math.cos(i));
  const out = new Float64Array(length).fill(-1);
  const calls = Math.max(1, Math.floor(1_048_576 / length));
  const times = new Map(Object.keys(WAYS).map((name) => [name, [] as number[]]));
  for (let batch = -5; batch < batches; batch++) {
    for (const [name, run] of Object.entries(WAYS)) {
      out[length - 1] = -1;
      const start = performance.now();
      run(calls, [a, b], out);
      const us = ((performance.now() - start) * 1000) / calls;
      const last = (a[length - 1] as number) + (b[length - 1] as number);
      if (out[length - 1] !== last) throw new Error(`${name}: wrong result`);
      if (batch >= 0) times.get(name)?.push(us);
    }
  }
  for (const [backend, all] of times) {
    const bytes = out.byteLength;
    const us = median(all);
    const result: Measurement = {
      backend,
      ranks: 1,
      op: "fold",
      bytes,
      us,
      best: Math.min(...all),
    };
    console.log(JSON.stringify({ ...result, nsPerElement: (us * 1000) / length }));
  }
}
