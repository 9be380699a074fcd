// Writes the answer to the scripts of the shells: a line that says what to offer, then `VALUE TAB DESCRIPTION` lines.
// Names come from a service, so no line may break, move the cursor, or be anything but a value.
import { safeText } from '../terminal/safe-text.ts';
import { type Completion, complete, type KnownOffers } from './complete.ts';
import type { CompletionData, Offer } from './words.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

/** The limit for offers; the newest come first. */
const MOST = 500;
const LONGEST_VALUE = 200;
const LONGEST_ABOUT = 70;

/** Answers one press of TAB. @param variables ESIGN_COMPLETE_*, set by the script of the shell */
export async function answerShell(
  shell: Shell,
  variables: Readonly<Record<string, string | undefined>>,
  data: CompletionData,
  offersOf: KnownOffers,
): Promise<string> {
  if (shell === 'bash') {
    const { ESIGN_COMPLETE_LINE: line = '', ESIGN_COMPLETE_BREAKS: breaks = '' } = variables;
    return answerBash(line, breaks, data, offersOf);
  }
  const { ESIGN_COMPLETE_WORDS: typed = '', ESIGN_COMPLETE_CURRENT: current = '' } = variables;
  const [, ...words] = typed.split('\n');
  const completion = await complete(words, current, data, offersOf);
  // zsh sets the part before the value aside by itself.
  const before = shell === 'zsh' ? '' : completion.before;
  const offers = printableOffers(completion).map(({ value, about }) => ({ value: before + value, about }));
  // zsh and fish filter the offers by their own rules, which accept more than ours.
  return formatAnswer(
    completion.kind,
    shell === 'powershell' ? offers.filter(({ value }) => value.startsWith(current)) : offers,
    shell === 'zsh' && completion.before !== '' ? ' inline' : '',
  );
}

async function answerBash(
  line: string,
  breaks: string,
  data: CompletionData,
  offersOf: KnownOffers,
): Promise<string> {
  const { words, current, quote, kept, isRedirected } = readBashLine(line, breaks);
  if (isRedirected) return formatAnswer('files', []);
  const completion = await complete(words, current, data, offersOf);
  const offers = printableOffers(completion).flatMap(({ value, about }) => {
    const whole = completion.before + value;
    if (!whole.startsWith(current)) return [];
    const text = quotedForBash(whole.slice(kept), quote);
    return text === undefined ? [] : [{ value: text, about }];
  });
  return formatAnswer(completion.kind, offers);
}

/** Removes values that a shell could not put on the line unchanged. */
const printableOffers = ({ offers }: Completion): Offer[] =>
  offers
    .filter(
      ({ value }) =>
        typeof value === 'string' &&
        value !== '' &&
        value.length <= LONGEST_VALUE &&
        safeText(value) === value,
    )
    .map(({ value, about }) => ({ value, about: clipped(safeText(about)) }));

const clipped = (text: string): string => {
  const characters = [...text];
  return characters.length <= LONGEST_ABOUT ? text : `${characters.slice(0, LONGEST_ABOUT - 1).join('')}…`;
};

function formatAnswer(kind: Completion['kind'], offers: readonly Offer[], how = ''): string {
  const lines = offers.slice(0, MOST).map(({ value, about }) => `${value}\t${about}`);
  return `${[kind + how, ...lines].join('\n')}\n`;
}

/** `'` or `"` when the word at the cursor is in open quotes. */
type OpenQuote = '' | "'" | '"';

type TypedLine = {
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
