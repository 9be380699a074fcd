// Writes PDFs byte by byte, so that a test determines every byte of the file.
import { deflateSync } from 'node:zlib';

/** A file of the given objects, numbered from 1, with a right cross-reference table. Object 1 is the catalog. */
export function pdfOf(objects: string[], trailer = ''): Buffer {
  let text = '%PDF-1.7\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

/** A file of the given pages (the entries of their dictionaries), with `tree` in the node above them. */
export function pagesPdf(pages: string[], tree = '', count = pages.length): Buffer {
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${pages.map((_, index) => `${index + 3} 0 R`).join(' ')}]${tree}>>`,
    ...pages.map((entries) => `<</Type/Page/Parent 2 0 R${entries}>>`),
  ]);
}

/** A page of 100 × 200 points that shows `content`. */
export function contentPdf(content: string, page = '/MediaBox[0 0 100 200]'): Buffer {
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R${page}/Resources<<>>/Contents 4 0 R>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  ]);
}

/** The same objects as `pdfOf`, all of them inside a compressed object stream. */
export function compressedPdf(objects: string[]): Buffer {
  let head = '';
  let at = 0;
  for (const [index, object] of objects.entries()) {
    head += `${index + 1} ${at} `;
    at += object.length + 1;
  }
  const packed = deflateSync(Buffer.from(`${head}${objects.join(' ')}`, 'latin1'));
  const [packedNumber, tableNumber] = [objects.length + 1, objects.length + 2];
  const start = Buffer.from(
    `%PDF-1.7\n${packedNumber} 0 obj\n<</Type/ObjStm/N ${objects.length}/First ${head.length}/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`,
    'latin1',
  );
  const body = Buffer.concat([start, packed, Buffer.from('\nendstream\nendobj\n', 'latin1')]);
  const rows = [
    [0, 0, 0],
    ...objects.map((_, index) => [2, packedNumber, index]),
    [1, 9, 0],
    [1, body.length, 0],
  ];
  const table = Buffer.alloc(rows.length * 4);
  for (const [index, [type, second, third]] of rows.entries()) {
    table.writeUInt8(type!, index * 4);
    table.writeUInt16BE(second!, index * 4 + 1);
    table.writeUInt8(third!, index * 4 + 3);
  }
  const tableHead = `${tableNumber} 0 obj\n<</Type/XRef/Size ${rows.length}/W[1 2 1]/Root 1 0 R/Length ${table.length}>>\nstream\n`;
  const end = `\nendstream\nendobj\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.concat([body, Buffer.from(tableHead, 'latin1'), table, Buffer.from(end, 'latin1')]);
}
