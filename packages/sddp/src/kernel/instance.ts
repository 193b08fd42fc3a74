import { KERNEL_MODULE_BASE64 } from "./module.js";

/** The functions of `assembly/`. Numbers are addresses in bytes or counts. */
export interface Kernel {
  addTerms(
    start: number,
    step: number,
    coefficients: number,
    width: number,
    count: number,
    values: number,
    end: number,
    heights: number,
  ): number;
}

/** The functions of `assembly/`, working on the given memory. */
export function kernelOver(memory: WebAssembly.Memory): Kernel {
  const compiled = new WebAssembly.Module(Buffer.from(KERNEL_MODULE_BASE64, "base64"));
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Kernel;
}
