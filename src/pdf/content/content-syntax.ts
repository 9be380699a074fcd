// Reads the content of a page, or of a drawing on it, token by token: what it leaves open, which names it uses, and whether viewers
// read it alike. They agree on content that follows the syntax and on what is merely left open at its end; behind anything else
// some of them stop, skip or swallow what follows. It reads tokens itself and is no visitor of the interpreter, because it needs what that
// refuses or passes over: stray delimiters, operators without their operands, and what is open where the content ends.
import {
  BACKSLASH,
  BRACKET,
  BRACKET_END,
  CR,
  GREATER,
  isRegular,
  LESS,
  LF,
  MINUS,
  PAREN,
  PAREN_END,
  PERCENT,
  PLUS,
  POINT,
  SLASH,
} from '../read/characters.ts';
import { inlineImageEnd } from './inline-image.ts';

export type ContentState = {
  /** Operators before and after the content keep state that it leaves open from later drawings. */
  before: string;
  after: string;
  /** All viewers read sound content alike. */
  isSound: boolean;
  /** Names are written without their slashes. */
  names: ReadonlySet<string>;
};

/** Viewers skip some words that are no operators and operands beyond the most, and stop at a hundred. */
const MOST_SLIPS = 20;
/** An operator takes at most a color of 32 components and the name of its pattern. */
const MOST_OPERANDS = 33;
const MOST_NESTED = 32;
/** Coordinates beyond this overflow in some viewers. */
const LARGEST_NUMBER = 1e10;

/** It lists the operators of ISO 32000-1, annex A, with the number of operands that each takes at least. */
const OPERATORS = new Map<string, number>(
  [
    'q Q h S s f F f* B B* b b* n W W* BT ET T* EMC BX EX BI',
    "w J j M ri i gs Tc Tw Tz TL Tr Ts Tj TJ ' CS cs SC SCN sc scn G g sh Do MP BMC",
    'd m l Tf Td TD d0 DP BDC',
    'RG rg "',
    're v y K k',
    '',
    'cm c Tm d1',
  ].flatMap((words, count) => words.split(' ').map((word) => [word, count] as const)),
);

const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d];

const NUMBER_STARTS = new Set([...Buffer.from('0123456789'), PLUS, MINUS, POINT]);
/** Operators have three letters at most. */
const LONGEST_WORD = 8;

type Reading = {
  content: Buffer;
  at: number;
  saved: number;
  least: number;
  marked: number;
  isInText: boolean;
  /** They end the arrays and dictionaries that are open, the last one last. */
  ends: string[];
  operands: number;
  slips: number;
  isSound: boolean;
  names: Set<string>;
  /** The header of an inline picture begins here. */
  picture: number | undefined;
};

export function readContent(content: Buffer): ContentState {
  const reading: Reading = {
    content,
    at: 0,
    saved: 0,
    least: 0,
    marked: 0,
    isInText: false,
    ends: [],
    operands: 0,
    slips: 0,
    isSound: true,
    names: new Set(),
    picture: undefined,
  };
  let end = '';
  while (reading.at < content.length && end === '') end = readToken(reading);
  const { saved, least, marked, isInText, ends, slips, names, picture } = reading;
  const after = [
    end,
    ...ends.toReversed(),
    isInText ? 'ET' : '',
    'EMC '.repeat(marked),
    'Q '.repeat(saved - least + 1),
  ];
  return {
    before: 'q '.repeat(1 - least),
    after: after.filter((item) => item !== '').join('\n'),
    isSound: reading.isSound && slips <= MOST_SLIPS && picture === undefined,
    names,
  };
}

function readToken(reading: Reading): string {
  const { content, at } = reading;
  const byte = content[at]!;
  if (isRegular(byte)) return readWord(reading);
  reading.at += 1;
  switch (byte) {
    case SLASH:
      reading.at = endOfWord(content, at + 1);
      reading.names.add(content.toString('latin1', at + 1, reading.at));
      addOperand(reading);
      return '';
    case PAREN: {
      const end = endOfString(content, at);
      reading.at = end.at;
      addOperand(reading);
      return ')'.repeat(end.depth);
    }
    case PERCENT:
      reading.at = endOfLine(content, at);
      return reading.at === content.length ? '\n' : '';
    case LESS: {
      if (content[at + 1] === LESS) return open(reading, '>>', at + 2);
      const end = content.indexOf(GREATER, at);
      reading.at = end === -1 ? content.length : end + 1;
      addOperand(reading);
      return end === -1 ? '>' : '';
    }
    case BRACKET:
      return open(reading, ']', at + 1);
    case BRACKET_END:
      return close(reading, ']', at + 1);
    case GREATER:
      return content[at + 1] === GREATER ? close(reading, '>>', at + 2) : close(reading, '>', at + 1);
    case PAREN_END:
    case OPEN_BRACE:
    case CLOSE_BRACE:
      reading.isSound = false;
      return '';
    default:
      return '';
  }
}

function open(reading: Reading, end: string, at: number): string {
  reading.at = at;
  reading.ends.push(end);
  if (reading.ends.length > MOST_NESTED) reading.isSound = false;
  return '';
}

function close(reading: Reading, end: string, at: number): string {
  reading.at = at;
  if (reading.ends.at(-1) === end) {
    reading.ends.pop();
    addOperand(reading);
  } else reading.isSound = false;
  return '';
}

/** Everything in an array or a dictionary belongs to one operand. */
function addOperand(reading: Reading): void {
  if (reading.ends.length > 0 || reading.picture !== undefined) return;
  reading.operands += 1;
  if (reading.operands > MOST_OPERANDS) reading.slips += 1;
}

function readWord(reading: Reading): string {
  const { content, at } = reading;
  const end = endOfWord(content, at);
  reading.at = end;
  if (NUMBER_STARTS.has(content[at]!)) {
    if (!isPlainNumber(content, at, end)) reading.isSound = false;
    addOperand(reading);
    return '';
  }
  const text = content.toString('latin1', at, Math.min(end, at + LONGEST_WORD));
  if (text === 'ID' && reading.picture !== undefined) return readPicture(reading, end);
  if (text === 'true' || text === 'false' || text === 'null') addOperand(reading);
  // A word in an array or a dictionary is no operator to some viewers, and ends both for others.
  else if (reading.ends.length > 0) reading.isSound = false;
  else if (reading.picture === undefined) applyOperator(reading, text);
  else reading.isSound = false;
  return '';
}

/** A plain number has digits with a point at most: an exponent or a second sign is read in different ways, and a long number overflows. */
function isPlainNumber(content: Buffer, start: number, end: number): boolean {
  let digits = 0;
  let points = 0;
  for (let at = start; at < end; at += 1) {
    const byte = content[at]!;
    if (byte >= 0x30 && byte <= 0x39) digits += 1;
    else if (byte === POINT) points += 1;
    else if (at > start || (byte !== PLUS && byte !== MINUS)) return false;
  }
  if (digits === 0 || points > 1) return false;
  return end - start <= 10 || Math.abs(Number(content.toString('latin1', start, end))) <= LARGEST_NUMBER;
}

function readPicture(reading: Reading, afterId: number): string {
  const { content, picture = 0 } = reading;
  const end = inlineImageEnd(content, { header: picture, data: afterId });
  reading.picture = undefined;
  reading.operands = 0;
  reading.at = end.at;
  if (!end.isSound) reading.isSound = false;
  return end.isFound ? '' : '\nEI';
}

function applyOperator(reading: Reading, word: string): void {
  const least = OPERATORS.get(word);
  if (least === undefined) reading.slips += 1;
  // A viewer stops at an operator that lacks operands.
  else if (reading.operands < least) reading.isSound = false;
  reading.operands = 0;
  switch (word) {
    case 'q':
      reading.saved += 1;
      break;
    case 'Q':
      reading.saved -= 1;
      reading.least = Math.min(reading.least, reading.saved);
      break;
    case 'BT':
      reading.isInText = true;
      break;
    case 'ET':
      reading.isInText = false;
      break;
    case 'BMC':
    case 'BDC':
      reading.marked += 1;
      break;
    case 'EMC':
      reading.marked = Math.max(0, reading.marked - 1);
      break;
    case 'BI':
      reading.picture = reading.at;
      break;
  }
}

function endOfString(content: Buffer, start: number): { at: number; depth: number } {
  let depth = 0;
  for (let at = start; at < content.length; at += 1) {
    const byte = content[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === PAREN) depth += 1;
    else if (byte === PAREN_END) {
      depth -= 1;
      if (depth === 0) return { at: at + 1, depth };
    }
  }
  return { at: content.length, depth };
}

function endOfLine(content: Buffer, start: number): number {
  let at = start;
  while (at < content.length && content[at] !== LF && content[at] !== CR) at += 1;
  return at;
}

function endOfWord(content: Buffer, start: number): number {
  let at = start;
  while (isRegular(content[at])) at += 1;
  return at;
}
