// Splits a command line of bash up to the cursor into words as bash does, without evaluating anything; and quotes a value so
// that bash reads it back unchanged.

/** `'` or `"` when the word at the cursor is in open quotes. */
export type OpenQuote = '' | "'" | '"';

export type TypedLine = {
  /** Before the cursor, quotes taken off, without the program itself. */
  words: string[];
  /** What is typed of the word at the cursor, quotes taken off. */
  current: string;
  quote: OpenQuote;
  /** How much of `current` stands before what bash replaces. */
  kept: number;
  /** The word at the cursor is the target or source of a redirection. */
  isRedirected: boolean;
};

const BLANK = /[ \t\n]/;
const SEPARATOR = /[<>|&;]/;

/** Reads a command line. @param line up to the cursor @param breaks COMP_WORDBREAKS */
export function readBashLine(line: string, breaks: string): TypedLine {
  const words: { text: string; isRedirected: boolean }[] = [];
  let current = '';
  let isWord = false;
  let kept = 0;
  let keptOutside = 0;
  let quote: OpenQuote = '';
  let isRedirected = false;
  const end = () => {
    if (isWord) {
      words.push({ text: current, isRedirected });
      isRedirected = false;
    }
    current = '';
    isWord = false;
    kept = 0;
  };
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    const next = line.charAt(index + 1);
    if (quote === "'" || (quote === '"' && character !== '\\')) {
      if (character === quote) {
        quote = '';
        kept = keptOutside;
      } else current += character;
    } else if (character === '\\') {
      // Inside double quotes only some characters lose their backslash.
      current += quote === '"' && !/[$`"\\\n]/.test(next) ? character + next : next;
      isWord = true;
      index += 1;
    } else if (character === "'" || character === '"') {
      quote = character;
      isWord = true;
      // In open quotes bash replaces what stands inside them.
      keptOutside = kept;
      kept = current.length;
    } else if (BLANK.test(character)) end();
    else if (SEPARATOR.test(character)) {
      end();
      isRedirected = /[<>]/.test(character);
    } else {
      current += character;
      isWord = true;
      if (breaks.includes(character)) kept = current.length;
    }
  }
  return {
    words: words
      .filter((word) => !word.isRedirected)
      .slice(1)
      .map(({ text }) => text),
    current,
    quote,
    kept,
    isRedirected,
  };
}

const PLAIN = /^[\p{L}\p{N}\p{M}_@%+=:,./-]$/u;

/** Quotes a value for the line; undefined when that is not possible. */
export function quotedForBash(text: string, quote: OpenQuote): string | undefined {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '"') return text.includes('!') ? undefined : text.replace(/[$`"\\]/g, '\\$&');
  return [...text].map((character) => (PLAIN.test(character) ? character : `\\${character}`)).join('');
}
