// Rewrites a DOCX so that it may be given to another program: it is checked as for our own layout, and packed anew from the parts
// that its pages need, each without content that acts or refers to the outside (`inert-xml.ts`). Macros and embedded files are omitted.
import { zipSync } from 'fflate';
import { type Replaced, replacedFamilies } from '../pdf/fonts/alternatives.ts';
import type { PdfRemark } from '../pdf/remarks.ts';
import { fieldRemarks } from './field-codes.ts';
import { escapedAttribute, inertXml } from './inert-xml.ts';
import { isSafeAddress } from './links.ts';
import { answerNotUsable, type DocxRefusal, unknownNumber, unreadableDocx } from './not-usable.ts';
import { openPackage, type Package } from './package.ts';
import { type PackageParts, partName, readParts, relationshipsPart } from './parts.ts';
import { readWordDocument } from './read-document.ts';
import { changesRemarks } from './tracked-changes.ts';
import { childrenNamed, type Element, newBudget, readXml } from './xml.ts';

export type SafeDocx =
  | { ok: true; docx: Uint8Array; hasFormulas: boolean; fonts: Replaced; remarks: PdfRemark[] }
  | DocxRefusal;

/** Pictures, and fonts that the document brings along. */
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

/** The parts that a document needs to be laid out, by the last word of their relationship's type. */
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
