// Each later save names the catalog and the encryption that were signed, whether or not an object differs. The known attack prepares a second catalog in the
// signed part, to which a save switches without changing an object.
import type { PdfFile, PdfView } from '../../read/read-pdf.ts';
import { isSame, type Value } from '../../read/values.ts';
import { defineSaveRule } from './rule.ts';

export const trailerEntries = defineSaveRule({
  name: 'trailer-entries',
  allows: 'Each later save names the catalog and the encryption that were signed.',
  source: 'ISO 32000-2, 7.5.5 and 7.6.1',
  codes: ['changed_structure'],
  judge({ file, signed }) {
    const part = replacedEntry(file, signed);
    return part === undefined ? undefined : { code: 'changed_structure', details: { part } };
  },
});

/** The encryption is also another one where its own object changed, whatever else names that object. */
function replacedEntry({ sections, view }: PdfFile, signed: PdfView): string | undefined {
  const later = sections.slice(signed.index + 1);
  const isKept = (key: string) =>
    later.every(({ trailer }) => isSame(trailer.get(key), signed.trailer.get(key)));
  const key = signed.trailer.get('Encrypt');
  if (!isKept('Root')) return 'Root';
  const isSameKey = later.every((_, index) => isSameBehind(signed, view(signed.index + 1 + index), key, key));
  return isKept('Encrypt') && isSameKey ? undefined : 'Encrypt';
}

const ENCRYPTION_DEPTH = 8;

/** Tells whether a value leads to the same in both versions. Another way of decrypting shows the same objects differently. */
function isSameBehind(
  old: PdfView,
  latest: PdfView,
  before: Value | undefined,
  after: Value | undefined,
  depth = 0,
): boolean {
  if (depth > ENCRYPTION_DEPTH) return false;
  const [was, is] = [old.resolve(before), latest.resolve(after)];
  const isSamePart = (part: Value | undefined, laterPart: Value | undefined) =>
    part !== undefined && laterPart !== undefined && isSameBehind(old, latest, part, laterPart, depth + 1);
  if (Array.isArray(was) && Array.isArray(is))
    return was.length === is.length && was.every((item, index) => isSamePart(item, is[index]));
  if (was instanceof Map && is instanceof Map)
    return was.size === is.size && [...was].every(([key, item]) => isSamePart(item, is.get(key)));
  return isSame(was, is);
}
