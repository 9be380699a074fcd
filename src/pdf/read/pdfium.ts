// Manages the one PDFium instance (WebAssembly) of this process: starts it when it is first needed, runs one job at a time, and
// discards it after a crash. It must never leak a document handle or a pointer out of a job.
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { ENGINE_LIMITS, type TooComplex } from '../limits.ts';
import { complexityOf } from './complexity/complexity.ts';
import { isHostileStreams } from './plain.ts';

/** PDFium's C functions, and the memory they share with us. Read it anew after every call: memory may grow. */
export type Pdfium = WrappedPdfiumModule & {
  pdfium: { HEAPU8: Uint8Array; HEAPF32: Float32Array; HEAPF64: Float64Array };
};

/**
 * Passwords are never asked for here: only the empty one is tried. `certificate_required` stands for every encryption that is not by
 * password; on a document that is `broken` PDFium died.
 */
export type OpenResult<T> = { ok: true; value: T } | { ok: false; reason: 'broken' } | OpenFailure;
export type OpenFailure =
  | { ok: false; reason: 'password_required' | 'certificate_required' | 'unreadable' }
  | TooComplex;

/** PDFium asks this source for fonts that are not in the file, from `attach` until the function that it returns is called. */
export type FontSource = { attach(pdfium: Pdfium): () => void };

// fpdfview.h; the second one stands for handlers (certificates, for example) that PDFium does not know.
const FPDF_ERR_PASSWORD = 4;
const FPDF_ERR_SECURITY = 5;

const WASM_PAGE_BYTES = 65_536;

let engine: Promise<Pdfium> | undefined;
let lastJob: Promise<unknown> = Promise.resolve();

/**
 * Opens `bytes` as a PDF, runs `job` on the document handle and closes everything again. Jobs run one after another, each to its end:
 * PDFium has one thread and documents hold memory. A file on which PDFium itself dies is answered with `broken`, and the next job gets a
 * fresh engine. Other errors thrown by `job` are bugs and pass through.
 * @param wasAccepted when `inspectPdf` has checked these bytes before: then they are not checked again
 * @param substitutes for fonts that are not in the file; without them PDFium uses its own, for Western European text
 */
export function withDocument<T>(
  bytes: Uint8Array,
  job: (pdfium: Pdfium, document: number) => T,
  {
    wasAccepted = false,
    substitutes,
    password = '',
  }: { wasAccepted?: boolean; substitutes?: FontSource | undefined; password?: string } = {},
): Promise<OpenResult<T>> {
  if (isHostileStreams(bytes)) return Promise.resolve({ ok: false, reason: 'unreadable' });
  // It compiles on threads of its own while the bytes are checked.
  ensureEngine().catch(ignore);
  const complexity = wasAccepted ? undefined : complexityOf(bytes);
  if (complexity) return Promise.resolve({ ok: false, reason: 'too_complex', ...complexity });
  const result = lastJob.then(async () => {
    const pdfium = await ensureEngine();
    const detach = substitutes?.attach(pdfium);
    try {
      return runOnDocument(pdfium, bytes, job, password);
    } finally {
      detach?.();
    }
  });
  lastJob = result.then(yieldToEventLoop, yieldToEventLoop);
  return result;
}

/** Starts PDFium, so that the first document does not wait for it. */
export async function startPdfium(): Promise<void> {
  await ensureEngine();
}

/** Counts the bytes of PDFium's memory: it grows when a document needs it and never shrinks. It is for tests of leaks. */
export async function engineMemoryBytes(): Promise<number> {
  return (await ensureEngine()).pdfium.HEAPU8.length;
}

/** Runs `job` with `sizeBytes` of PDFium's memory at `pointer`, and gives the memory back whatever happens. */
export function withMemory<T>(pdfium: Pdfium, sizeBytes: number, job: (pointer: number) => T): T {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const pointer = malloc(Math.max(1, sizeBytes));
  if (pointer === 0) throw new RangeError('PDFium is out of memory.');
  try {
    return job(pointer);
  } finally {
    free(pointer);
  }
}

/** Writes the document as PDFium would save it: the same objects under the same numbers, all of them written plainly. */
export function savedCopy(pdfium: Pdfium, document: number): Uint8Array {
  const writer = pdfium.PDFiumExt_OpenFileWriter();
  try {
    pdfium.PDFiumExt_SaveAsCopy(document, writer);
    const sizeBytes = pdfium.PDFiumExt_GetFileWriterSize(writer);
    return withMemory(pdfium, sizeBytes, (pointer) => {
      pdfium.PDFiumExt_GetFileWriterData(writer, pointer, sizeBytes);
      return pdfium.pdfium.HEAPU8.slice(pointer, pointer + sizeBytes);
    });
  } finally {
    pdfium.PDFiumExt_CloseFileWriter(writer);
  }
}

function runOnDocument<T>(
  pdfium: Pdfium,
  bytes: Uint8Array,
  job: (pdfium: Pdfium, document: number) => T,
  password: string,
): OpenResult<T> {
  wasMemoryRefused = false;
  let opened: OpenResult<T>;
  try {
    opened = withMemory(pdfium, bytes.length, (pointer) => {
      pdfium.pdfium.HEAPU8.set(bytes, pointer);
      return onOpenDocument(pdfium, { pointer, sizeBytes: bytes.length, password }, job);
    });
  } catch (error) {
    if (!isEngineDeath(error)) throw error;
    engine = undefined;
    opened = { ok: false, reason: 'broken' };
  }
  if (!wasMemoryRefused) return opened;
  // PDFium omits content for which it has no memory and continues: a page without its picture is not the page.
  engine = undefined;
  return { ok: false, reason: 'too_complex', limit: 'memory' };
}

function onOpenDocument<T>(
  pdfium: Pdfium,
  { pointer, sizeBytes, password }: { pointer: number; sizeBytes: number; password: string },
  job: (pdfium: Pdfium, document: number) => T,
): OpenResult<T> {
  const document = pdfium.FPDF_LoadMemDocument(pointer, sizeBytes, password);
  if (document === 0) {
    return { ok: false, reason: reasonOf(pdfium.FPDF_GetLastError()) };
  }
  try {
    return { ok: true, value: job(pdfium, document) };
  } finally {
    pdfium.FPDF_CloseDocument(document);
  }
}

function reasonOf(error: number): 'password_required' | 'certificate_required' | 'unreadable' {
  if (error === FPDF_ERR_PASSWORD) return 'password_required';
  return error === FPDF_ERR_SECURITY ? 'certificate_required' : 'unreadable';
}

/** PDFium dies by a trap in the WASM code, or when its stack or its memory runs out: after that its state cannot be trusted any more. */
function isEngineDeath(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function ensureEngine(): Promise<Pdfium> {
  engine ??= startEngine();
  return engine;
}

async function startEngine(): Promise<Pdfium> {
  // First, because V8 takes code that was kept of it only as long as no flag was changed.
  const { init } = await import('@embedpdf/pdfium');
  skipValidationUpFront();
  const wasmPath = nodeModule.createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
  const compiled = await WebAssembly.compile(readFileSync(wasmPath));
  // The loader waits for an instance and hears nothing of a failure.
  const pdfium = await new Promise<Pdfium>((resolve, reject) => {
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ) => {
      refuseGrowth(imports);
      WebAssembly.instantiate(compiled, imports)
        .then((instance) => {
          boundMemory(instance.exports.memory as WebAssembly.Memory);
          done(instance);
        })
        .catch(reject);
      return {};
    };
    // What it prints when memory is refused is for its authors.
    init({ instantiateWasm, print: ignore, printErr: ignore }).then(
      (module) => resolve(module as Pdfium),
      reject,
    );
  });
  pdfium.PDFiumExt_Init();
  callDirectly(pdfium);
  return pdfium;
}

/**
 * These functions are called for each letter of a page. Around every call Emscripten puts checks and conversions, which take several times
 * as long as these functions do; they take numbers only, and 0 or 1 is what they return for false or true.
 */
const PER_LETTER = [
  'FPDFText_GetCharBox',
  'FPDFText_GetCharOrigin',
  'FPDFText_GetLooseCharBox',
  'FPDFText_GetMatrix',
  'FPDFText_GetUnicode',
  'FPDFText_IsGenerated',
  'FPDFText_IsHyphen',
] as const satisfies readonly (keyof Pdfium)[];

function callDirectly(pdfium: Pdfium): void {
  const exported: object = pdfium.pdfium.wasmExports;
  for (const name of PER_LETTER) Object.assign(pdfium, { [name]: Reflect.get(exported, name) });
}

const ignore = () => undefined;

let wasMemoryRefused = false;

/**
 * Bounds the memory of PDFium, which would grow to 2 GB. The module requests more through one function; if
 * that refuses, PDFium continues without the content for which it had no memory.
 */
function refuseGrowth(imports: WebAssembly.Imports): void {
  const environment = imports.env as { emscripten_resize_heap: (sizeBytes: number) => unknown };
  const grow = environment.emscripten_resize_heap;
  environment.emscripten_resize_heap = (sizeBytes) => {
    // An unsigned number, as the module gives it.
    const isGiven = sizeBytes >>> 0 <= ENGINE_LIMITS.wasmBytes && Boolean(grow(sizeBytes));
    wasMemoryRefused ||= !isGiven;
    return isGiven;
  };
}

/** Bounds the growth of the memory, which is a fifth more than requested, by the limit as well. */
function boundMemory(memory: WebAssembly.Memory): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * WASM_PAGE_BYTES <= ENGINE_LIMITS.wasmBytes) return grow(pages);
    throw new RangeError('The memory of PDFium has reached its limit.');
  };
}

/**
 * Lets V8 validate each WebAssembly function when it is first called: 8 of 50 ms on Node 20. Later
 * versions gain nothing by it, and it is a compile cache of Node's own (22.8) that tells them.
 */
function skipValidationUpFront(): void {
  if (!('enableCompileCache' in nodeModule)) setFlagsFromString('--wasm-lazy-validation');
}
