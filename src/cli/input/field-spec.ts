// Parses the SPEC of a field: `signature@1:72pt,650pt,200x50=ada@example.com,label=Name,optional`, or with words in quotation marks
// instead of page and position: `signature@"Customer signature":0,-40,180x48=ada@example.com,at=above`. A shell changes nothing in the
// first; `;` is accepted for the comma before a property, but ends a command where it is not quoted.
// Pages count from 1 here and from 0 in everything it returns.
import { FIELD_TYPES, isFieldType } from '../../api/contract/fields.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import { ANCHOR_POSITIONS, type Anchor, type AnchorPosition } from '../../placement/anchors.ts';
import { type Length, parseLength } from '../../placement/sizes.ts';
import { CliError, cliError } from '../command/errors.ts';
import { shellWord } from '../command/shell-word.ts';
import { meantField, nearestType } from './meant-field.ts';

/** What of a field does not depend on its place. */
type FieldParts = {
  type: string;
  /** Email, or position among the given recipients, from 1. */
  recipient: string | undefined;
  /** Position among the files, from 1. */
  document: number | undefined;
  /** Properties that are sent unchanged, with the names of the contract: `label`, `is_required`, … */
  properties: Record<string, unknown>;
  /** As it was typed, for errors. */
  source: string;
  /** The recipient of a suggested field has to sign as well. */
  isSuggested?: true;
};

/** Where a field goes before page sizes, documents and recipients are known. */
export type PlacedField = FieldParts & {
  /** From 0. */
  page: number | 'last';
  x: Length;
  y: Length;
  width: Length;
  height: Length;
  /** The words that it was placed at, and where they are, in points. */
  words?: { text: string; page: number; x: number; y: number; width: number; height: number };
  /** The field of the document's form that it was made of, and the value that this had. */
  form?: { name: string; value?: unknown };
  /** The tag in the document that it was made of. */
  tag?: string;
};

/** A field that is placed at words, before these are found. */
export type AnchoredField = FieldParts & { anchor: Anchor };

export type GivenField = PlacedField | AnchoredField;

/** Whether the words of a field are still to be found. */
export const isAnchored = <Other>(field: Other | AnchoredField): field is AnchoredField =>
  typeof field === 'object' && field !== null && 'anchor' in field;

const FORM =
  /^(?<type>[A-Za-z_]+)@(?<page>\d+|last):(?<x>[^,;=]+),(?<y>[^,;=]+),(?<width>[^x,;=]+)x(?<height>[^,;=x]+)(?:=(?<recipient>[^,;]+))?(?<rest>[,;].*)?$/s;

const SHAPE = 'TYPE@PAGE:X,Y,WxH[=RECIPIENT][,label=…][,optional]';

export const parseFieldSpec = (spec: string): GivenField => parseNamedSpec(spec, spec);

/** Parses a SPEC that is no option. @param source how errors name it */
export function parseNamedSpec(spec: string, source: string): GivenField {
  try {
    return parse(spec.trim(), source);
  } catch (error) {
    const meant = meantSpec(spec.trim());
    if (meant === undefined || !(error instanceof CliError)) throw error;
    throw cliError('field_invalid', { sentence: error.message, hint: hintOf(meant, error.facts.hint) });
  }
}

/** @returns what was probably meant, where it can be read */
function meantSpec(spec: string): string | undefined {
  const meant = meantField(spec);
  try {
    return meant === undefined || meant === spec ? undefined : parse(meant, meant).source;
  } catch {
    return undefined;
  }
}

function hintOf(meant: string, hint: string | undefined): string {
  const next = hint === EXAMPLES.page || hint === EXAMPLES.words ? 'See `esign help fields`.' : hint;
  return didYouMean(shellWord(meant), next, '`');
}

function parse(text: string, source: string): GivenField {
  if (isAnchorSpec(text)) {
    const parts = anchorPartsOf(splitPixels(text));
    if (!parts) throw invalidField(source, problemOf(text, ANCHOR_SHAPE), EXAMPLES.words);
    return anchoredField(parts, source);
  }
  const groups = FORM.exec(splitPixels(text))?.groups;
  if (!groups)
    throw invalidField(
      source,
      problemOf(text, `${SHAPE} or ${ANCHOR_SHAPE}`),
      /@\s*(?:\d|last\b|$)/.test(text) ? EXAMPLES.page : EXAMPLES.words,
    );
  if (groups.page === '0') throw invalidField(source, 'names page 0, but page numbers start at 1');
  const { properties, anchor } = propertiesIn(groups.rest ?? '', source);
  const [ofAnchor] = Object.keys(anchor);
  if (ofAnchor !== undefined)
    throw invalidField(source, 'has a property that says where words are, but no words in quotation marks');
  const { document, ...others } = properties;
  return {
    type: groups.type ?? '',
    page: groups.page === 'last' ? 'last' : Number(groups.page) - 1,
    x: lengthIn('x', groups.x, source),
    y: lengthIn('y', groups.y, source),
    width: lengthIn('width', groups.width, source),
    height: lengthIn('height', groups.height, source),
    recipient: groups.recipient?.trim(),
    document: document as number | undefined,
    properties: others,
    source,
  };
}

/** Names an unknown type as well, so that it is not the next error. */
function problemOf(text: string, shape: string): string {
  const [, type = ''] = /^([A-Za-z_]+)@/.exec(text) ?? [];
  return type === '' || isFieldType(type)
    ? `is not of the form ${shape}`
    : `has the unknown type "${type}", and is not of the form ${shape}`;
}

function lengthIn(name: string, typed: string | undefined, source: string): Length {
  const text = joinPixels(typed ?? '');
  const parsed = parseLength(text);
  if (!parsed) throw invalidField(source, `has "${text}" as ${name}, which is not a length`);
  return parsed;
}

const NO_OFFSET: Anchor['offset'] = { x: { points: 0 }, y: { points: 0 } };

function anchoredField({ type, words, place, recipient, rest }: AnchorParts, source: string): AnchoredField {
  const { properties, anchor: anchorSettings } = propertiesIn(joinPixels(rest), source);
  const length = (name: string, text: string) => lengthIn(name, text, source);
  const offset = place ? { x: length('DX', place.x), y: length('DY', place.y) } : NO_OFFSET;
  const size =
    place?.width !== undefined && place.height !== undefined
      ? { width: length('width', place.width), height: length('height', place.height) }
      : undefined;
  const anchor = anchorOf(joinPixels(words), { offset, ...(size && { size }) }, anchorSettings);
  if (typeof anchor === 'string') throw invalidField(source, anchor);
  const { document, ...others } = properties;
  return {
    type,
    anchor,
    recipient: recipient && joinPixels(recipient),
    document: document as number | undefined,
    properties: others,
    source,
  };
}

/** Marks the x of a unit, so that `200pxx50px` can be split at the x between width and height. */
const splitPixels = (text: string): string => {
  if (isAnchorSpec(text)) return text.replaceAll('px', 'p\u0000');
  const end = text.search(/[=;]/);
  const box = end < 0 ? text : text.slice(0, end);
  return box.replaceAll('px', 'p\u0000') + text.slice(box.length);
};

const joinPixels = (text: string): string => text.replaceAll('p\u0000', 'px');

type Reader = (value: string) => unknown;

const asText: Reader = (value) => value;
const asNumber: Reader = (value) => (/^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined);
const asList: Reader = (value) => value.split(value.includes('|') ? '|' : ',');

const VALUES: Record<string, { property: string; read: Reader }> = {
  label: { property: 'label', read: asText },
  help: { property: 'helper_text', read: asText },
  font: { property: 'font_family', read: asText },
  size: { property: 'font_size', read: asNumber },
  color: { property: 'font_color', read: asText },
  min: { property: 'min_value', read: asNumber },
  max: { property: 'max_value', read: asNumber },
  minlength: { property: 'min_length', read: asNumber },
  maxlength: { property: 'max_length', read: asNumber },
  regex: { property: 'regex', read: asText },
  options: { property: 'options', read: asList },
  value: { property: 'value', read: asText },
  format: { property: 'date_format', read: asText },
  language: { property: 'date_language', read: asText },
  document: { property: 'document', read: asNumber },
};

/** Properties of a field at words. */
const ANCHOR_VALUES: Record<string, keyof AnchorProperties> = { at: 'at', match: 'match', page: 'page' };

const ANCHOR_SWITCHES: Record<string, AnchorProperties> = {
  case: { isCaseSensitive: true },
  word: { isWholeWord: true },
  regex: { isRegex: true },
  if_present: { mayBeMissing: true },
};

const isValue = (name: string): boolean => Object.hasOwn(VALUES, name) || Object.hasOwn(ANCHOR_VALUES, name);
const isSwitch = (name: string): boolean =>
  Object.hasOwn(SWITCHES, name) || Object.hasOwn(ANCHOR_SWITCHES, name);
const valueNames = (): string[] => [...Object.keys(VALUES), ...Object.keys(ANCHOR_VALUES)];
const switchNames = (): string[] => [...Object.keys(SWITCHES), ...Object.keys(ANCHOR_SWITCHES)];

const SWITCHES: Record<string, Record<string, boolean>> = {
  optional: { is_required: false },
  required: { is_required: true },
  readonly: { readonly: true },
  bold: { bold: true },
  italic: { italic: true },
};

type Properties = { properties: Record<string, unknown>; anchor: AnchorProperties };

function propertiesIn(rest: string, source: string): Properties {
  const properties: Record<string, unknown> = {};
  const anchor: AnchorProperties = {};
  for (const part of partsOf(rest, source)) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim();
    if (!(equals < 0 ? isSwitch(name) : isValue(name)))
      throw unknownProperty(source, part.trim(), nearest(name, equals < 0 ? switchNames() : valueNames()));
    if (equals < 0)
      Object.assign(
        Object.hasOwn(SWITCHES, name) ? properties : anchor,
        SWITCHES[name] ?? ANCHOR_SWITCHES[name],
      );
    else if (MISPLACED_RECIPIENT.test(part) && !isText(name)) throw misplacedRecipient(source, part.trim());
    else if (Object.hasOwn(ANCHOR_VALUES, name))
      Object.assign(anchor, { [ANCHOR_VALUES[name]!]: part.slice(equals + 1).trim() });
    else {
      const { property, read } = VALUES[name] ?? { property: name, read: asText };
      const value = read(part.slice(equals + 1));
      if (value === undefined) throw invalidField(source, `has "${part.trim()}", which is not a number`);
      properties[property] = value;
    }
  }
  checkSense(properties, source);
  return { properties, anchor };
}

/** `page=2=1`: a recipient after a property, to whose value it would belong. */
const MISPLACED_RECIPIENT = /=[^=]*=\s*(\d+|[^\s=@]+@[^\s=@]+)\s*$/;

/** Returns true if the value is any text, which may contain a `=`. */
const isText = (name: string): boolean => VALUES[name]?.read === asText || VALUES[name]?.read === asList;

/** Makes the error for a type that does not exist. */
export const unknownType = ({ type, source }: Pick<GivenField, 'type' | 'source'>): CliError =>
  cliError('field_type_unknown', {
    sentence: `The field "${source}" has the unknown type "${type}".`,
    hint: didYouMean(nearestType(type), `Use one of ${FIELD_TYPES.join(', ')}.`),
  });

const EXAMPLES = {
  page: 'For example `signature@last:60%,80%,30%x6%=ada@example.com`. See `esign help fields`.',
  words: 'For example `\'signature@"For the Customer"=ada@example.com,at=below\'`. See `esign help fields`.',
};

/** @param problem how the sentence continues after the field */
export const invalidField = (field: string, problem: string, hint = exampleFor(field)): CliError =>
  cliError('field_invalid', { sentence: `The field "${field}" ${problem}.`, hint });

const exampleFor = (field: string): string => (isAnchorSpec(field.trim()) ? EXAMPLES.words : EXAMPLES.page);

function misplacedRecipient(source: string, part: string) {
  const at = part.lastIndexOf('=');
  const [property, recipient] = [part.slice(0, at), part.slice(at + 1)];
  return invalidField(
    source,
    `has the recipient "${recipient}" after the property "${property}"`,
    'Put =RECIPIENT before the properties.',
  );
}

/**
 * Splits properties. A `;` ends one everywhere, a comma where the name of another one follows; any other comma belongs to the value, as
 * in `regex=^a{1,3}$` and `options=Red,Green`.
 */
function partsOf(rest: string, source: string): string[] {
  const parts: string[] = [];
  for (const property of rest.split(';')) {
    let part: string | undefined;
    for (const piece of property.split(',')) {
      if (part?.includes('=') && !isProperty(piece)) {
        checkSpelling(piece, part, source);
        part = `${part},${piece}`;
        continue;
      }
      if (part !== undefined) parts.push(part);
      part = piece;
    }
    parts.push(part ?? '');
  }
  return parts.filter((text) => text.trim() !== '');
}

function unknownProperty(source: string, name: string, meant: string | undefined) {
  const names = [...switchNames(), ...valueNames().map((key) => `${key}=…`)].join(', ');
  return invalidField(
    source,
    `has the unknown property "${name}"`,
    didYouMean(meant, `Known properties are ${names}.`),
  );
}

const PROPERTY = /^\s*([A-Za-z_]+)\s*(=|$)/;

function isProperty(piece: string): boolean {
  const [, name, equals] = PROPERTY.exec(piece) ?? [];
  return name !== undefined && (equals === '=' ? isValue(name) : isSwitch(name));
}

/** Words as short as this are near to many others. */
const SHORT_WORD = 4;

/** Refuses a misspelt property, which would otherwise become a part of the value before it. */
function checkSpelling(piece: string, before: string, source: string): void {
  if (/^\s*(options|regex)=/.test(before)) return;
  const [, name, equals] = PROPERTY.exec(piece) ?? [];
  if (name === undefined || (equals !== '=' && name.length <= SHORT_WORD)) return;
  const meant = nearest(name, equals === '=' ? valueNames() : switchNames());
  if (meant !== undefined) throw unknownProperty(source, name, meant);
}

/** Refuses combinations of properties that no service could use. */
function checkSense(
  { regex, min_value, max_value, min_length, max_length }: Record<string, unknown>,
  source: string,
): void {
  if (typeof regex === 'string' && !isPattern(regex))
    throw invalidField(source, `has "regex=${regex}", which is not a regular expression`);
  if (Number(min_value) > Number(max_value))
    throw invalidField(source, `has min=${min_value} above max=${max_value}`);
  if (Number(min_length) > Number(max_length))
    throw invalidField(source, `has minlength=${min_length} above maxlength=${max_length}`);
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

const ANCHOR_SHAPE = 'TYPE@"WORDS"[:DX,DY[,WxH]][=RECIPIENT][,at=…][,match=…]';

/** The parts of a SPEC as text. */
type AnchorParts = {
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
const isAnchorSpec = (text: string): boolean => START.test(text);

/** Cuts a SPEC of this form into its parts. In the words, a quotation mark or a backslash follows a backslash. Undefined when it is not of the form. */
function anchorPartsOf(text: string): AnchorParts | undefined {
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
type AnchorProperties = {
  at?: string;
  match?: string;
  page?: string;
  isRegex?: boolean;
  isCaseSensitive?: boolean;
  isWholeWord?: boolean;
  mayBeMissing?: boolean;
};

type AnchorPlace = { offset: { x: Length; y: Length }; size?: Anchor['size'] };

const NUMBER = /^[1-9]\d{0,5}$/;

/** Makes an anchor. @returns what is wrong where a value is, to follow the name of the field */
function anchorOf(text: string, place: AnchorPlace, properties: AnchorProperties): Anchor | string {
  const { at = 'over', match, page, ...switches } = properties;
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
