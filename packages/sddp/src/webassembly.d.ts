/** The part of WebAssembly's JavaScript interface that is used here. The types of Node.js do not include it. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    constructor(descriptor: { initial: number });
    readonly buffer: ArrayBuffer;
  }
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Record<string, unknown>;
  }
}
