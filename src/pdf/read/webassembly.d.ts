// Gives types to the part of the WebAssembly API that pdfium.ts uses: TypeScript has it only among the types of a browser page, which
// this project leaves out, and @types/node declares the names without the functions.
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}
