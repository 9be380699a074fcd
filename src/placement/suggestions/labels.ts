// Finds the words that say what is to be written on a line: beside it, below it, or above it.
import type { Blank, PageBlanks } from '../../pdf/engine/engine.ts';
import type { Box } from '../../pdf/geometry.ts';
import type { LabelKind, WordReader } from './label-words.ts';

type Word = PageBlanks['words'][number];

/** Words on one line that belong together. */
type Phrase = Box & { words: Word[] };

/** `box`: of the words. `text`: without what only leads to the line. */
export type Label = { kind: LabelKind; text: string; box: Box };

/** Times the height of a word: wider gaps end a phrase. */
const WORD_GAP = 0.9;
/** In points: how far a label is from its line. */
const BESIDE = 24;
const BESIDE_WITH_COLON = 120;
const BELOW = 14;
const ABOVE = 40;
/** How much further left than its line a label may begin. */
const OUTDENT = 8;
/** Text that is larger is a heading. */
const LARGEST = 26;
/** Of running text, what may belong to the line that follows. */
const LAST_WORDS = 4;
/** A longer phrase is running text. */
const LABEL_WORDS = 8;

/**
 * @returns for each line its label, undefined where no word says what is to be written on it, or where a line only leads to the number of
 * a page
 */
export function findLabels({ blanks, words }: PageBlanks, read: WordReader): (Label | undefined)[] {
  const phrases = phrasesOf(words);
  return blanks.map((blank) => {
    const after = phraseAfter(blank, phrases);
    if (after && PAGE_NUMBER.test(after)) return undefined;
    return (
      labelInBrackets(blank, phrases, read) ??
      labelBeside(blank, blanks, phrases, read) ??
      labelBelow(blank, phrases, read) ??
      labelAbove(blank, blanks, phrases, read)
    );
  });
}

function phrasesOf(words: readonly Word[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (const word of words) {
    const last = phrases.at(-1);
    if (last && isNext(last, word)) {
      last.words.push(word);
      Object.assign(last, around(last, word));
    } else phrases.push({ ...boxOf(word), words: [word] });
  }
  return phrases;
}

const boxOf = ({ x, y, width, height }: Box): Box => ({ x, y, width, height });

function isNext(phrase: Phrase, word: Word): boolean {
  const gap = word.x - (phrase.x + phrase.width);
  const isBeside = Math.abs(word.y + word.height / 2 - (phrase.y + phrase.height / 2)) < word.height / 2;
  return isBeside && gap < word.height * WORD_GAP && gap > -word.height;
}

function around(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}

// ── where a label is ────────────────────────────────────────────────────────────────────────────────────────────

/** Whether a phrase is on the line that a blank is part of. */
const isOnLine = ({ y, height }: Box, blank: Blank): boolean => {
  const middle = y + height / 2;
  return middle <= blank.y + 1 && middle > blank.y - height;
};

const endOf = ({ x, width }: Pick<Box, 'x' | 'width'>): number => x + width;

const PAGE_NUMBER = /^\d+$/;

/** The first word after a line, up to the edge of the page. */
function phraseAfter(blank: Blank, phrases: readonly Phrase[]): string | undefined {
  const next = nextAfter(blank, phrases);
  return next && textOf(next.words);
}

const nextAfter = (blank: Blank, phrases: readonly Phrase[]): Phrase | undefined =>
  phrases
    .filter(
      (phrase) => isOnLine(phrase, blank) && phrase.x > endOf(blank) - 2 && phrase.x < endOf(blank) + BESIDE,
    )
    .sort((one, other) => one.x - other.x)[0];

/** "______ (date)" */
function labelInBrackets(blank: Blank, phrases: readonly Phrase[], read: WordReader): Label | undefined {
  const words = nextAfter(blank, phrases)?.words ?? [];
  const end = words.findIndex(({ text }) => text.includes(')'));
  return words[0]?.text.startsWith('(') && end !== -1
    ? labelOf(words.slice(0, end + 1), read, 'beside')
    : undefined;
}

/** "Date: ______" */
function labelBeside(
  blank: Blank,
  blanks: readonly Blank[],
  phrases: readonly Phrase[],
  read: WordReader,
): Label | undefined {
  const beside = phrases
    .filter((phrase) => isOnLine(phrase, blank) && endOf(phrase) <= blank.x + OUTDENT)
    .sort((one, other) => endOf(other) - endOf(one))[0];
  if (!beside) return undefined;
  const isColon = /[:：]$/.test(textOf(beside.words));
  if (blank.x - endOf(beside) > (isColon ? BESIDE_WITH_COLON : BESIDE)) return undefined;
  const isTaken = blanks.some(
    (other) =>
      other !== blank && isSameRow(other, blank) && other.x >= endOf(beside) - 4 && other.x < blank.x,
  );
  if (isTaken) return undefined;
  // Brackets belong to the line before them.
  const start = beside.words.findLastIndex(({ text }) => text.includes(')')) + 1;
  const words = beside.words.slice(start).slice(isColon ? -LABEL_WORDS : -LAST_WORDS);
  return words.length === 0 ? undefined : labelOf(words, read, 'beside');
}

const isSameRow = (one: Blank, other: Blank): boolean => Math.abs(one.y - other.y) < 6;

function labelBelow(blank: Blank, phrases: readonly Phrase[], read: WordReader): Label | undefined {
  const below = phrases.filter(
    (phrase) =>
      phrase.height <= LARGEST &&
      phrase.y + phrase.height / 2 > blank.y &&
      phrase.y - blank.y < BELOW &&
      phrase.x >= blank.x - OUTDENT &&
      phrase.x < blank.x + blank.width,
  );
  const first = Math.min(...below.map(({ y }) => y));
  for (const { words, y } of below)
    if (y - first < LARGEST / 2 && words.length <= LABEL_WORDS && !saysMore(words)) {
      const label = labelOf(words, read, 'below');
      if (label) return label;
    }
  return undefined;
}

/** Words that stand alone some way above a line, at its beginning. */
function labelAbove(
  blank: Blank,
  blanks: readonly Blank[],
  phrases: readonly Phrase[],
  read: WordReader,
): Label | undefined {
  const above = phrases
    .filter((phrase) => phrase.y + phrase.height <= blank.y && blank.y - (phrase.y + phrase.height) < ABOVE)
    .filter((phrase) => Math.abs(phrase.x - blank.x) < OUTDENT && phrase.height <= LARGEST)
    .sort((one, other) => other.y - one.y)[0];
  if (!above || above.words.length > LABEL_WORDS || saysMore(above.words)) return undefined;
  const isOfAnother = blanks.some(
    (other) => other !== blank && other.y < blank.y && other.y > above.y && isOver(other, blank),
  );
  const label = isOfAnother ? undefined : labelOf(above.words, read, 'above');
  return label?.kind === 'party' ? undefined : label;
}

const isOver = (one: Blank, other: Blank): boolean =>
  Math.min(one.x + one.width, other.x + other.width) > Math.max(one.x, other.x);

/** A colon with something after it: what is asked for is there already. */
const saysMore = (words: readonly Word[]): boolean => /[:：]\s*\S/.test(textOf(words));

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

// ── what a label asks for ───────────────────────────────────────────────────────────────────────────────────────

/** Of several kinds in one label the first counts: a signature also where its date is asked for on the same line. */
const BY_WEIGHT: readonly LabelKind[] = [
  'signature',
  'initials',
  'place',
  'date',
  'email',
  'name',
  'text',
  'party',
];

/** "By:" before the line for a signature, as American contracts have it. */
const BY = /^by[:：]$/i;
const LONGEST = 60;

function labelOf(
  words: readonly Word[],
  read: WordReader,
  where: 'above' | 'below' | 'beside',
): Label | undefined {
  const text = textOf(words);
  const found = text.split(/[^\p{L}\p{M}-]+/u).flatMap((word) => read(word) ?? []);
  const kind = BY.test(text) ? 'signature' : BY_WEIGHT.find((one) => found.includes(one));
  if (!kind) return undefined;
  const box = words.map(boxOf).reduce(around);
  const label = withoutBracket(text.replace(/[\s:：*.,;(]+$/u, '').replace(/^[\s(*.,;]+/u, ''));
  return { kind: kind === 'party' && where === 'beside' ? 'name' : kind, text: label.slice(0, LONGEST), box };
}

/** Removes a bracket that closes what is not in the label. */
const withoutBracket = (text: string): string =>
  text.endsWith(')') && !text.includes('(') ? text.slice(0, -1) : text;
