// Objects of a PDF that an update changes or adds, collected until they are appended.
import { nextNumber, type ObjectContent } from '../syntax/incremental.ts';
import type { PdfFile } from '../syntax/read-pdf.ts';
import { type Dict, Ref, type Value } from '../syntax/values.ts';
import { writeValue } from '../syntax/write-value.ts';

export class ChangedObjects {
  readonly #file: PdfFile;
  readonly #values = new Map<number, Value>();
  readonly #streams = new Map<number, Uint8Array>();
  #next: number;

  constructor(file: PdfFile) {
    this.#file = file;
    this.#next = nextNumber(file);
  }

  add(value: Value): Ref {
    const ref = this.#reserve();
    this.#values.set(ref.number, value);
    return ref;
  }

  addStream(content: Uint8Array): Ref {
    const ref = this.#reserve();
    this.#streams.set(ref.number, content);
    return ref;
  }

  #reserve(): Ref {
    this.#next += 1;
    return new Ref(this.#next - 1, 0);
  }

  /** Changes what stands at a path from an object, in that object or in those that it leads to; null where nothing is. */
  change(from: Ref, path: readonly string[], change: (value: Value) => Value): void {
    this.#changed(from, path, change);
  }

  #changed(value: Value, path: readonly string[], change: (value: Value) => Value): Value {
    if (value instanceof Ref) {
      const current = this.#current(value);
      const next = this.#changed(current, path, change);
      if (next !== current) this.#values.set(value.number, next);
      return value;
    }
    const [key, ...rest] = path;
    if (key === undefined) return change(value);
    const dict: Dict = value instanceof Map ? value : new Map();
    const current = dict.get(key) ?? null;
    const next = this.#changed(current, rest, change);
    return next === current ? value : new Map(dict).set(key, next);
  }

  #current({ number }: Ref): Value {
    return this.#values.get(number) ?? this.#file.latest.object(number)?.value ?? null;
  }

  /** What is to be appended. */
  contents(): Map<number, ObjectContent> {
    const values = [...this.#values].map(([number, value]): [number, string] => [number, writeValue(value)]);
    return new Map<number, ObjectContent>([...this.#streams, ...values]);
  }
}
