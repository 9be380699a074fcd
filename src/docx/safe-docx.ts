// Rewrites a DOCX so that it may be given to another program: it is checked as for our own layout, and packed anew from the parts
// that a document needs, each without content that acts or refers to the outside (`inert-xml.ts`). Macros and embedded files are omitted.
import { zipSync } from 'fflate';
import { type Replaced, replacedFamilies } from '../pdf/fonts/alternatives.ts';
import type { PdfRemark } from '../pdf/remarks.ts';
import { fieldRemarks } from './field-codes.ts';
import { escapedAttribute, inertXml } from './inert-xml.ts';
import { isSafeAddress } from './links.ts';
import { answerNotUsable, type DocxRefusal, unknownNumber } from './not-usable.ts';
import { openPackage, type Package } from './package.ts';
import { type PackageParts, partName, readParts } from './parts.ts';
import { readWordDocument } from './read-document.ts';
import { changesRemarks } from './tracked-changes.ts';
import { childrenNamed, type Element, newBudget, readXml } from './xml.ts';

export type SafeDocx =
  | { ok: true; docx: Uint8Array; hasFormulas: boolean; fonts: Replaced; remarks: PdfRemark[] }
  | DocxRefusal;

/** XML, pictures, and fonts that the document brings along. */
const KEPT = /\.(xml|rels|png|jpe?g|gif|bmp|tiff?|emf|wmf|odttf)$/i;
const OMITTED =
  /(^|\/)(embeddings|activeX|vbaData\.xml|vbaProject|webSettings\.xml|glossary|customXml|docProps\/(?!core))/i;
const RELATIONSHIPS = /\.rels$/i;
const XML = /\.xml$/i;
/** Zip has no time before that, and the same bytes in give the same bytes out. */
const MADE = '1980-01-01';

export async function safeDocx(bytes: Uint8Array): Promise<SafeDocx> {
  return answerNotUsable(async () => {
    const pack = await openPackage(bytes);
    const parts = readParts(pack);
    const { formulas, changes, outdatedFields, families, embeddedFamilies } = readWordDocument(parts);
    // LibreOffice leaves them out as well.
    if (formulas.field) throw unknownNumber(formulas.field.limit, formulas.field.near);
    const names = new Set(keptParts(pack));
    const files = Object.fromEntries(
      [...names].map((name) => [name, [contentOf(name, parts, names), { mtime: MADE }]]),
    );
    const docx = zipSync(files as Parameters<typeof zipSync>[0], { level: 1 });
    const remarks = [...changesRemarks(changes), ...fieldRemarks(outdatedFields)];
    const fonts = replacedFamilies([...families].filter((family) => !embeddedFamilies.has(family)));
    return { ok: true, docx, hasFormulas: formulas.count > 0, fonts, remarks };
  });
}

const keptParts = ({ names }: Package): string[] =>
  names.filter((name) => KEPT.test(name) && !OMITTED.test(name));

function contentOf(name: string, { package: pack }: PackageParts, kept: ReadonlySet<string>): Uint8Array {
  const bytes = pack.read(name)!;
  if (!RELATIONSHIPS.test(name) && !XML.test(name)) return bytes;
  // A budget of its own: what the document was read with is not asked for twice.
  const root = readXml(bytes, newBudget());
  return RELATIONSHIPS.test(name) ? relationshipsWithin(root, name, kept) : inertXml(bytes);
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

/** Only addresses that a reader follows by hand may lead out of the package, and others only to parts that are in it. */
function relationshipsWithin(root: Element, name: string, kept: ReadonlySet<string>): Uint8Array {
  const from = name.replace(/(^|\/)_rels\/([^/]*)\.rels$/i, '$1$2');
  const isWithin = ({ attributes: { TargetMode, Type = '', Target = '' } }: Element): boolean => {
    const kind = Type.slice(Type.lastIndexOf('/') + 1);
    if (kind === 'hyperlink')
      return TargetMode === 'External' ? isSafeAddress(Target) : Target.startsWith('#');
    return TargetMode !== 'External' && NEEDED.has(kind) && kept.has(partName(from, Target));
  };
  const written = childrenNamed(root, 'rel:Relationship')
    .filter(isWithin)
    .map(({ attributes }) => {
      const all = ['Id', 'Type', 'Target', 'TargetMode'].filter((key) => attributes[key] !== undefined);
      return `<Relationship ${all.map((key) => `${key}="${escapedAttribute(attributes[key]!)}"`).join(' ')}/>`;
    });
  const namespace = 'http://schemas.openxmlformats.org/package/2006/relationships';
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="${namespace}">${written.join('')}</Relationships>`,
  );
}
