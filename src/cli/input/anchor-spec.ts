// Parses the form of a field that is placed at words: `signature@"Customer signature":0,-40,180x48=ada@example.com,at=above`.
import { ANCHOR_POSITIONS, type Anchor, type AnchorPosition } from '../../placement/anchors.ts';
import type { Length } from '../../placement/sizes.ts';

export const ANCHOR_SHAPE = 'TYPE@"WORDS"[:DX,DY[,WxH]][=RECIPIENT][,at=…][,match=…]';

/** The parts of a SPEC as text. */
export type AnchorParts = {
  type: string;
  words: string;
  place?: { x: string; y: string; width?: string | undefined; height?: string | undefined };
  recipient: string | undefined;
  /** The properties, with their commas. */
  rest: string;
};

const START = /^(?<type>[A-Za-z_]+)@(?<quote>["'])/;
const END =
  /^(?::(?<x>[^,;=]+),(?<y>[^,;=]+?)(?:,(?<width>[\d.-][^x,;=]*)x(?<height>[^,;=x]+))?)?(?:=(?<recipient>[^,;]+))?(?<rest>[,;].*)?$/s;

/** Whether a SPEC is of this form: words in quotation marks follow the @. */
export const isAnchorSpec = (text: string): boolean => START.test(text);

/** Cuts a SPEC of this form into its parts. In the words, a quotation mark or a backslash follows a backslash. Undefined when it is not of the form. */
export function anchorPartsOf(text: string): AnchorParts | undefined {
  const { type = '', quote = '"' } = START.exec(text)?.groups ?? {};
  let words = '';
  let at = type.length + 2;
  for (; at < text.length && text[at] !== quote; at += 1) {
    const isEscaped = text[at] === '\\' && (text[at + 1] === quote || text[at + 1] === '\\');
    if (isEscaped) at += 1;
    words += text[at];
  }
  const groups = at < text.length ? END.exec(text.slice(at + 1))?.groups : undefined;
  if (!groups || words.trim() === '') return undefined;
  const { x, y, width, height, recipient, rest = '' } = groups;
  return {
    type,
    words,
    ...(x !== undefined && y !== undefined && { place: { x, y, width, height } }),
    recipient: recipient?.trim(),
    rest,
  };
}

/** The properties of a SPEC or a file that say where the words are, with their values as text. */
export type AnchorProperties = {
  at?: string;
  match?: string;
  page?: string;
  isRegex?: boolean;
  isCaseSensitive?: boolean;
  isWholeWord?: boolean;
  mayBeMissing?: boolean;
};

export type AnchorPlace = { offset: { x: Length; y: Length }; size?: Anchor['size'] };

const NUMBER = /^[1-9]\d{0,5}$/;

/** Makes an anchor. @returns what is wrong where a value is, to follow the name of the field */
export function anchorOf(text: string, place: AnchorPlace, given: AnchorProperties): Anchor | string {
  const { at = 'over', match, page, ...switches } = given;
  if (!isPosition(at)) return `has at=${at}. Use one of ${ANCHOR_POSITIONS.join(', ')}`;
  if (match !== undefined && match !== 'all' && match !== 'last' && !NUMBER.test(match))
    return `has match=${match}. Use a number from 1, last or all`;
  if (page !== undefined && page !== 'last' && !NUMBER.test(page))
    return `has page=${page}. Use a page number from 1, or last`;
  return {
    text,
    at,
    ...place,
    match: match === 'all' || match === 'last' || match === undefined ? match : Number(match),
    page: page === 'last' || page === undefined ? page : Number(page) - 1,
    ...switches,
  };
}

const isPosition = (text: string): text is AnchorPosition =>
  (ANCHOR_POSITIONS as readonly string[]).includes(text);
