/**
 * The part of WebAssembly's interface that is used here. The full interface comes only with the
 * browser's type library, whose globals do not exist in Node.js.
 */
declare global {
  namespace WebAssembly {
    class Memory {
      constructor(descriptor: { initial: number; maximum?: number });
      readonly buffer: ArrayBuffer;
    }
    class Module {
      constructor(bytes: Uint8Array);
    }
    type Exports = Record<string, unknown>;
    class Instance {
      constructor(module: Module, imports: Record<string, Record<string, unknown>>);
      readonly exports: Exports;
    }
  }
}

export {};
