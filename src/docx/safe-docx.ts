// Rewrites a DOCX so that it may be given to another program: it is checked as for our own layout, and packed anew from the parts
// that its pages need, each without content that acts or refers to the outside (`inert-xml.ts`). Macros and embedded files are omitted.
import { zipSync } from 'fflate';
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { type Replaced, replacedFamilies } from '../pdf/fonts/alternatives.ts';
import { DOCUMENT_LIMITS } from '../pdf/limits.ts';
import type { PdfRemark } from '../pdf/remarks.ts';
import { fieldRemarks, isKeptField, isSafeAddress } from './field-codes.ts';
import {
  answerNotUsable,
  type DocxRefusal,
  limitExceeded,
  unknownNumber,
  unreadableDocx,
} from './not-usable.ts';
import {
  openPackage,
  type Package,
  type PackageParts,
  partName,
  readParts,
  relationshipsPart,
} from './package.ts';
import { changesRemarks, readWordDocument } from './read-document.ts';
import { childrenNamed, decodeXml, type Element, newBudget, readXml, shortName } from './xml.ts';

type SafeDocx =
  | { ok: true; docx: Uint8Array; hasFormulas: boolean; fonts: Replaced; remarks: PdfRemark[] }
  | DocxRefusal;

/** The package keeps pictures, and fonts that the document brings along. */
const FILES = /\.(xml|png|jpe?g|gif|bmp|tiff?|emf|wmf|odttf)$/i;
const FILE_KINDS = new Set(['image', 'font']);
const XML = /\.xml$/i;
const RELATIONSHIPS = /\.rels$/i;
const CONTENT_TYPES = '[Content_Types].xml';
/** Zip has no time before that, and the same bytes in give the same bytes out. */
const MADE = '1980-01-01';

export async function safeDocx(bytes: Uint8Array): Promise<SafeDocx> {
  return answerNotUsable(async () => {
    const pack = await openPackage(bytes);
    const parts = readParts(pack);
    const { formulas, changes, outdatedFields, families, embeddedFamilies } = readWordDocument(parts);
    // LibreOffice leaves them out as well.
    if (formulas.field) throw unknownNumber(formulas.field.limit, formulas.field.near);
    const needed = neededParts(parts);
    const files = Object.fromEntries(
      filesOf(pack, needed).map(([name, content]) => [name, [content, { mtime: MADE }]]),
    );
    const docx = zipSync(files as Parameters<typeof zipSync>[0], { level: 1 });
    const remarks = [...changesRemarks(changes), ...fieldRemarks(outdatedFields)];
    const fonts = replacedFamilies([...families].filter((family) => !embeddedFamilies.has(family)));
    return { ok: true, docx, hasFormulas: formulas.count > 0, fonts, remarks };
  });
}

/** The layout of a document needs these parts, which are named by the last word of their relationship's type. */
const NEEDED = new Set([
  'officeDocument',
  'core-properties',
  'styles',
  'numbering',
  'settings',
  'fontTable',
  'font',
  'theme',
  'themeOverride',
  'header',
  'footer',
  'footnotes',
  'endnotes',
  'comments',
  'commentsExtended',
  'commentsIds',
  'commentsExtensible',
  'people',
  'image',
  'chart',
  'chartEx',
  'chartColorStyle',
  'chartStyle',
  'chartUserShapes',
  'diagramData',
  'diagramLayout',
  'diagramQuickStyle',
  'diagramColors',
  'diagramDrawing',
]);

type Needed = ReadonlyMap<string, { isXml: boolean }>;

/** Another program finds parts by relationships, so what a part is does not depend on its folder, and whether it is XML not on its name. */
function neededParts({ package: pack, main }: PackageParts): Needed {
  const needed = new Map([
    ['', { isXml: false }],
    [main, { isXml: true }],
  ]);
  for (const from of needed.keys())
    for (const relationship of relationshipsOf(pack, from)) {
      const { kind, target, isExternal } = relationship;
      if (isExternal || !NEEDED.has(kind) || !pack.has(target)) continue;
      const isFile = FILE_KINDS.has(kind);
      if (isFile && !FILES.test(target)) continue;
      // No part may be both relationships and content: it would be read twice, in two ways.
      if (RELATIONSHIPS.test(target)) throw unreadableDocx();
      const isXml = !isFile || XML.test(target) || needed.get(target)?.isXml === true;
      needed.set(target, { isXml });
    }
  return needed;
}

function filesOf(pack: Package, needed: Needed): [string, Uint8Array][] {
  const files: [string, Uint8Array][] = [];
  if (pack.has(CONTENT_TYPES)) files.push([CONTENT_TYPES, inertXml(pack.read(CONTENT_TYPES)!)]);
  for (const [name, { isXml }] of needed) {
    if (name !== '' && name !== CONTENT_TYPES) files.push([name, contentOf(pack, name, isXml)]);
    if (pack.has(relationshipsPart(name)))
      files.push([relationshipsPart(name), relationshipsWithin(relationshipsOf(pack, name), needed)]);
  }
  return files;
}

function contentOf(pack: Package, name: string, isXml: boolean): Uint8Array {
  const bytes = pack.read(name)!;
  if (!isXml) return bytes;
  // A budget of its own: what the document was read with is not asked for twice.
  readXml(bytes, newBudget());
  return inertXml(bytes);
}

type Written = { kind: string; target: string; isExternal: boolean; attributes: Element['attributes'] };

function relationshipsOf(pack: Package, from: string): Written[] {
  const bytes = pack.read(relationshipsPart(from));
  const root = bytes && readXml(bytes, newBudget());
  return childrenNamed(root, 'rel:Relationship').map(({ attributes }) => {
    const { TargetMode, Type = '', Target = '' } = attributes;
    const kind = Type.slice(Type.lastIndexOf('/') + 1);
    return { kind, target: partName(from, Target), isExternal: TargetMode === 'External', attributes };
  });
}

/** Only addresses that a reader follows by hand may lead out of the package, and others only to parts that are in it. */
function relationshipsWithin(relationships: readonly Written[], needed: Needed): Uint8Array {
  const isWithin = ({ kind, target, isExternal, attributes: { Target = '' } }: Written): boolean => {
    if (kind === 'hyperlink') return isExternal ? isSafeAddress(Target) : Target.startsWith('#');
    return !isExternal && NEEDED.has(kind) && needed.has(target);
  };
  const written = relationships.filter(isWithin).map(({ attributes }) => {
    const all = ['Id', 'Type', 'Target', 'TargetMode'].filter((key) => attributes[key] !== undefined);
    return `<Relationship ${all.map((key) => `${key}="${escapedAttribute(attributes[key]!)}"`).join(' ')}/>`;
  });
  const namespace = 'http://schemas.openxmlformats.org/package/2006/relationships';
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="${namespace}">${written.join('')}</Relationships>`,
  );
}

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

/** The code of an open field comes first, then its result. */
type OpenField = {
  code: string;
  isResult: boolean;
  hasResult: boolean;
  hasField: boolean;
  /** The marks are `w:fldChar` and `w:instrText`. */
  marks: OpenToken[];
  /** Runs hold other things before the result begins: results of fields in the code. Word does not show them. */
  inCode: OpenToken[];
  /** One element holds all of a simple field. */
  simple?: OpenToken;
};

/** Headers and footers are drawn on each page. */
const HEADER_FOOTER = new Set(['w:hdr', 'w:ftr']);
const TEXT = new Set(['w:t', 'w:delText']);

function markRemoved(tokens: readonly Token[]): void {
  const fields: OpenField[] = [];
  const open: OpenToken[] = [];
  const inHeaderFooter = tokens[0]?.kind === 'open' && HEADER_FOOTER.has(tokens[0].name);
  for (const token of tokens) {
    const parent = open.at(-1);
    if (token.kind === 'close') {
      const closed = open.pop()!;
      if (closed.name === 'w:fldSimple') endSimpleField(closed, fields, inHeaderFooter);
    } else if (token.kind === 'text') {
      if (parent) readFieldText(token.text, parent, fields);
    } else {
      open.push(token);
      if (REMOVED.has(token.tag.local)) token.isRemoved = true;
      else readFieldToken(token, parent, fields, inHeaderFooter);
    }
  }
  for (const field of fields) endWithoutMark(field, inHeaderFooter);
}

/** A field without an end is removed if its code requires that; the text after it stays. */
function endWithoutMark(field: OpenField, inHeaderFooter: boolean): void {
  field.inCode = [];
  removeUnlessKept(field, inHeaderFooter);
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

function endSimpleField(simple: OpenToken, fields: OpenField[], inHeaderFooter: boolean): void {
  const at = fields.findIndex((field) => field.simple === simple);
  const [field, ...within] = fields.splice(at);
  for (const inner of within) endWithoutMark(inner, inHeaderFooter);
  const isInCode = fields.some(({ isResult }) => !isResult);
  if (isInCode || !isKeptField(field!.code, { inHeaderFooter, hasResult: field!.hasResult }))
    simple.isUnwrapped = true;
}

function readFieldToken(
  token: OpenToken,
  parent: OpenToken | undefined,
  fields: OpenField[],
  inHeaderFooter: boolean,
): void {
  const field = fields.at(-1);
  if (token.name === 'w:fldChar') readFieldMark(token, fields, inHeaderFooter);
  else if (token.name === 'w:fldSimple') {
    if (field && !field.isResult) field.hasField = true;
    const code = attribute(token, 'instr') ?? '';
    addField(fields, { ...newField(token), code, isResult: true, simple: token });
  } else if (isInstruction(token)) {
    if (field) field.marks.push(token);
    else token.isRemoved = true;
  } else if (parent?.name === 'w:r' && token.name !== 'w:rPr') {
    for (const field of fields) if (!field.isResult) field.inCode.push(token);
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

function readFieldMark(token: OpenToken, fields: OpenField[], inHeaderFooter: boolean): void {
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
      const isInCode = fields.some((field) => !field.isResult);
      removeUnlessKept(isInCode ? { ...field, hasField: true } : field, inHeaderFooter);
    }
  } else token.isRemoved = true;
}

function removeUnlessKept(
  { code, hasField, hasResult, marks, inCode }: OpenField,
  inHeaderFooter: boolean,
): void {
  if (!hasField && isKeptField(code, { inHeaderFooter, hasResult })) return;
  for (const token of [...marks, ...inCode]) token.isRemoved = true;
}
const isInstruction = ({ name }: OpenToken): boolean => name === 'w:instrText' || name === 'w:delInstrText';

const attribute = ({ tag }: OpenToken, local: string): string | undefined =>
  Object.values(tag.attributes).find((attribute) => attribute.local === local)?.value;

// --- What is written ---

function write(tokens: readonly Token[]): string {
  const output = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'];
  const open: OpenToken[] = [];
  /** It counts how deep in the removed element the parser is. */
  let removed = 0;
  for (const token of tokens) {
    if (token.kind === 'open') {
      if (removed > 0 || token.isRemoved) removed += 1;
      else if (!token.isUnwrapped) output.push(startTag(token, namespacesOf(open)));
      open.push(token);
    } else if (token.kind === 'close') {
      const { isUnwrapped, tag } = open.pop()!;
      if (removed > 0) removed -= 1;
      else if (!isUnwrapped) output.push(`</${tag.name}>`);
    } else if (removed === 0 && !open.at(-1)?.isUnwrapped) output.push(escapedText(token.text));
  }
  return output.join('');
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
  for (const attribute of [...Object.values(tag.attributes), ...inherited])
    if (
      !attributes.has(attribute.name) &&
      (isNamespace(attribute) || !ADDRESSES.has(attribute.local.toLowerCase()))
    )
      attributes.set(attribute.name, attribute.value);
  const written = [...attributes].map(([name, value]) => ` ${name}="${escapedAttribute(value)}"`);
  return `<${tag.name}${written.join('')}>`;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapedText = (text: string): string =>
  text.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? '&#13;');
const escapedAttribute = (text: string): string =>
  text.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`);
