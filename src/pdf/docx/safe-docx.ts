// Makes of a DOCX one that may be given to another program: looked at as for our own layout, packed anew from the parts that
// a document needs, and with nothing in it that names a place outside. Macros and embedded files are left out.
import { zipSync } from 'fflate';
import { isSafeAddress } from './links.ts';
import { type DocxRefusal, orRefusal } from './not-usable.ts';
import { openPackage, type Package } from './package.ts';
import { type PackageParts, readParts } from './parts.ts';
import { readDocument } from './read-document.ts';
import { childrenNamed, newBudget, readXml } from './xml.ts';

export type SafeDocx = { ok: true; docx: Uint8Array } | DocxRefusal;

/** XML, pictures, and fonts that the document brings along. */
const KEPT = /\.(xml|rels|png|jpe?g|gif|bmp|tiff?|emf|wmf|odttf)$/i;
const LEFT_OUT = /(^|\/)(embeddings|activeX|vbaData\.xml|vbaProject)/i;
const RELATIONSHIPS = /\.rels$/i;
const XML = /\.xml$/i;
/** Zip has no time before that, and the same bytes in give the same bytes out. */
const MADE = '1980-01-01';

export async function safeDocx(bytes: Uint8Array): Promise<SafeDocx> {
  return orRefusal(async () => {
    const pack = await openPackage(bytes);
    const parts = readParts(pack);
    readDocument(parts);
    const files = Object.fromEntries(
      keptParts(pack).map((name) => [name, [contentOf(name, parts), { mtime: MADE }]]),
    );
    return { ok: true, docx: zipSync(files as Parameters<typeof zipSync>[0], { level: 1 }) };
  });
}

const keptParts = ({ names }: Package): string[] =>
  names.filter((name) => KEPT.test(name) && !LEFT_OUT.test(name));

function contentOf(name: string, { package: pack }: PackageParts): Uint8Array {
  const bytes = pack.read(name)!;
  if (RELATIONSHIPS.test(name)) return withinPackage(bytes);
  // A budget of its own: what the document was read with is not asked for twice.
  if (XML.test(name)) readXml(bytes, newBudget());
  return bytes;
}

/** Only addresses that a reader follows by hand may lead out of the package. */
function withinPackage(bytes: Uint8Array): Uint8Array {
  const root = readXml(bytes, newBudget());
  const kept = childrenNamed(root, 'rel:Relationship').filter(
    ({ attributes: { TargetMode, Type, Target } }) =>
      TargetMode === 'External'
        ? /\/hyperlink$/.test(Type ?? '') && isSafeAddress(Target ?? '')
        : !/^[a-z]+:/i.test(Target ?? ''),
  );
  const written = kept.map(({ attributes }) => {
    const all = ['Id', 'Type', 'Target', 'TargetMode'].filter((name) => attributes[name] !== undefined);
    return `<Relationship ${all.map((name) => `${name}="${escaped(attributes[name]!)}"`).join(' ')}/>`;
  });
  const namespace = 'http://schemas.openxmlformats.org/package/2006/relationships';
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="${namespace}">${written.join('')}</Relationships>`,
  );
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
