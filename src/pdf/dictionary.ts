// A dictionary of a PDF, taken apart into the text of its entries: one can be replaced, and all others stay as they were,
// byte for byte. It follows no reference. Text is Latin-1, one character a byte.
import { DOCUMENT_LIMITS } from './limits.ts';

/** The text of each value, by its key without the slash. */
export type Dictionary = Map<string, string>;

/** @returns undefined when no sound dictionary stands there */
export function readDictionary(text: string, from = 0): { entries: Dictionary; end: number } | undefined {
  const start = afterSpace(text, from);
  if (!text.startsWith('<<', start)) return undefined;
  const entries: Dictionary = new Map();
  let at = afterSpace(text, start + 2);
  while (!text.startsWith('>>', at)) {
    const name = NAME.exec(text.slice(at, at + LONGEST_NAME))?.[0];
    if (name === undefined) return undefined;
    const value = afterSpace(text, at + name.length);
    const end = endOfValue(text, value);
    if (end === undefined) return undefined;
    entries.set(plainName(name), text.slice(value, end));
    at = afterSpace(text, end);
  }
  return { entries, end: at + 2 };
}

/** The text of each element. @returns undefined when no sound array stands there */
export function readArray(text: string, from = 0): string[] | undefined {
  const start = afterSpace(text, from);
  if (text[start] !== '[') return undefined;
  const elements: string[] = [];
  let at = afterSpace(text, start + 1);
  while (text[at] !== ']') {
    const end = endOfValue(text, at);
    if (end === undefined) return undefined;
    elements.push(text.slice(at, end));
    at = afterSpace(text, end);
  }
  return elements;
}

export const writeDictionary = (entries: ReadonlyMap<string, string>): string =>
  `<<\n${[...entries].map(([key, value]) => `${writeName(key)} ${value}`).join('\n')}\n>>`;

/** A value of the form `12 0 R`. */
export function readReference(text: string | undefined): { number: number; generation: number } | undefined {
  const [, number, generation] = /^(\d{1,10})\s+(\d{1,5})\s+R$/.exec(text?.trim() ?? '') ?? [];
  return number === undefined ? undefined : { number: Number(number), generation: Number(generation) };
}

/** Text of people, as UTF-16 with its mark, in hexadecimal digits: no character of it means anything to a reader. */
export function writeText(text: string): string {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex').toUpperCase()}>`;
}

export const writeHex = (bytes: Uint8Array): string =>
  `<${Buffer.from(bytes).toString('hex').toUpperCase()}>`;

export const writeName = (name: string): string =>
  `/${name.replace(/[^!-~]|[#()<>[\]{}/%]/g, (one) => `#${one.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)}`;

const NAME = /^\/[^\0\t\n\f\r ()<>[\]{}/%]*/;
const LONGEST_NAME = 256;

const plainName = (name: string): string =>
  name.slice(1).replace(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

const SPACE = /(?:[\0\t\n\f\r ]+|%[^\r\n]*)*/y;

function afterSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.exec(text);
  return SPACE.lastIndex;
}

// What needs no look inside: a reference, a number, a name, a word, a string of hexadecimal digits.
const ATOM = /\d+\s+\d+\s+R(?![^\0\t\n\f\r ()<>[\]{}/%])|\/?[^\0\t\n\f\r ()<>[\]{}/%]+|\/|<[\s0-9a-fA-F]*>/y;

/** Where a value ends that begins at a place; undefined when it does not end. */
function endOfValue(text: string, from: number): number | undefined {
  const open: string[] = [];
  let at = from;
  do {
    const next = afterToken(text, at, open);
    if (next === undefined || open.length > DOCUMENT_LIMITS.nesting) return undefined;
    at = open.length > 0 ? afterSpace(text, next) : next;
  } while (open.length > 0);
  return at;
}

function afterToken(text: string, at: number, open: string[]): number | undefined {
  if (text[at] === '(') return endOfString(text, at);
  for (const [opening, closing] of PAIRS) {
    if (text.startsWith(opening, at)) {
      open.push(closing);
      return at + opening.length;
    }
    if (text.startsWith(closing, at)) return open.pop() === closing ? at + closing.length : undefined;
  }
  ATOM.lastIndex = at;
  return ATOM.test(text) ? ATOM.lastIndex : undefined;
}

const PAIRS = [
  ['<<', '>>'],
  ['[', ']'],
] as const;

function endOfString(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const one = text[at];
    if (one === '\\') at += 1;
    else if (one === '(') depth += 1;
    else if (one === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
