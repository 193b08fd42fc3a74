import { KERNEL_MODULE_BASE64 } from "./module.js";

let compiled: WebAssembly.Module | undefined;

/**
 * The functions of `assembly/`, working on the given memory. They are compiled at first use, not on
 * import, because many programs never need them.
 */
export function kernelOver(memory: WebAssembly.Memory): WebAssembly.Exports {
  compiled ??= new WebAssembly.Module(Buffer.from(KERNEL_MODULE_BASE64, "base64"));
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports;
}
