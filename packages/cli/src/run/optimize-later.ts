import { setFlagsFromString } from "node:v8";

/** About this many bytes of a function are executed before it is optimized; V8 itself waits for 1.8 million, and since Node.js 24 for 13. */
const BUDGET = 100_000_000;

/**
 * Lets V8 optimize the functions of the solver in WebAssembly later than it would. To optimize them takes 0.6 s of processor time, more than all
 * the rest of a small case. A case that trains for seconds takes as long as before.
 */
export function optimizeLater(): void {
  setFlagsFromString(`--wasm-tiering-budget=${BUDGET}`);
}
