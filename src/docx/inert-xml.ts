// Rewrites an XML part without the content that acts when another program opens it: fields that read files or start programs, embedded objects, templates,
// sources of data, and attributes that name a place outside. The stored result of a field stays as text, so that no program computes another one. The part was read within limits before.
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { DOCUMENT_LIMITS } from '../pdf/limits.ts';
import { isKeptField } from './field-codes.ts';
import { limitExceeded } from './not-usable.ts';
import { decodeXml, shortName } from './xml.ts';

/** Elements that name or hold something active, by their names in any vocabulary; they go with all that is in them. */
const REMOVED = new Set([
  'altChunk',
  'subDoc',
  'attachedTemplate',
  'attachedSchema',
  'mailMerge',
  'saveThroughXslt',
  'sourceFileName',
  'frameset',
  'OLEObject',
  'objectEmbed',
  'objectLink',
  'control',
  'ocx',
  'externalData',
  'webVideoPr',
  'movie',
  'audioCd',
  'audioFile',
  'videoFile',
  'quickTimeFile',
  'wavAudioFile',
  'entryMacro',
  'exitMacro',
  'fldData',
  'linkedToFile',
  // Hides deleted text of tracked changes: what is signed must not depend on a reader's settings.
  'revisionView',
]);

/** Attributes that hold an address, or the id of a relationship that leads outside. `r:id` and `r:embed` stay within the package. */
const ADDRESSES = new Set(['src', 'href', 'althref', 'link', 'actionuri', 'hlinkhref', 'sourcefilename']);

type Token =
  | { kind: 'open'; name: string; tag: SaxesTagNS; isRemoved?: true; isUnwrapped?: true }
  | { kind: 'close'; tag: SaxesTagNS }
  | { kind: 'text'; text: string };

type OpenToken = Extract<Token, { kind: 'open' }>;

/** @returns UTF-8 */
export function inertXml(bytes: Uint8Array): Uint8Array {
  const tokens = tokensOf(bytes);
  markRemoved(tokens);
  return Buffer.from(write(tokens));
}

function tokensOf(bytes: Uint8Array): Token[] {
  const tokens: Token[] = [];
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    tokens.push({ kind: 'open', name: shortName(tag.uri, tag.local), tag });
  });
  parser.on('closetag', (tag) => void tokens.push({ kind: 'close', tag }));
  const add = (text: string) => void tokens.push({ kind: 'text', text });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(decodeXml(bytes)).close();
  return tokens;
}

// --- What is removed ---

/** A field that is open: its code comes first, then its result. */
type OpenField = {
  code: string;
  isResult: boolean;
  hasResult: boolean;
  hasField: boolean;
  /** `w:fldChar` and `w:instrText`. */
  marks: OpenToken[];
  /** What else stands in runs before the result begins: results of fields in the code. Word does not show them. */
  inCode: OpenToken[];
  /** The element, where it holds all of the field. */
  simple?: OpenToken;
};

/** Headers and footers are drawn on each page. */
const RUNNING = new Set(['w:hdr', 'w:ftr']);
const TEXT = new Set(['w:t', 'w:delText']);

function markRemoved(tokens: readonly Token[]): void {
  const fields: OpenField[] = [];
  const open: OpenToken[] = [];
  const isRunning = tokens[0]?.kind === 'open' && RUNNING.has(tokens[0].name);
  for (const token of tokens) {
    const parent = open.at(-1);
    if (token.kind === 'close') {
      const closed = open.pop()!;
      if (closed.name === 'w:fldSimple') endSimpleField(closed, fields, isRunning);
    } else if (token.kind === 'text') {
      if (parent) readFieldText(token.text, parent, fields);
    } else {
      open.push(token);
      if (REMOVED.has(token.tag.local)) token.isRemoved = true;
      else readFieldToken(token, parent, fields, isRunning);
    }
  }
  for (const field of fields) endWithoutMark(field, isRunning);
}

/** A field without an end is removed if its code requires that; the text after it stays. */
function endWithoutMark(field: OpenField, isRunning: boolean): void {
  field.inCode = [];
  removeUnlessKept(field, isRunning);
}

function readFieldText(text: string, parent: OpenToken, fields: readonly OpenField[]): void {
  const field = fields.at(-1);
  if (isInstruction(parent)) {
    if (field && !field.isResult) field.code += text;
  } else if (TEXT.has(parent.name)) markResult(fields);
}

function markResult(fields: readonly OpenField[]): void {
  for (const field of fields) if (field.isResult) field.hasResult = true;
}

function endSimpleField(simple: OpenToken, fields: OpenField[], isRunning: boolean): void {
  const at = fields.findIndex((field) => field.simple === simple);
  const [field, ...within] = fields.splice(at);
  for (const inner of within) endWithoutMark(inner, isRunning);
  const isInCode = fields.some(({ isResult }) => !isResult);
  if (isInCode || !isKeptField(field!.code, { isRunning, hasResult: field!.hasResult }))
    simple.isUnwrapped = true;
}

function readFieldToken(
  token: OpenToken,
  parent: OpenToken | undefined,
  fields: OpenField[],
  isRunning: boolean,
): void {
  const field = fields.at(-1);
  if (token.name === 'w:fldChar') readFieldMark(token, fields, isRunning);
  else if (token.name === 'w:fldSimple') {
    if (field && !field.isResult) field.hasField = true;
    const code = attribute(token, 'instr') ?? '';
    addField(fields, { ...newField(token), code, isResult: true, simple: token });
  } else if (isInstruction(token)) {
    if (field) field.marks.push(token);
    else token.isRemoved = true;
  } else if (parent?.name === 'w:r' && token.name !== 'w:rPr') {
    for (const one of fields) if (!one.isResult) one.inCode.push(token);
    if (token.name === 'w:sym') markResult(fields);
  }
}

function addField(fields: OpenField[], field: OpenField): void {
  if (fields.length === DOCUMENT_LIMITS.docxFieldDepth) throw limitExceeded('nesting');
  fields.push(field);
}

const newField = (token: OpenToken): OpenField => ({
  code: '',
  isResult: false,
  hasResult: false,
  hasField: false,
  marks: [token],
  inCode: [],
});

function readFieldMark(token: OpenToken, fields: OpenField[], isRunning: boolean): void {
  const field = fields.at(-1);
  const type = attribute(token, 'fldCharType');
  if (type === 'begin') {
    if (field && !field.isResult) field.hasField = true;
    addField(fields, newField(token));
  } else if (field && !field.simple) {
    field.marks.push(token);
    if (type === 'separate') field.isResult = true;
    else if (type === 'end') {
      fields.pop();
      // A field in the code of another is a part of that.
      const isInCode = fields.some((one) => !one.isResult);
      removeUnlessKept(isInCode ? { ...field, hasField: true } : field, isRunning);
    }
  } else token.isRemoved = true;
}

function removeUnlessKept({ code, hasField, hasResult, marks, inCode }: OpenField, isRunning: boolean): void {
  if (!hasField && isKeptField(code, { isRunning, hasResult })) return;
  for (const token of [...marks, ...inCode]) token.isRemoved = true;
}
const isInstruction = ({ name }: OpenToken): boolean => name === 'w:instrText' || name === 'w:delInstrText';

const attribute = ({ tag }: OpenToken, local: string): string | undefined =>
  Object.values(tag.attributes).find((one) => one.local === local)?.value;

// --- What is written ---

function write(tokens: readonly Token[]): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'];
  const open: OpenToken[] = [];
  /** How deep the removed element is in which this stands. */
  let removed = 0;
  for (const token of tokens) {
    if (token.kind === 'open') {
      if (removed > 0 || token.isRemoved) removed += 1;
      else if (!token.isUnwrapped) parts.push(startTag(token, namespacesOf(open)));
      open.push(token);
    } else if (token.kind === 'close') {
      const { isUnwrapped, tag } = open.pop()!;
      if (removed > 0) removed -= 1;
      else if (!isUnwrapped) parts.push(`</${tag.name}>`);
    } else if (removed === 0 && !open.at(-1)?.isUnwrapped) parts.push(escapedText(token.text));
  }
  return parts.join('');
}

/** Collects the namespaces declared by omitted tags, which their children need. The nearest declaration counts. */
function namespacesOf(open: readonly OpenToken[]): SaxesAttributeNS[] {
  const declared: SaxesAttributeNS[] = [];
  for (let index = open.length - 1; open[index]?.isUnwrapped; index -= 1)
    declared.push(...Object.values(open[index]!.tag.attributes).filter(isNamespace));
  return declared;
}

const isNamespace = ({ prefix, name }: SaxesAttributeNS): boolean => prefix === 'xmlns' || name === 'xmlns';

function startTag({ tag }: OpenToken, inherited: readonly SaxesAttributeNS[]): string {
  const attributes = new Map<string, string>();
  for (const one of [...Object.values(tag.attributes), ...inherited])
    if (!attributes.has(one.name) && (isNamespace(one) || !ADDRESSES.has(one.local.toLowerCase())))
      attributes.set(one.name, one.value);
  const written = [...attributes].map(([name, value]) => ` ${name}="${escapedAttribute(value)}"`);
  return `<${tag.name}${written.join('')}>`;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapedText = (text: string): string =>
  text.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? '&#13;');
export const escapedAttribute = (text: string): string =>
  text.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`);
