// Finds the words that say what is to be written in a place: beside it, at the beginning of its row, at the top of its column, below it, or
// above it.
import type { Blank } from '../../pdf/engine/engine.ts';
import { type Box, leastOf } from '../../pdf/geometry.ts';
import {
  around,
  boxOf,
  endOf,
  type LabelKind,
  middleOf,
  type Phrase,
  type ReadPage,
  textOf,
  type Word,
  type WordReader,
} from './label-words.ts';
import { hasLegalForm, type Tokens, tokensOf, weightOfName } from './names.ts';
import { SUGGESTION_LIMITS } from './suggestion.ts';

/**
 * `box` surrounds the words. `text` omits what only leads to the line. `row` has the words at the beginning of its row, where that has a
 * label of its own. `isCertain` says that the words ask for this and nothing else. `role` is the party that they name.
 */
export type Label = {
  kind: LabelKind;
  text: string;
  box: Box;
  isCertain: boolean;
  row?: string;
  role?: string;
};

/** A label is at most this far from its line, in points. */
const BESIDE = 24;
const BESIDE_WITH_COLON = 120;
const BELOW = 14;
const ABOVE = 40;
const COLUMN_HEADING = 400;
/** A label may begin this much further left than its line. */
const OUTDENT = 8;
/** Text that is larger is a heading. */
const LARGEST = 26;
/** The last words of running text, this many at most, may belong to the line that follows. */
const LAST_WORDS = 4;
/** A longer phrase is running text. */
const LABEL_WORDS = 8;
/** Lines of a column begin and end at the same place, and those of a row are as low. */
const ALIGNED = 4;
const SAME_ROW = 6;

type Reading = ReadPage & { read: WordReader; names: readonly Tokens[] };

/**
 * @param names of the people who may sign
 * @returns for each place its label, undefined where no word says what is to be written there, or where a line only leads to the number of
 * a page
 */
export function findLabels(
  page: ReadPage,
  read: WordReader,
  names: readonly Tokens[],
): (Label | undefined)[] {
  const reading = { ...page, read, names };
  const { blanks } = page;
  // Words before a line belong to it, whatever they say, and to no line above or below.
  const leadingPhrases = new Set(blanks.flatMap((blank) => phraseBefore(blank, reading) ?? []));
  const labels = blanks.map((blank) => {
    if (blank.isCell) return labelOfCell(blank, reading);
    const label = labelInBrackets(blank, reading) ?? labelBeside(blank, reading);
    return label || phraseBefore(blank, reading) ? label : labelOfRow(blank, reading, leadingPhrases);
  });
  const isOpen = (index: number) =>
    labels[index] === undefined && !blanks[index]!.isCell && !leadsToNumber(blanks[index]!, reading);
  const filled = new Set(blanks.filter((blank) => isFilled(blank, reading, leadingPhrases)));
  // In a table whose rows have words at their beginning, those above or below belong to other cells.
  const rows = blanks.filter((blank) => !blank.isCell && labelOfRow(blank, reading, leadingPhrases));
  const isInTable = (blank: Blank) => rows.some((row) => row !== blank && isAligned(row, blank));
  for (const find of [labelBelow, labelAbove])
    for (const [index, blank] of blanks.entries()) {
      const match =
        isOpen(index) && !filled.has(blank) && !isInTable(blank)
          ? find(blank, reading, leadingPhrases)
          : undefined;
      if (!match) continue;
      labels[index] = match.label;
      leadingPhrases.add(match.phrase);
    }
  for (const [index, blank] of blanks.entries())
    if (isOpen(index) && !filled.has(blank) && !isInTable(blank))
      labels[index] = labelOfTwin(index, labels, reading, leadingPhrases);
  return labels.map((label, index) => {
    const blank = blanks[index]!;
    return filled.has(blank) || leadsToNumber(blank, reading) ? undefined : label;
  });
}

// ── on its line ─────────────────────────────────────────────────────────────────────────────────────────────────────

const isOnLine = (phrase: Phrase, blank: Blank): boolean =>
  middleOf(phrase) <= blank.y + 1 && middleOf(phrase) > blank.y - phrase.height;

const PAGE_NUMBER = /^\d+$/;

function leadsToNumber(blank: Blank, { phrases }: Reading): boolean {
  const next = blank.isCell ? undefined : nextAfter(blank, phrases);
  return next !== undefined && PAGE_NUMBER.test(textOf(next.words));
}

const nextAfter = (blank: Blank, phrases: readonly Phrase[]): Phrase | undefined =>
  phrases
    .filter(
      (phrase) => isOnLine(phrase, blank) && phrase.x > endOf(blank) - 2 && phrase.x < endOf(blank) + BESIDE,
    )
    .sort((a, b) => a.x - b.x)[0];

/** Such a label stands behind the line: "______ (date)". */
function labelInBrackets(blank: Blank, { phrases, read, names }: Reading): Label | undefined {
  const words = nextAfter(blank, phrases)?.words ?? [];
  const end = words.findIndex(({ text }) => text.includes(')'));
  return words[0]?.text.startsWith('(') && end !== -1
    ? labelOf(words.slice(0, end + 1), { read, names, where: 'beside' })
    : undefined;
}

const hasColon = ({ words }: Phrase): boolean => /[:：]$/.test(textOf(words));

/** Finds the words that lead to a line: "Date: ______". */
function phraseBefore(blank: Blank, { blanks, phrases }: Reading): Phrase | undefined {
  if (blank.isCell) return undefined;
  const before = phrases
    .filter((phrase) => isOnLine(phrase, blank) && endOf(phrase) <= blank.x + OUTDENT)
    .sort((a, b) => endOf(b) - endOf(a))[0];
  if (!before || blank.x - endOf(before) > (hasColon(before) ? BESIDE_WITH_COLON : BESIDE)) return undefined;
  const isOfAnother = blanks.some(
    (other) =>
      other !== blank && isSameRow(other, blank) && other.x >= endOf(before) - 4 && other.x < blank.x,
  );
  return isOfAnother ? undefined : before;
}

function labelBeside(blank: Blank, reading: Reading): Label | undefined {
  const before = phraseBefore(blank, reading);
  if (!before) return undefined;
  // Brackets belong to the line before them.
  const start = before.words.findLastIndex(({ text }) => text.includes(')')) + 1;
  const isColon = hasColon(before);
  const words = before.words.slice(start).slice(isColon ? -LABEL_WORDS : -LAST_WORDS);
  const label = words.length === 0 ? undefined : labelOf(words, { ...reading, where: 'beside' });
  // In running text a word such as "company" asks for nothing.
  return isColon || label?.isCertain || (label && IN_TEXT.includes(label.kind)) ? label : undefined;
}

const IN_TEXT: readonly LabelKind[] = ['signature', 'initials', 'place', 'date', 'email'];

type Lines = { x: number; y: number; width: number };

const isSameRow = (a: Lines, b: Lines): boolean => Math.abs(a.y - b.y) < SAME_ROW;

// ── in a table ──────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Finds the words at the beginning of the row of a line that is one of several under each other: in such a table each line is the lower
 * border of a cell, and its words stand anywhere between it and the line above.
 */
function labelOfRow(blank: Blank, reading: Reading, leadingPhrases: ReadonlySet<Phrase>): Label | undefined {
  const { blanks, rules } = reading;
  const lines: Lines[] = [...blanks.filter(({ isCell }) => !isCell), ...rules];
  if (!lines.some((line) => line !== blank && !isSameRow(line, blank) && isAligned(line, blank)))
    return undefined;
  const left = leastOf(lines.filter((line) => isSameRow(line, blank)).map(({ x }) => x));
  return labelAtStart(blank, left, reading, leadingPhrases);
}

const isAligned = (a: Lines, b: Lines): boolean =>
  Math.abs(a.x - b.x) < ALIGNED && Math.abs(a.width - b.width) < ALIGNED;

/** Returns true if the cell of such a row has words in it, with room below them. */
function isFilled(blank: Blank, reading: Reading, leadingPhrases: ReadonlySet<Phrase>): boolean {
  const { blanks, rules, phrases } = reading;
  const above = [...blanks, ...rules]
    .filter((line) => line.y < blank.y - SAME_ROW && isOver(line, blank))
    .sort((a, b) => b.y - a.y)[0];
  if (blank.isCell || !above || above.y >= blank.y - blank.room) return false;
  const cell = { ...blank, room: blank.y - above.y };
  return (
    labelOfRow(cell, reading, leadingPhrases) !== undefined &&
    phrases.some(
      (phrase) => isOver(phrase, blank) && middleOf(phrase) > above.y && middleOf(phrase) < blank.y,
    )
  );
}

/** @param left where the part of the row begins that is there to be written on */
function labelAtStart(
  { y, room }: Blank,
  left: number,
  reading: Reading,
  leadingPhrases?: ReadonlySet<Phrase>,
): Label | undefined {
  const inRow = reading.phrases.filter(
    (phrase) =>
      endOf(phrase) <= left + OUTDENT &&
      middleOf(phrase) > y - room &&
      middleOf(phrase) < y + 1 &&
      !leadingPhrases?.has(phrase),
  );
  const start = leastOf(inRow.map(({ x }) => x));
  const labels = inRow.flatMap(({ x, words }) =>
    x - start < OUTDENT && words.length <= LABEL_WORDS
      ? (labelOf(words, { ...reading, where: 'row' }) ?? [])
      : [],
  );
  // A party may be the heading of its rows.
  const label = labels.find(({ kind }) => kind !== 'party') ?? labels[0];
  return label?.kind === 'party' ? { ...label, kind: 'name', isCertain: false } : label;
}

/** Finds the label of a cell with borders: the words in the first cell of its row, or in the first cell of its column. */
function labelOfCell(blank: Blank, reading: Reading): Label | undefined {
  const ofRow = labelAtStart(blank, blank.x, reading);
  const isNamed = ofRow === undefined || ofRow.kind === 'name' || ofRow.kind === 'company';
  const heading = reading.phrases
    .filter(
      (phrase) =>
        phrase.x >= blank.x - 2 &&
        phrase.x < endOf(blank) &&
        middleOf(phrase) < blank.y - blank.room &&
        middleOf(phrase) > blank.y - COLUMN_HEADING,
    )
    .sort((a, b) => middleOf(b) - middleOf(a))[0];
  const ofColumn =
    heading && heading.words.length <= LABEL_WORDS
      ? labelOf(heading.words, { ...reading, where: 'above' })
      : undefined;
  if (!ofColumn || ofColumn.kind === 'party' || (ofRow && !isNamed)) return ofRow;
  const row = reading.phrases.filter(
    (phrase) => phrase.x < blank.x && middleOf(phrase) > blank.y - blank.room && middleOf(phrase) < blank.y,
  );
  return { ...ofColumn, row: row.map(({ words }) => textOf(words)).join(' ') };
}

// ── below and above ─────────────────────────────────────────────────────────────────────────────────────────────────

type Labelled = { label: Label; phrase: Phrase };

function labelBelow(
  blank: Blank,
  reading: Reading,
  leadingPhrases: ReadonlySet<Phrase>,
): Labelled | undefined {
  const below = reading.phrases.filter(
    (phrase) =>
      phrase.height <= LARGEST &&
      middleOf(phrase) > blank.y &&
      phrase.y - blank.y < BELOW &&
      phrase.x >= blank.x - OUTDENT &&
      phrase.x < endOf(blank) &&
      !leadingPhrases.has(phrase),
  );
  const first = leastOf(below.map(({ y }) => y));
  for (const phrase of below) {
    const { words, y } = phrase;
    if (y - first >= LARGEST / 2) continue;
    const label =
      words.length <= LABEL_WORDS && !saysMore(words)
        ? labelOf(words, { ...reading, where: 'below' })
        : undefined;
    const labelled = isPlain(label) ? label : signerLabel(phrase, reading);
    if (labelled) return { label: labelled, phrase };
  }
  return undefined;
}

/** Finds words that stand alone some way above a line, at its beginning. */
function labelAbove(
  blank: Blank,
  reading: Reading,
  leadingPhrases: ReadonlySet<Phrase>,
): Labelled | undefined {
  const { blanks, rules, phrases } = reading;
  const phrase = phrases
    .filter((phrase) => phrase.y + phrase.height <= blank.y && blank.y - (phrase.y + phrase.height) < ABOVE)
    .filter((item) => Math.abs(item.x - blank.x) < OUTDENT && item.height <= LARGEST)
    .sort((a, b) => b.y - a.y)[0];
  if (!phrase || leadingPhrases.has(phrase)) return undefined;
  const isOfAnother = [...blanks, ...rules].some(
    (other) => other !== blank && other.y < blank.y && other.y > phrase.y && isOver(other, blank),
  );
  if (isOfAnother) return undefined;
  const label =
    phrase.words.length <= LABEL_WORDS && !saysMore(phrase.words)
      ? labelOf(phrase.words, { ...reading, where: 'above' })
      : undefined;
  const labelled =
    label?.kind === 'party' ? undefined : isPlain(label) ? label : signerLabel(phrase, reading);
  return labelled && { label: labelled, phrase };
}

/** Other words than those that ask for something are text that happens to stand there. */
const isPlain = (label: Label | undefined): boolean =>
  label !== undefined && (label.isCertain || !['company', 'text'].includes(label.kind));

/** A line with other words below it is for a signature as well, if one beside it that is as long is: someone whom nobody knows signs there. */
function labelOfTwin(
  index: number,
  labels: readonly (Label | undefined)[],
  { blanks, phrases }: Reading,
  leadingPhrases: ReadonlySet<Phrase>,
): Label | undefined {
  const blank = blanks[index]!;
  const isTwin = blanks.some(
    (other, at) =>
      isSameRow(other, blank) &&
      Math.abs(other.width - blank.width) < ALIGNED &&
      SIGNED.includes(labels[at]?.kind ?? 'text'),
  );
  const below = phrases.find(
    (phrase) =>
      isTwin &&
      Math.abs(phrase.x - blank.x) < OUTDENT &&
      middleOf(phrase) > blank.y &&
      phrase.y - blank.y < BELOW &&
      phrase.words.length <= LABEL_WORDS &&
      !leadingPhrases.has(phrase),
  );
  return below && { kind: 'party', text: shortened(textOf(below.words)), box: boxOf(below), isCertain: true };
}

const SIGNED: readonly LabelKind[] = ['signature', 'party'];

const isOver = (a: Lines, b: Lines): boolean => Math.min(endOf(a), endOf(b)) > Math.max(a.x, b.x);

/** Something after a colon is what is asked for, so that it is there already. */
const saysMore = (words: readonly Word[]): boolean => /[:：]\s*\S/.test(textOf(words));

/** These words precede the name of a company for which someone signs: "For Nordwind Robotics Ltd". */
const FOR =
  /^(?:[Ff]or(?: and on behalf of)?|[Oo]n behalf of|[Ff]ür|[Ii]m Namen|[Pp]our(?: le compte)?|[Aa]u nom|[Pp]or|[Pp]er|[Nn]amens|[Vv]oor|[Ww] imieniu|[Zz]a|i\. ?[AV]\.|p\. ?[ap]\.|ppa\.?)\s+(?:(?:the|der|die|das|den|de|du|la|le|el|los|il|het|o|a) )?\p{Lu}/u;
const SIGNER_WORDS = 14;

/** Says that a line is for a signature where its words are only who signs: a person, a company, or whom somebody signs for. */
function signerLabel({ words, isMargin }: Phrase, { names }: Reading): Label | undefined {
  const text = textOf(words);
  if (text.length > SUGGESTION_LIMITS.characters) return undefined;
  const tokens = tokensOf(text);
  const isSigner =
    !isMargin &&
    words.length <= SIGNER_WORDS &&
    !/[.;]$/.test(text.replace(/\b(?:\p{L}{1,4}\.)+$/u, '')) &&
    (FOR.test(text) || hasLegalForm(text) || names.some((name) => weightOfName(tokens, name) > 5));
  return isSigner
    ? { kind: 'party', text: shortened(text), box: words.map(boxOf).reduce(around), isCertain: true }
    : undefined;
}

// ── what a label asks for ───────────────────────────────────────────────────────────────────────────────────────────

/** The first kind counts where a label has several: a signature also where its date is asked for on the same line. */
const BY_WEIGHT: readonly LabelKind[] = [
  'signature',
  'initials',
  'place',
  'date',
  'email',
  'company',
  'name',
  'text',
  'witness',
  'party',
];

/** These phrases ask for something only as a whole, such as "By:" in American contracts, and "Hamburg, den" in German ones. */
const WHOLE: readonly [RegExp, LabelKind][] = [
  [/^by[:：]$/i, 'signature'],
  [/^fait à[:：]?$/i, 'place'],
  [/^\p{Lu}[\p{L}\p{M} .-]*, (?:den|le|il|em|a|el|dnia)[:：]?$/u, 'date'],
];
const LONGEST = 60;
/** More words than these ask for something that none of them names. */
const CERTAIN_WORDS = 4;
/** These words ask for nothing. */
const FILLER =
  /^(?:the|of|for|your|print|printed|full|legal|block|letters|capitals|der|die|das|des|dem|den|und|and|in|im|am|le|la|les|l|du|de|d|et|des|del|di|della|e|y|van|het|o|a|da|do|i|mr|mrs|or|by|its|s|seal|stamp|stempel|cachet)$/iu;

type Where = { read: WordReader; names: readonly Tokens[]; where: 'above' | 'below' | 'beside' | 'row' };

function labelOf(words: readonly Word[], { read, names, where }: Where): Label | undefined {
  const text = textOf(words);
  if (text.length > SUGGESTION_LIMITS.characters) return undefined;
  const tokens = text.split(/[^\p{L}\p{M}-]+/u).filter((word) => word !== '');
  const kinds = tokens.flatMap((word) => read(word) ?? []);
  const whole = WHOLE.find(([pattern]) => pattern.test(text))?.[1];
  const kind = whole ?? BY_WEIGHT.find((item) => kinds.includes(item));
  if (!kind) return undefined;
  const role = tokens.findLast((word) => read(word) === 'party')?.toLowerCase();
  const others = tokens.filter((word) => !read(word) && !FILLER.test(word));
  const label = withoutBracket(text.replace(/[\s:：*.,;(]+$/u, '').replace(/^[\s(*.,;]+/u, ''));
  return {
    kind: meaningOf(kind, { where, isPlain: others.length === 0 || isPerson(text, names) }),
    text: shortened(label),
    box: words.map(boxOf).reduce(around),
    isCertain: whole !== undefined || (others.length === 0 && tokens.length <= CERTAIN_WORDS),
    ...(role !== undefined && { role }),
  };
}

const isPerson = (text: string, names: readonly Tokens[]): boolean => {
  const tokens = tokensOf(text);
  return names.some((name) => weightOfName(tokens, name) > 0);
};

/** Beside a line, a party is asked for its name; other words with it ask for something of the party, such as its order number. */
function meaningOf(
  kind: LabelKind,
  { where, isPlain }: { where: Where['where']; isPlain: boolean },
): LabelKind {
  if (kind !== 'party' || where !== 'beside') return kind;
  return isPlain ? 'name' : 'text';
}

const shortened = (text: string): string =>
  text.length <= LONGEST ? text : text.slice(0, LONGEST).replace(/\s+\S*$/u, '');

/** Removes a bracket that closes what is not in the label. */
const withoutBracket = (text: string): string =>
  text.endsWith(')') && !text.includes('(') ? text.slice(0, -1) : text;
