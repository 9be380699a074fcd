// PDFs saved, signed and timestamped byte by byte, so that a test can put any content into an update. Independent of the code
// with which the program signs.
import { deflateSync } from 'node:zlib';
import {
  type CmsOptions,
  cms,
  DAY,
  NOW,
  type Party,
  type TokenOptions,
  timestampAttribute,
  timestampToken,
} from '../certificates/pki.ts';
import { pdfOf } from './pdf.ts';

/** Objects by their numbers, as text or bytes; null frees the number. */
export type Objects = Record<number, string | Buffer | null>;

/** Appends an update to `bytes`. Trailer entries replace the earlier ones. */
export function updated(bytes: Buffer, objects: Objects, trailer = '/Root 1 0 R'): Buffer {
  const before = Number(
    /startxref\s+(\d+)\s+%%EOF\s*$/.exec(bytes.toString('latin1', Math.max(0, bytes.length - 200)))![1],
  );
  const parts: Buffer[] = [bytes];
  let at = bytes.length;
  let table = 'xref\n';
  for (const [number, value] of Object.entries(objects)) {
    if (value === null) {
      table += `${number} 1\n0000000000 00001 f \n`;
      continue;
    }
    const body = typeof value === 'string' ? Buffer.from(value, 'latin1') : value;
    const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    table += `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`;
    at += object.length;
    parts.push(object);
  }
  const size = Object.keys(objects).reduce((most, number) => Math.max(most, Number(number) + 1), 200);
  const end = `${table}trailer\n<</Size ${size}${trailer}/Prev ${before}>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end, 'latin1')]);
}

export const streamOf = (content: string | Buffer, entries = ''): Buffer => {
  const data = Buffer.isBuffer(content) ? content : Buffer.from(content, 'latin1');
  return Buffer.concat([
    Buffer.from(`<<${entries}/Length ${data.length}>>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
};

export const packed = (content: string): Buffer =>
  streamOf(deflateSync(Buffer.from(content)), '/Filter/FlateDecode');

// Numbers of objects in the base file.
export const N = {
  catalog: 1,
  pages: 2,
  page: 3,
  content: 4,
  font: 5,
  form: 6,
  text: 7,
  textLook: 8,
  seal: 9,
  note: 10,
  info: 11,
  unused: 12,
} as const;

export const CATALOG = (more = '') => `<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R${more}>>`;
export const PAGE = (annotations: string, more = '') =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R/Annots[${annotations}]${more}>>`;
export const PAGE_ANNOTATIONS = '7 0 R 9 0 R 10 0 R';
export const FORM = (fields: string, more = '/SigFlags 3') => `<</Fields[${fields}]${more}>>`;
export const TEXT_FIELD = (value: string, more = '') =>
  `<</Type/Annot/Subtype/Widget/FT/Tx/T(amount)/Rect[10 10 100 30]/F 4/P 3 0 R/AP<</N 8 0 R>>${value}${more}>>`;
export const SEAL_FIELD = (value: string) =>
  `<</Type/Annot/Subtype/Widget/FT/Sig/T(Seal)/Rect[150 10 290 60]/F 4/P 3 0 R${value}>>`;

/** One page with text, a text field, an empty signature field, a note and an object that nothing refers to. */
export const basePdf = (): Buffer =>
  pdfOf(
    [
      CATALOG(),
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      PAGE(PAGE_ANNOTATIONS),
      streamOf('BT /F 12 Tf 20 150 Td (I owe you 100 euros) Tj ET').toString('latin1'),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      FORM('7 0 R 9 0 R'),
      TEXT_FIELD(''),
      streamOf('', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]').toString('latin1'),
      SEAL_FIELD(''),
      '<</Type/Annot/Subtype/Text/Rect[200 150 220 170]/Contents(A note)/P 3 0 R>>',
      '<</Title(Contract)>>',
      streamOf('BT /F 12 Tf 20 150 Td (I owe you 100000 euros) Tj ET').toString('latin1'),
    ],
    '/Info 11 0 R',
  );

export type SignOptions = {
  party: Party;
  cms?: CmsOptions;
  /** A number for its dictionary that is free. */
  number?: number;
  subFilter?: string;
  /** Entries of the dictionary; the default is a certification that allows forms. */
  entries?: string;
  /** More objects of the same update, the field among them. */
  objects?: (dictionary: number) => Objects;
  tsa?: Party | undefined;
  token?: TokenOptions;
  /** Makes a value instead of a CMS signature from the covered bytes. */
  make?: (data: Buffer) => Buffer;
  trailer?: string;
  room?: number;
};

export const certifying = (level: number): string =>
  `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${level}/V/1.2>>>>]`;

const RANGE = '/ByteRange[0 0000000000 0000000000 0000000000]';

/** Signs the field Seal, or writes `objects` instead. */
export function signPdf(bytes: Buffer, options: SignOptions): Buffer {
  const { party, number = 20, room = 8000 } = options;
  const entries = options.entries ?? certifying(2);
  const dictionary = `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/${options.subFilter ?? 'ETSI.CAdES.detached'}/M(D:20261121180000Z)${RANGE}/Contents<${'0'.repeat(room * 2)}>${entries}>>`;
  const objects = options.objects?.(number) ?? { [N.seal]: SEAL_FIELD(`/V ${number} 0 R`) };
  const prepared = updated(bytes, { [number]: dictionary, ...objects }, options.trailer);
  return filled(prepared, bytes.length, (data) =>
    options.make
      ? options.make(data)
      : cms(party, data, {
          ...options.cms,
          ...(options.tsa && {
            unsigned: (signature) => [
              timestampAttribute(timestampToken(options.tsa!, signature, options.token)),
            ],
          }),
        }),
  );
}

/** Puts a signature into the first empty place after `from`. */
export function filled(prepared: Buffer, from: number, make: (data: Buffer) => Buffer): Buffer {
  const out = Buffer.from(prepared);
  const start = out.indexOf('/Contents<', from) + '/Contents'.length;
  const end = out.indexOf('>', start) + 1;
  const numbers = [start, end, out.length - end].map((number) => String(number).padEnd(10)).join(' ');
  out.write(`/ByteRange[0 ${numbers}]`, out.indexOf('/ByteRange[', from), 'latin1');
  const data = Buffer.concat([out.subarray(0, start), out.subarray(end)]);
  const signature = make(data).toString('hex');
  if (signature.length > end - start - 2) throw new Error(`No room for ${signature.length / 2} bytes.`);
  out.write(signature, start + 1, 'latin1');
  return out;
}

export type Store = { certificates: Buffer[]; crls?: Buffer[]; ocsps?: Buffer[] };

/** Appends an update with certificates and lists. */
export function withStore(
  bytes: Buffer,
  { certificates, crls = [], ocsps = [] }: Store,
  first = 30,
  catalog = '',
): Buffer {
  const objects: Objects = {};
  let next = first;
  const add = (items: Buffer[]) =>
    items
      .map((item) => {
        objects[next] = streamOf(item);
        return `${next++} 0 R`;
      })
      .join(' ');
  const lists = [
    ['Certs', add(certificates)],
    ['CRLs', add(crls)],
    ['OCSPs', add(ocsps)],
  ].filter(([, items]) => items !== '');
  objects[next] = `<<${lists.map(([key, items]) => `/${key}[${items}]`).join('')}>>`;
  objects[N.catalog] = CATALOG(`/DSS ${next} 0 R${catalog}`);
  return updated(bytes, objects, '/Root 1 0 R/Info 11 0 R');
}

export type DocumentTimestamp = {
  tsa: Party;
  number?: number;
  token?: TokenOptions;
  fields?: string;
  annotations?: string;
  /** More entries of the page. */
  page?: string;
};

/** Appends an update with a document timestamp in an invisible field. */
export function withTimestamp(bytes: Buffer, options: DocumentTimestamp): Buffer {
  const { tsa, number = 60, fields = '7 0 R 9 0 R', annotations = PAGE_ANNOTATIONS, page = '' } = options;
  const field = number + 1;
  return signPdf(bytes, {
    party: tsa,
    number,
    subFilter: 'ETSI.RFC3161',
    entries: '',
    objects: () => ({
      [field]: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Timestamp${number})/Rect[0 0 0 0]/F 132/P 3 0 R/V ${number} 0 R>>`,
      [N.form]: FORM(`${fields} ${field} 0 R`),
      [N.page]: PAGE(`${annotations} ${field} 0 R`, page),
    }),
    make: (data) => timestampToken(tsa, data, options.token),
  });
}

export { DAY, NOW };
