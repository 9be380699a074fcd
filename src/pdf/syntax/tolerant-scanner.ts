// Reads values of PDF syntax as the most tolerant readers do, for decisions that have to hold for all readers: what is no value is null,
// what does not end is read as far as it goes, and everything in between is skipped. Sound syntax has the same values as for `Scanner`,
// but for strings, which are null. It must never throw, or nest deeper than the limit.
import { DOCUMENT_LIMITS } from '../limits.ts';
import { afterLiteral, BRACKET_END, GREATER, SLASH } from './characters.ts';
import { NOTHING, Scanner } from './scanner.ts';
import { type Dict, Ref, type Value } from './values.ts';

/** Deeper values are refused before, where they are in the open. */
const DEPTH = DOCUMENT_LIMITS.nesting;
const ANY_DIGITS = Number.POSITIVE_INFINITY;

export class TolerantScanner extends Scanner {
  override value(depth: number = DEPTH): Value {
    const found = super.value(depth);
    if (found !== NOTHING) return found;
    this.at = this.end;
    return null;
  }

  override dict(depth: number = DEPTH): Dict {
    this.at += 2;
    const dict: Dict = new Map();
    for (;;) {
      this.skipBlanks();
      if (this.at >= this.end) return dict;
      const byte = this.bytes[this.at];
      if (byte === GREATER) {
        this.at += this.at + 1 < this.end && this.bytes[this.at + 1] === GREATER ? 2 : 1;
        return dict;
      }
      if (byte !== SLASH) this.value(depth - 1);
      else dict.set(this.name(), this.value(depth - 1));
    }
  }

  protected override array(depth: number): Value[] {
    this.at += 1;
    const items: Value[] = [];
    for (;;) {
      this.skipBlanks();
      if (this.at >= this.end) return items;
      if (this.bytes[this.at] === BRACKET_END) {
        this.at += 1;
        return items;
      }
      items.push(this.value(depth - 1));
    }
  }

  protected override hex(): null {
    const close = this.bytes.indexOf(GREATER, this.at);
    this.at = close === -1 ? this.end : Math.min(this.end, close + 1);
    return null;
  }

  protected override literal(): null {
    this.at = afterLiteral(this.bytes, this.at, this.end);
    return null;
  }

  protected override numberOrWord(): Value {
    const start = this.at;
    const found = super.numberOrWord();
    if (this.at === start) this.at += 1; // a closing bracket that nothing opened
    if (found === NOTHING) return null;
    if (typeof found !== 'number' || !Number.isInteger(found)) return found;
    const generation = this.restOfReference(ANY_DIGITS);
    return generation === undefined ? found : new Ref(found, generation);
  }
}
