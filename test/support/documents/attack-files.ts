// Manipulated files that several tests of verifying use. Each begins with a file that is signed as it should be.
import { certificate, type Party } from '../certificates/pki.ts';
import {
  basePdf,
  FORM,
  filled,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  SEAL_FIELD,
  type SignOptions,
  signPdf,
  streamOf,
  updated,
} from './signed-pdf.ts';
import { approved, certified, PKI, signed, WITH_INFO } from './verification.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** The place of the last section, as the end of the file says. */
export const lastSectionOf = (file: Buffer): number =>
  Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1]);

/** One letter of what was signed is another one. */
export function flipped(file: Buffer): Buffer {
  const other = Buffer.from(file);
  other.write('200', other.indexOf('100 euros'), 'latin1');
  return other;
}

/** A later save shows another amount. */
export const withOtherContent = (file: Buffer, trailer = WITH_INFO): Buffer =>
  updated(file, { [N.content]: streamOf('BT /F 12 Tf 20 150 Td (I owe you 900 euros) Tj ET') }, trailer);

// ── the place of a signature ────────────────────────────────────────────────────────────────────────────────────

/** Universal signature forgery: the byte range is written over, as long as it was. */
export const withRange = (range: string, file = signed()): Buffer =>
  latin1(file.toString('latin1').replace(/\/ByteRange\[[^\]]*\]/, (old) => range.padEnd(old.length)));

/** The same with the contents, whose text begins with `/Contents<`. */
export function withContents(change: (contents: string) => string): Buffer {
  const text = signed().toString('latin1');
  const at = text.indexOf('/Contents<');
  const end = text.indexOf('>', at) + 1;
  const old = text.slice(at, end);
  return latin1(text.slice(0, at) + change(old).padEnd(old.length) + text.slice(end));
}

/** Signature wrapping: a gap that is larger than the signature, with content in it. @param first the first byte of the signature */
export function withWideGap(first: string): Buffer {
  const prepared = updated(basePdf(), {
    20: `<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 0000000000 0000000000 0000000000]/Contents<${'0'.repeat(8000)}>/Reason(Signed)>>`,
    [N.seal]: SEAL_FIELD('/V 20 0 R'),
  });
  const text = filled(prepared, basePdf().length, () => Buffer.from('00', 'hex')).toString('latin1');
  const numbers = /ByteRange\[0 (\d+) +(\d+) +(\d+)/.exec(text)!.map(Number);
  const wide = `ByteRange[0 ${numbers[1]} ${numbers[2]! + 16} ${numbers[3]! - 16}`;
  return latin1(
    text
      .replace(/ByteRange\[[^\]]*\]/, (old) => wide.padEnd(old.length - 1).concat(']'))
      .replace('/Contents<00', `/Contents<${first}`),
  );
}

/** Signature wrapping: a copy of the signature, and content before it. */
export function withCopiedSignature(): Buffer {
  const file = signed();
  return updated(file, {
    [N.seal]: SEAL_FIELD('/V 98 0 R'),
    98: /20 0 obj\n(<<[\s\S]*?>>)\nendobj/.exec(file.toString('latin1'))![1]!,
    [N.content]: streamOf('(I owe you 900)'),
  });
}

// ── shadow attacks ──────────────────────────────────────────────────────────────────────────────────────────────

/** The base file with `text` before its cross-reference section, and where that text begins. */
function withTextBefore(text: string): { base: Buffer; at: number } {
  const whole = basePdf().toString('latin1');
  const at = whole.indexOf('xref\n');
  const moved = whole.slice(at).replace(/startxref\n\d+/, `startxref\n${at + text.length}`);
  return { base: latin1(whole.slice(0, at) + text + moved), at };
}

/** Hide: object 4 waits below another one, and a later table names it. */
export function shadowHide(): { file: Buffer; attacked: Buffer } {
  const { base, at } = withTextBefore(
    '4 0 obj\n<</Length 48>>\nstream\nBT /F 12 Tf 20 150 Td (I owe you 900000) Tj ET  \nendstream\nendobj\n',
  );
  const file = signPdf(base, { party: PKI.signer });
  const table = `xref\n4 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer\n<</Size 200/Root 1 0 R/Prev ${lastSectionOf(file)}>>\nstartxref\n${file.length}\n%%EOF\n`;
  return { file, attacked: Buffer.concat([file, latin1(table)]) };
}

/** Hide and replace: a whole document waits for its cross-reference section. `chained` names it as the section before a later save. */
export function shadowHideAndReplace(): { file: Buffer; attacked: Buffer; chained: Buffer } {
  const { base, at } = withTextBefore('xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 1/Root 12 0 R>>\n');
  const file = signPdf(base, { party: PKI.signer });
  const saved = updated(file, { [N.content]: streamOf('x') }).toString('latin1');
  return {
    file,
    attacked: Buffer.concat([file, latin1(`startxref\n${at}\n%%EOF\n`)]),
    chained: latin1(saved.replace(/\/Prev \d+(?=>>\nstartxref\n\d+\n%%EOF\n$)/, `/Prev ${at}`)),
  };
}

/** The base file as one that is linearized and says how long it is. Readers believe the beginning of a file that is as long as it says. */
export function withLinearizedLength(length: number): Buffer {
  const text = basePdf().toString('latin1');
  const first = `60 0 obj\n<</Linearized 1/L ${length}>>\nendobj\n`;
  const header = text.indexOf('\n') + 1;
  const moved = text
    .replace(/\d{10}(?= 00000 n)/g, (place) => String(Number(place) + first.length).padStart(10, '0'))
    .replace(/startxref\n(\d+)/, (_, at) => `startxref\n${Number(at) + first.length}`)
    .replace('trailer', `60 1\n${String(header).padStart(10, '0')} 00000 n \ntrailer`)
    .replace(/\/Size \d+/, '/Size 61');
  return latin1(moved.slice(0, header) + first + moved.slice(header));
}

// ── certified documents ─────────────────────────────────────────────────────────────────────────────────────────

/** Evil annotation attack, for an annotation over the text. */
export const withAnnotation = (annotation: string, level: number): Buffer =>
  updated(certified(level), { 80: annotation, [N.page]: PAGE(`${PAGE_ANNOTATIONS} 80 0 R`) }, WITH_INFO);

/** A field of its own, for the objects of a save. `page` and `form` list it. */
export const listed = (field: string, box = field): Objects => ({
  [N.form]: FORM(`7 0 R 9 0 R ${field}`),
  [N.page]: PAGE(`${PAGE_ANNOTATIONS} ${box}`),
});

/** A second signature, in a field of its own that shows nothing. */
export const withSecond = (file: Buffer, options: Partial<SignOptions> & { entriesOfField?: string } = {}) =>
  signPdf(file, {
    party: PKI.signer,
    number: 70,
    entries: '',
    objects: (number) => ({
      71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/P 3 0 R/V ${number} 0 R${options.entriesOfField ?? '/Rect[0 0 0 0]'}>>`,
      ...listed('71 0 R'),
    }),
    ...options,
  });

/** Sneaky signature attack: a signature that is drawn over the text. */
export const withSneakySignature = (level: number): Buffer =>
  withSecond(certified(level), { entriesOfField: '/Rect[0 0 300 200]/F 4/AP<</N 12 0 R>>' });

// ── signatures in other places ──────────────────────────────────────────────────────────────────────────────────

const BOX = '/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 4/P 3 0 R';

/** How a signature and what makes its field one may be spread over a field and its box. @param value the reference to the signature */
export const FIELD_AND_BOX = {
  'in the field': (value: string) => [
    `<</T(New)/FT/Sig/V ${value}/Kids[72 0 R]>>`,
    `<<${BOX}/Parent 71 0 R>>`,
  ],
  'in both': (value: string) => [
    `<</T(New)/FT/Sig/V ${value}/Kids[72 0 R]>>`,
    `<<${BOX}/Parent 71 0 R/V ${value}>>`,
  ],
  'in the box': (value: string) => ['<</T(New)/FT/Sig/Kids[72 0 R]>>', `<<${BOX}/Parent 71 0 R/V ${value}>>`],
  'in the box, with the type': (value: string) => [
    '<</T(New)/Kids[72 0 R]>>',
    `<<${BOX}/FT/Sig/Parent 71 0 R/V ${value}>>`,
  ],
  'above a box with the type': (value: string) => [
    `<</T(New)/V ${value}/Kids[72 0 R]>>`,
    `<<${BOX}/FT/Sig/Parent 71 0 R>>`,
  ],
  'above a field with the type': (value: string) => [
    `<</T(New)/V ${value}/Kids[72 0 R]>>`,
    `<<${BOX}/FT/Sig/T(Kid)/Parent 71 0 R>>`,
  ],
} satisfies Record<string, (value: string) => string[]>;

/** Signs in a new field of this shape. */
export const signedInShape = (
  shape: keyof typeof FIELD_AND_BOX,
  file = basePdf(),
  party: Party = PKI.signer,
): Buffer =>
  signPdf(file, {
    party,
    number: 70,
    entries: '',
    trailer: WITH_INFO,
    objects: (number) => shaped(shape, `${number} 0 R`),
  });

function shaped(shape: keyof typeof FIELD_AND_BOX, value: string): Objects {
  const [field, box] = FIELD_AND_BOX[shape](value);
  return { 71: field!, 72: box!, ...listed('71 0 R', '72 0 R') };
}

/** A file whose signature a later save names as that of a new field. */
export const withReusedSignature = (): Buffer =>
  updated(approved(), { 71: `<<${BOX}/FT/Sig/T(New)/V 20 0 R>>`, ...listed('71 0 R') }, WITH_INFO);

/** A signature that waited in the signed part without a field gets one. */
export function withPhantomSignature(shape: keyof typeof FIELD_AND_BOX): Buffer {
  const waiting = signPdf(basePdf(), { party: PKI.signer, number: 60, entries: '', objects: () => ({}) });
  return updated(signPdf(waiting, { party: PKI.signer, entries: '' }), shaped(shape, '60 0 R'), WITH_INFO);
}

/** A certificate that somebody made with the name of another person. */
export const somebody = (): Party => certificate('Chief Executive');

/** What a certification locks, for fields below one another. */
export const lockedFields = (lock: string, value: string): Buffer => {
  const field = (name: string, number: number, entries = '') =>
    `<</Type/Annot/Subtype/Widget/FT/Tx/T(${name})/Parent 80 0 R/Rect[10 ${number} 60 ${number + 9}]/F 4/P 3 0 R/AP<</N 8 0 R>>${entries}>>`;
  const base = updated(
    basePdf(),
    {
      80: '<</T(a)/Kids[81 0 R 82 0 R]>>',
      81: field('b', 40),
      82: field('bc', 60),
      [N.form]: FORM('7 0 R 9 0 R 80 0 R'),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 81 0 R 82 0 R`),
    },
    WITH_INFO,
  );
  const file = signPdf(base, {
    party: PKI.signer,
    trailer: WITH_INFO,
    entries: `/Reference[<</TransformMethod/FieldMDP/TransformParams<</Type/TransformParams${lock}/V/1.2>>>>]`,
  });
  return updated(file, { 82: field('bc', 60, value) }, WITH_INFO);
};
