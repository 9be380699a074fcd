// Hostile DOCX files: some in their ZIP, some in their XML. No real program writes them.
import { crc32, deflateRawSync } from 'node:zlib';
import { deflatedCopies, MIB } from './parts.mjs';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const RELATIONSHIPS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>';

const DEFLATED = 8;

/** The header of a ZIP entry; each number may be false. */
export function entry(name, content, more = {}) {
  const bytes = Buffer.from(content);
  const packed = deflateRawSync(bytes);
  return { name, packed, sizeBytes: bytes.length, crc: crc32(bytes), flags: 0, ...more };
}

/** Data that inflates to `mib` MiB of blanks between two ends. */
function inflatingBlanks(name, before, mib, more = {}) {
  const zlib = deflatedCopies(Buffer.alloc(MIB, ' '), mib, Buffer.from(before));
  const sizeBytes = before.length + mib * MIB;
  // Raw deflate, without zlib's two bytes before it and four bytes after it.
  return { name, packed: zlib.subarray(2, -4), sizeBytes, crc: 0, flags: 0, ...more };
}

function header(signature, { name, packed, sizeBytes, crc, flags }, central) {
  const head = Buffer.alloc(central === undefined ? 30 : 46);
  head.writeUInt32LE(signature, 0);
  const at = central === undefined ? 4 : 6;
  if (central !== undefined) head.writeUInt16LE(20, 4);
  head.writeUInt16LE(20, at);
  head.writeUInt16LE(flags, at + 2);
  head.writeUInt16LE(DEFLATED, at + 4);
  head.writeUInt32LE(crc, at + 10);
  head.writeUInt32LE(packed.length, at + 14);
  head.writeUInt32LE(sizeBytes, at + 18);
  head.writeUInt16LE(Buffer.byteLength(name), at + 22);
  if (central !== undefined) head.writeUInt32LE(central, 42);
  return Buffer.concat([head, Buffer.from(name)]);
}

/** Entries with `at` are not written: they point at another one, by its position. */
export function zipOf(entries) {
  const parts = [];
  const offsets = [];
  let at = 0;
  for (const one of entries) {
    offsets.push(one.at === undefined ? at : offsets[one.at]);
    if (one.at !== undefined) continue;
    const local = Buffer.concat([header(0x04034b50, one), one.packed]);
    parts.push(local);
    at += local.length;
  }
  const central = entries.map((one, index) => header(0x02014b50, one, offsets[index]));
  const size = central.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...central, end]);
}

const around = (document) => [
  entry('[Content_Types].xml', TYPES),
  entry('_rels/.rels', RELATIONSHIPS),
  document,
];
const docx = (...more) => zipOf([...around(more[0]), ...more.slice(1)]);
const documentOf = (body, before = '') =>
  entry('word/document.xml', `${before}<w:document ${W}><w:body>${body}</w:body></w:document>`);
const P = '<w:p><w:r><w:t>x</w:t></w:r></w:p>';
const OPEN = `<w:document ${W}><w:body>`;

export const ratioBomb = () => docx(inflatingBlanks('word/document.xml', OPEN, 40));
export const largeBomb = () => docx(inflatingBlanks('word/document.xml', OPEN, 900));
export const manyBombs = () =>
  docx(
    documentOf(P),
    ...Array.from({ length: 60 }, (_, index) => inflatingBlanks(`word/media/${index}.xml`, '', 3)),
  );
export const lyingSize = () => docx(inflatingBlanks('word/document.xml', OPEN, 600, { sizeBytes: 1000 }));
export const overlap = () => {
  const large = entry('word/a.xml', ' '.repeat(1000));
  return docx(
    documentOf(P),
    large,
    ...Array.from({ length: 200 }, (_, index) => ({ ...large, name: `word/b${index}.xml`, at: 3 })),
  );
};
export const manyEntries = () =>
  docx(documentOf(P), ...Array.from({ length: 20_000 }, (_, index) => entry(`word/media/${index}.png`, '')));
export const climbingName = () => docx(documentOf(P), entry('word/../../../tmp/evil.xml', P));
export const sameName = () => docx(documentOf(P), entry('Word/Document.xml', P));
export const encryptedEntry = () => docx({ ...documentOf(P), flags: 1 });
export const entities = () => {
  const rows = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`,
  ).join('');
  return docx(
    documentOf('<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>', `<!DOCTYPE x [<!ENTITY a0 "lol">${rows}]>`),
  );
};
export const fileEntity = () =>
  docx(
    documentOf(
      '<w:p><w:r><w:t>&f;</w:t></w:r></w:p>',
      '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>',
    ),
  );
const nested = (times, open, close) => open.repeat(times) + P + close.repeat(times);
export const deepXml = () => docx(documentOf(nested(100_000, '<w:sdt>', '</w:sdt>')));
const TABLE = ['<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>'];
export const deepTables = () => docx(documentOf(nested(500, ...TABLE)));
export const twentyTables = () => docx(documentOf(nested(20, ...TABLE)));
export const manyTables = () =>
  docx(documentOf(`<w:tbl><w:tr><w:tc>${P}</w:tc></w:tr></w:tbl>`.repeat(10_000)));
/** Text that compresses like a book. */
function prose(length) {
  let state = 1;
  const letters = Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return 'etaoin shrdlu cm etaoin '[(state >>> 16) % 24];
  });
  return letters.join('');
}

const paragraphOf = (text) => documentOf(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`);
export const longParagraph = () => docx(paragraphOf(prose(10 * MIB)));
export const longerParagraph = () => docx(paragraphOf(prose(400_000)));
export const longWord = () => docx(documentOf(`<w:p><w:r><w:t>${'x'.repeat(290_000)}</w:t></w:r></w:p>`));
export const manyRuns = () => docx(documentOf(`<w:p>${'<w:r/>'.repeat(600_000)}</w:p>`));
export const manyPages = () => docx(documentOf(`<w:p><w:r><w:br w:type="page"/></w:r></w:p>`.repeat(5000)));
export const manyAttributes = () =>
  docx(
    documentOf(
      `<w:p ${Array.from({ length: 200_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`.repeat(12),
    ),
  );
export const inserted = () =>
  docx(
    documentOf(
      `${P}<w:altChunk r:id="x" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>`,
    ),
  );
/** Styles that are based on each other in a circle, and lists that name each other. */
export const circles = () => {
  const styles = `<w:styles ${W}><w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>`;
  const of = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`;
  return docx(
    documentOf('<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>'),
    entry('word/styles.xml', styles),
    entry('word/_rels/document.xml.rels', of),
  );
};
/** Every length as long as a number can be. */
export const hugeLengths = () =>
  docx(
    documentOf(
      `<w:p><w:pPr><w:ind w:left="999999999" w:hanging="999999999"/><w:spacing w:before="999999999" w:line="999999999" w:lineRule="exact"/></w:pPr><w:r><w:rPr><w:sz w:val="999999999"/></w:rPr><w:t>x</w:t></w:r></w:p><w:sectPr><w:pgSz w:w="1" w:h="999999999"/><w:pgMar w:top="999999999" w:left="999999999" w:right="999999999" w:bottom="999999999" w:header="999999999" w:footer="999999999"/><w:cols w:num="999999999" w:space="999999999"/></w:sectPr>`,
    ),
  );
