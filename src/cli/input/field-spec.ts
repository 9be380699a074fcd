// Parses the SPEC of a field: `signature@1:72pt,650pt,200x50=ada@example.com,label=Name,optional`. A shell changes nothing in
// it; `;` is accepted for the comma before a property, but ends a command where it is not quoted.
// Pages count from 1 here and from 0 in everything it returns.

import { cliError } from '../command/errors.ts';
import { type Length, parseLength } from './length.ts';
import { nearest } from './nearest.ts';

/** Where a field goes before page sizes, documents and recipients are known. */
export type PlacedField = {
  type: string;
  /** From 0. */
  page: number | 'last';
  x: Length;
  y: Length;
  width: Length;
  height: Length;
  /** Email, or position among the given recipients, from 1. */
  recipient: string | undefined;
  /** Position among the files, from 1. */
  document: number | undefined;
  /** Properties that are sent unchanged, with the names of the contract: `label`, `is_required`, … */
  properties: Record<string, unknown>;
  /** As it was typed, for errors. */
  source: string;
};

const FORM =
  /^(?<type>[A-Za-z_]+)@(?<page>\d+|last):(?<x>[^,;=]+),(?<y>[^,;=]+),(?<width>[^x,;=]+)x(?<height>[^,;=x]+)(?:=(?<recipient>[^,;]+))?(?<rest>[,;].*)?$/s;

const SHAPE = 'TYPE@PAGE:X,Y,WxH[=RECIPIENT][,label=…][,optional]';

export function parseFieldSpec(source: string): PlacedField {
  const groups = FORM.exec(splitPixels(source.trim()))?.groups;
  if (!groups) throw invalid(source, `is not of the form ${SHAPE}`);
  const length = (name: string) => {
    const text = joinPixels(groups[name] ?? '');
    const parsed = parseLength(text);
    if (!parsed) throw invalid(source, `has "${text}" as ${name}, which is not a length`);
    return parsed;
  };
  if (groups.page === '0') throw invalid(source, 'names page 0, but page numbers start at 1');
  const { document, ...properties } = propertiesIn(groups.rest ?? '', source);
  return {
    type: groups.type ?? '',
    page: groups.page === 'last' ? 'last' : Number(groups.page) - 1,
    x: length('x'),
    y: length('y'),
    width: length('width'),
    height: length('height'),
    recipient: groups.recipient?.trim(),
    document: document as number | undefined,
    properties,
    source,
  };
}

/** Marks the x of a unit, so that `200pxx50px` can be split at the x between width and height. */
const splitPixels = (text: string): string => {
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
  document: { property: 'document', read: asNumber },
};

const SWITCHES: Record<string, Record<string, boolean>> = {
  optional: { is_required: false },
  required: { is_required: true },
  bold: { bold: true },
  italic: { italic: true },
};

function propertiesIn(rest: string, source: string): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const part of partsOf(rest, source)) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim();
    const own = Object.hasOwn(equals < 0 ? SWITCHES : VALUES, name);
    if (!own)
      throw unknownProperty(source, part.trim(), nearest(name, Object.keys(equals < 0 ? SWITCHES : VALUES)));
    if (equals < 0) Object.assign(properties, SWITCHES[name]);
    else {
      const { property, read } = VALUES[name] ?? { property: name, read: asText };
      const value = read(part.slice(equals + 1));
      if (value === undefined) throw invalid(source, `has "${part.trim()}", which is not a number`);
      properties[property] = value;
    }
  }
  checkSense(properties, source);
  return properties;
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
  const known = [...Object.keys(SWITCHES), ...Object.keys(VALUES).map((key) => `${key}=…`)].join(', ');
  return cliError('field_invalid', {
    field: source,
    problem: `has the unknown property "${name}"`,
    hint: `${meant === undefined ? '' : `Did you mean "${meant}"? `}Known properties are ${known}.`,
  });
}

const PROPERTY = /^\s*([A-Za-z_]+)\s*(=|$)/;

function isProperty(piece: string): boolean {
  const [, name, equals] = PROPERTY.exec(piece) ?? [];
  return name !== undefined && Object.hasOwn(equals === '=' ? VALUES : SWITCHES, name);
}

/** Words as short as this are near to many others. */
const SHORT_WORD = 4;

/** Refuses a misspelt property, which would otherwise become a part of the value before it. */
function checkSpelling(piece: string, before: string, source: string): void {
  if (/^\s*(options|regex)=/.test(before)) return;
  const [, name, equals] = PROPERTY.exec(piece) ?? [];
  if (name === undefined || (equals !== '=' && name.length <= SHORT_WORD)) return;
  const meant = nearest(name, Object.keys(equals === '=' ? VALUES : SWITCHES));
  if (meant !== undefined) throw unknownProperty(source, name, meant);
}

/** Refuses combinations of properties that no service could use. */
function checkSense(
  { regex, min_value, max_value, min_length, max_length }: Record<string, unknown>,
  source: string,
): void {
  if (typeof regex === 'string' && !isPattern(regex))
    throw invalid(source, `has "regex=${regex}", which is not a regular expression`);
  if (Number(min_value) > Number(max_value))
    throw invalid(source, `has min=${min_value} above max=${max_value}`);
  if (Number(min_length) > Number(max_length))
    throw invalid(source, `has minlength=${min_length} above maxlength=${max_length}`);
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

const invalid = (source: string, problem: string) => cliError('field_invalid', { field: source, problem });
