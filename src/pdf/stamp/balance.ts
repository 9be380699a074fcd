// Reads the content of a page just far enough to tell what it leaves open: saved states, text, marked content, even a string
// without an end. What is drawn behind it would otherwise be moved, hidden or swallowed. It must never change the content.

/** What has to stand before the content, and behind it. */
export type Balance = { before: string; after: string };

const [OPEN, CLOSE, LESS, GREATER, BACKSLASH, PERCENT, SLASH] = [0x28, 0x29, 0x3c, 0x3e, 0x5c, 0x25, 0x2f];
const [OPEN_ARRAY, CLOSE_ARRAY] = [0x5b, 0x5d];

export function balanceOf(content: Buffer): Balance {
  const open: Open = { saved: 0, least: 0, marked: 0, text: false, arrays: 0, dictionaries: 0 };
  const end = read(content, open);
  const saved = open.saved - open.least;
  const after = [
    end,
    '>>'.repeat(open.dictionaries),
    ']'.repeat(open.arrays),
    open.text ? 'ET' : '',
    'EMC '.repeat(open.marked),
    'Q '.repeat(saved + 1),
  ];
  return { before: 'q '.repeat(1 - open.least), after: after.filter((one) => one !== '').join('\n') };
}

type Open = {
  saved: number;
  /** The lowest that `saved` came to. */
  least: number;
  marked: number;
  text: boolean;
  arrays: number;
  dictionaries: number;
};

/** @returns what ends the last piece, where the content ends within one */
function read(content: Buffer, open: Open): string {
  for (let at = 0; at < content.length; ) {
    const byte = content[at]!;
    if (byte === OPEN) {
      const end = endOfString(content, at);
      if (end.depth > 0) return ')'.repeat(end.depth);
      at = end.at;
    } else if (byte === PERCENT) {
      at = endOfLine(content, at);
      if (at === content.length) return '\n';
    } else if (byte === LESS && content[at + 1] !== LESS) {
      const end = content.indexOf(GREATER, at);
      if (end === -1) return '>';
      at = end + 1;
    } else if (byte === LESS || (byte === GREATER && content[at + 1] === GREATER)) {
      open.dictionaries = Math.max(0, open.dictionaries + (byte === LESS ? 1 : -1));
      at += 2;
    } else if (byte === OPEN_ARRAY || byte === CLOSE_ARRAY) {
      open.arrays = Math.max(0, open.arrays + (byte === OPEN_ARRAY ? 1 : -1));
      at += 1;
    } else if (byte === SLASH || IS_REGULAR[byte]) {
      const end = endOfWord(content, at + 1);
      if (byte !== SLASH) count(content.toString('latin1', at, Math.min(end, at + 4)), open);
      if (end - at === 2 && content[at] === 0x49 && content[at + 1] === 0x44) {
        const after = endOfPicture(content, end);
        if (after === -1) return '\nEI';
        at = after;
      } else at = end;
    } else at += 1;
  }
  return '';
}

function count(word: string, open: Open): void {
  if (word === 'q') open.saved += 1;
  else if (word === 'Q') {
    open.saved -= 1;
    open.least = Math.min(open.least, open.saved);
  } else if (word === 'BT') open.text = true;
  else if (word === 'ET') open.text = false;
  else if (word === 'BMC' || word === 'BDC') open.marked += 1;
  else if (word === 'EMC') open.marked = Math.max(0, open.marked - 1);
}

function endOfString(content: Buffer, start: number): { at: number; depth: number } {
  let depth = 0;
  for (let at = start; at < content.length; at += 1) {
    const byte = content[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE) {
      depth -= 1;
      if (depth === 0) return { at: at + 1, depth };
    }
  }
  return { at: content.length, depth };
}

function endOfLine(content: Buffer, start: number): number {
  let at = start;
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at += 1;
  return at;
}

function endOfWord(content: Buffer, start: number): number {
  let at = start;
  while (at < content.length && IS_REGULAR[content[at]!]) at += 1;
  return at;
}

/** The samples of a picture in the content (ISO 32000-1, 8.9.7) end at a lone EI. */
function endOfPicture(content: Buffer, start: number): number {
  for (let at = content.indexOf('EI', start); at !== -1; at = content.indexOf('EI', at + 1)) {
    const isAlone = IS_SPACE[content[at - 1]!] && (at + 2 >= content.length || IS_SPACE[content[at + 2]!]);
    if (isAlone) return at + 2;
  }
  return -1;
}

const SPACES = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);
const DELIMITERS = new Set([...'()<>[]{}/%'].map((one) => one.charCodeAt(0)));
const IS_SPACE = Array.from({ length: 256 }, (_, byte) => SPACES.has(byte));
const IS_REGULAR = Array.from({ length: 256 }, (_, byte) => !SPACES.has(byte) && !DELIMITERS.has(byte));
