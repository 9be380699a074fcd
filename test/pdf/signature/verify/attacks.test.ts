// Attacks on signed documents, each made here byte by byte, and each refused with the right reason. What is allowed to follow
// a signature is in valid.test.ts.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sealPdf } from '../../../../src/pdf/signature/seal.ts';
import { readCertificates, verifyPdf } from '../../../../src/pdf/signature/verify.ts';
import { int, oid, seq } from '../../../support/certificates/der.ts';
import {
  authority,
  certificate,
  cms,
  crl,
  DAY,
  keysOf,
  NOW,
  nameOf,
  ocsp,
  TIMESTAMPING,
  timestampToken,
  USAGE,
} from '../../../support/certificates/pki.ts';
import { sharedServiceAuthority } from '../../../support/certificates/service-authority.ts';
import { preparedPdf, SEAL_FIELD as SEAL } from '../../../support/documents/prepared-pdf.ts';
import {
  basePdf,
  CATALOG,
  certifying,
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
  TEXT_FIELD,
  updated,
  withStore,
  withTimestamp,
} from '../../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, sealedPdf, verifyBytes } from '../../../support/documents/verification.ts';
import { SLOW } from '../../../support/tier.ts';

const { root, issuing, signer, tsa } = PKI;
const WITH_INFO = '/Root 1 0 R/Info 11 0 R';

const signed = (options: Partial<SignOptions> = {}) => signPdf(basePdf(), { party: signer, ...options });
const certified = (level: number) => signed({ entries: certifying(level) });
const approved = () => signed({ entries: '' });
const behind = (objects: Objects, file = certified(2), trailer = WITH_INFO) =>
  faultsOf(updated(file, objects, trailer));

describe('a byte that is flipped', () => {
  /** Whether somebody would still call the file valid. */
  const isAccepted = (
    bytes: Uint8Array,
    anchors: Parameters<typeof verifyPdf>[1]['trust']['anchors'],
    now: number,
  ) => {
    const report = verifyPdf(bytes, { trust: { anchors }, now });
    if (!report.ok) return false;
    const isSigned = report.signatures.some(({ kind }) => kind === 'signature');
    return isSigned && report.signatures.every(({ faults }) => faults.length === 0);
  };

  const PLACES = SLOW ? 2000 : 20;

  test(`anywhere in a file of ours, at ${PLACES} places`, async () => {
    const own = await sharedServiceAuthority();
    const anchors = readCertificates(own.root).map((one) => ({ certificate: one, why: 'the test' }));
    const pdf = await sealPdf(await preparedPdf({ pages: 2 }), SEAL, own.sealing);
    const now = Date.now() + 1000;
    expect(isAccepted(pdf, anchors, now)).toBe(true);
    // The last timestamp covers everything but itself, and of itself everything but what fills it up.
    const accepted: number[] = [];
    for (let index = 0; index < PLACES; index += 1) {
      const at = Math.floor(((index + 0.5) * pdf.length) / PLACES);
      const hostile = Buffer.from(pdf);
      hostile[at] = hostile[at]! ^ (1 << (index % 8));
      // A hexadecimal digit stands for the same in both cases.
      if (isSameDigit(pdf[at]!, hostile[at]!)) continue;
      if (isAccepted(hostile, anchors, now)) accepted.push(at);
    }
    expect(accepted).toEqual([]);
  });

  const isSameDigit = (one: number, other: number) =>
    /[a-f]/i.test(String.fromCharCode(one)) && (one | 0x20) === (other | 0x20);

  test('says that the signed bytes were changed', () => {
    const file = signed();
    const hostile = Buffer.from(file);
    hostile.write('200', hostile.indexOf('100 euros'), 'latin1');
    expect(faultsOf(hostile)).toEqual(['digest_mismatch']);
  });
});

describe('an update that changes', () => {
  const OTHER = streamOf('BT /F 12 Tf 20 150 Td (I owe you 999 euros) Tj ET');

  test.each<[string, Objects, string]>([
    ['the content of a page', { [N.content]: OTHER }, 'changed_content'],
    [
      'which content a page has',
      { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '12 0 R') },
      'changed_content',
    ],
    ['a font', { [N.font]: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' }, 'changed_content'],
    ['a box of a page', { [N.page]: PAGE(PAGE_ANNOTATIONS, '/CropBox[0 0 10 10]') }, 'changed_content'],
    ['the list of pages', { [N.pages]: '<</Type/Pages/Count 2/Kids[3 0 R 3 0 R]>>' }, 'changed_content'],
    [
      'what all pages inherit',
      { [N.pages]: '<</Type/Pages/Count 1/Kids[3 0 R]/Rotate 90>>' },
      'changed_content',
    ],
    [
      'the look of a field',
      { [N.textLook]: streamOf('f', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]') },
      'overlay',
    ],
    [
      'the place of a field',
      { [N.text]: TEXT_FIELD('').replace('10 10 100 30', '0 0 300 200') },
      'changed_form',
    ],
    ['which field hides', { [N.text]: TEXT_FIELD('').replace('/F 4', '/F 2') }, 'changed_form'],
    ['a note', { [N.note]: '<</Type/Annot/Subtype/Text/Rect[0 0 300 200]/P 3 0 R>>' }, 'changed_annotations'],
    ['the list of notes', { [N.page]: PAGE('7 0 R 9 0 R') }, 'changed_annotations'],
    ['the order of notes', { [N.page]: PAGE('10 0 R 9 0 R 7 0 R') }, 'changed_annotations'],
    ['the look of the seal', { [N.seal]: SEAL_FIELD('/V 20 0 R/AP<</N 12 0 R>>') }, 'overlay'],
    ['the signature itself', { 20: '<</Type/Sig/Filter/Adobe.PPKLite>>' }, 'byte_range_missing'],
    [
      'which signature a field has',
      { [N.seal]: SEAL_FIELD('/V 21 0 R'), 21: '<</Type/Sig>>' },
      'format_unknown',
    ],
    ['the fields of the form', { [N.form]: FORM('9 0 R') }, 'changed_form'],
    [
      'that programs draw the fields anew',
      { [N.form]: FORM('7 0 R 9 0 R', '/NeedAppearances true') },
      'changed_form',
    ],
    ['the fonts of the form', { [N.form]: FORM('7 0 R 9 0 R', '/DR<</Font<</F 5 0 R>>>>') }, 'changed_form'],
    ['a form that is drawn from XML', { [N.form]: FORM('7 0 R 9 0 R', '/XFA(x)') }, 'changed_form'],
    [
      'what happens when it is opened',
      { [N.catalog]: CATALOG('/OpenAction<</S/JavaScript/JS(app.alert(1))>>') },
      'changed_structure',
    ],
    [
      'scripts',
      { [N.catalog]: CATALOG('/Names<</JavaScript<</Names[(a)<</S/JavaScript>>]>>>>') },
      'changed_structure',
    ],
    ['which layers are shown', { [N.catalog]: CATALOG('/OCProperties<</OCGs[]>>') }, 'changed_structure'],
    ['the files that belong to it', { [N.catalog]: CATALOG('/AF[12 0 R]') }, 'changed_structure'],
    ['an object that nothing refers to', { [N.unused]: streamOf('x') }, 'changed_structure'],
    ['that a page is gone', { [N.page]: null }, 'changed_content'],
  ])('%s', (_, objects, code) => {
    expect(behind(objects)).toContain(code);
    // A signature that certifies nothing lets no more of these pass.
    expect(behind(objects, approved())).toContain(code);
    expect(faultsOf(updated(sealedPdf(), objects, WITH_INFO)).length).toBeGreaterThan(0);
  });

  test('the content by another catalog, or by another tree of pages', () => {
    const other = { 90: CATALOG(), 91: '<</Type/Pages/Count 0/Kids[]>>' };
    expect(behind(other, certified(2), '/Root 90 0 R')).toEqual(['changed_structure']);
    const tree = { [N.catalog]: CATALOG().replace('2 0 R', '91 0 R'), 91: '<</Type/Pages/Count 0/Kids[]>>' };
    expect(behind(tree)).toContain('changed_content');
  });

  test('that the file is encrypted', () => {
    expect(behind({ 90: '<</Filter/Standard>>' }, certified(2), `${WITH_INFO}/Encrypt 90 0 R`)).toContain(
      'changed_structure',
    );
  });

  test('the value of a form', () => {
    const had = updated(basePdf(), { [N.text]: TEXT_FIELD('/V(100)') }, WITH_INFO);
    const file = signPdf(had, { party: signer, entries: certifying(2) });
    expect(behind({ [N.text]: TEXT_FIELD('/V(999)') }, file)).toEqual(['changed_form']);
    expect(behind({ [N.text]: TEXT_FIELD('') }, file)).toEqual(['changed_form']);
  });

  test('a field that is locked', () => {
    const lock = (entries: string) =>
      signed({
        entries: `/Reference[<</TransformMethod/FieldMDP/TransformParams<</Type/TransformParams${entries}/V/1.2>>>>]`,
      });
    const change = { [N.text]: TEXT_FIELD('/V(1)') };
    expect(behind(change, lock('/Action/All'))).toEqual(['changed_locked_field']);
    expect(behind(change, lock('/Action/Include/Fields[(amount)]'))).toEqual(['changed_locked_field']);
    expect(behind(change, lock('/Action/Exclude/Fields[(amount)]'))).toEqual([]);
    expect(behind(change, lock('/Action/Include/Fields[(other)]'))).toEqual([]);
  });

  test('the value through another object, the look of a field through one it shares with a page', () => {
    const shared = updated(
      basePdf(),
      { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('/Font<<', '/XObject<</X 8 0 R>>/Font<<') },
      WITH_INFO,
    );
    const file = signPdf(shared, { party: signer, entries: certifying(2) });
    const change = {
      [N.text]: TEXT_FIELD('/V(1)'),
      [N.textLook]: streamOf('f', '/Subtype/Form/BBox[0 0 90 20]'),
    };
    expect(behind(change, certified(2))).toEqual([]);
    expect(behind(change, file)).toContain('changed_content');
  });

  test('a field that a page takes for its drawings, which it calls by the names of entries', () => {
    const page = PAGE(PAGE_ANNOTATIONS).replace('/Font<<', '/XObject 7 0 R/Font<<');
    const file = signPdf(updated(basePdf(), { [N.page]: page }, WITH_INFO), { party: signer });
    expect(behind({ [N.text]: TEXT_FIELD('/V(1)') }, file)).toContain('changed_content');
  });

  test('the list of fields, by one that waited in the signed part', () => {
    const waiting = '<</Type/Annot/Subtype/Widget/FT/Sig/T(Old)/Rect[0 0 300 200]/AP<</N 12 0 R>>/P 3 0 R>>';
    const file = signPdf(updated(basePdf(), { 90: waiting }, WITH_INFO), { party: signer, entries: '' });
    const shown = { [N.form]: FORM('7 0 R 9 0 R 90 0 R'), [N.page]: PAGE(`${PAGE_ANNOTATIONS} 90 0 R`) };
    expect(behind(shown, file)).toContain('changed_form');
  });

  test('the length of a stream, and with it what the stream holds', () => {
    const content = '<</Length 90 0 R>>\nstream\nBT (100) Tj ET BT (999) Tj ET\nendstream';
    const file = signPdf(updated(basePdf(), { [N.content]: content, 90: '14' }, WITH_INFO), {
      party: signer,
    });
    expect(faultsOf(file)).toEqual([]);
    expect(behind({ 90: '28' }, file)).toContain('changed_content');
  });

  test('content that hides in what a save is made of', () => {
    // A cross-reference stream may have any number, and its data may read as content.
    const hiding = (file: Buffer, number: number) => {
      const before = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1];
      const place = Buffer.alloc(8);
      place.writeUInt32BE(file.length, 1);
      place[0] = 1;
      const head = `${number} 0 obj\n<</Type/XRef/W[1 4 3]/Index[${number} 1]/Size 200/Root 1 0 R/Info 11 0 R/Prev ${before}/Length 8>>\nstream\n`;
      const end = `\nendstream\nendobj\nstartxref\n${file.length}\n%%EOF\n`;
      return Buffer.concat([file, Buffer.from(head), place, Buffer.from(end)]);
    };
    expect(faultsOf(hiding(certified(2), 95))).toEqual([]);
    expect(faultsOf(hiding(certified(2), N.content))).toContain('changed_content');
    expect(faultsOf(hiding(certified(2), N.unused))).toEqual(['changed_structure']);
    const dangling = PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '[4 0 R 95 0 R]');
    const file = signPdf(updated(basePdf(), { [N.page]: dangling }, WITH_INFO), { party: signer });
    expect(faultsOf(hiding(file, 95))).toContain('changed_content');
  });

  test('objects that the signed version refers to and did not have', () => {
    const dangling = updated(
      basePdf(),
      { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '[4 0 R 95 0 R]') },
      WITH_INFO,
    );
    const file = signPdf(dangling, { party: signer });
    expect(behind({ 95: OTHER }, file)).toContain('changed_content');
  });
});

describe('shadow attacks: what was put into the file before it was signed', () => {
  test('hide: a reference to what lay below', () => {
    // Only the cross-reference table changes: object 4 is now where object 12 was, and says that it is 4.
    const hidden =
      '4 0 obj\n<</Length 48>>\nstream\nBT /F 12 Tf 20 150 Td (I owe you 900000) Tj ET  \nendstream\nendobj\n';
    const text = basePdf().toString('latin1');
    const at = text.indexOf('xref\n');
    const base = Buffer.from(
      text.slice(0, at) +
        hidden +
        text.slice(at).replace(/startxref\n\d+/, `startxref\n${at + hidden.length}`),
      'latin1',
    );
    const file = signPdf(base, { party: signer });
    expect(faultsOf(file)).toEqual([]);
    const xref = `xref\n4 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer\n<</Size 200/Root 1 0 R/Prev ${Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1])}>>\nstartxref\n${file.length}\n%%EOF\n`;
    expect(faultsOf(Buffer.concat([file, Buffer.from(xref)]))).toEqual(['update_irregular']);
  });

  test('replace: a font, a form over the text', () => {
    expect(behind({ [N.font]: '<</Type/Font/Subtype/Type3/FontMatrix[1 0 0 1 0 0]>>' })).toContain(
      'changed_content',
    );
    expect(behind({ [N.text]: TEXT_FIELD('', '/MK<</BG[1 1 1]>>') })).toContain('changed_form');
  });

  test('hide and replace: a whole document that waits for its cross-reference section', () => {
    const second = 'xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 1/Root 12 0 R>>\n';
    const text = basePdf().toString('latin1');
    const at = text.indexOf('xref\n');
    const base = Buffer.from(
      text.slice(0, at) +
        second +
        text.slice(at).replace(/startxref\n\d+/, `startxref\n${at + second.length}`),
      'latin1',
    );
    const file = signPdf(base, { party: signer });
    expect(faultsOf(file)).toEqual([]);
    const turned = Buffer.concat([file, Buffer.from(`startxref\n${at}\n%%EOF\n`)]);
    // The signed version is no part of the file any more.
    expect(() => verifyBytes(turned)).not.toThrow();
    expect(verifyBytes(turned)).toEqual([]);
    const chained = updated(file, { [N.content]: streamOf('x') })
      .toString('latin1')
      .replace(/\/Prev \d+>>\nstartxref\n(\d+)\n%%EOF\n$/, `/Prev ${at}>>\nstartxref\n$1\n%%EOF\n`);
    // The form is gone with everything else: such a file is not signed.
    expect(verifyBytes(Buffer.from(chained, 'latin1'))).toEqual([]);
  });

  test('a section in the signed part that comes after the signed one', () => {
    const make = (previous: number) => {
      const text = basePdf().toString('latin1');
      const at = text.indexOf('xref\n');
      const later = `xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 200/Root 1 0 R/Info 11 0 R/Prev ${String(previous).padStart(8, '0')}>>\n`;
      const base =
        text.slice(0, at) +
        later +
        text.slice(at).replace(/startxref\n\d+/, `startxref\n${at + later.length}`);
      return { at, file: signPdf(Buffer.from(base, 'latin1'), { party: signer }) };
    };
    const signedAt = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(make(0).file.toString('latin1'))![1]);
    const { at, file } = make(signedAt);
    expect(faultsOf(file)).toEqual([]);
    expect(faultsOf(Buffer.concat([file, Buffer.from(`startxref\n${at}\n%%EOF\n`)]))).toEqual([
      'signed_part_unreadable',
    ]);
  });

  test('an object that the signed part names at a place behind its end', () => {
    const place = 30_000;
    const pointing = PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '[4 0 R 96 0 R]');
    const base = updated(basePdf(), { [N.page]: pointing, 96: 'null' }, WITH_INFO).toString('latin1');
    const entry = String(base.lastIndexOf('96 0 obj')).padStart(10, '0');
    const file = signPdf(
      Buffer.from(base.replace(`${entry} 00000 n`, `${String(place).padStart(10, '0')} 00000 n`), 'latin1'),
      { party: signer },
    );
    const content = `96 0 obj\n${streamOf('(I owe you 900)').toString('latin1')}\nendobj\n`;
    const end = `startxref\n${/startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1]}\n%%EOF\n`;
    expect(file.length).toBeLessThan(place);
    const grown = Buffer.concat([
      file,
      Buffer.alloc(place - file.length, '\n'),
      Buffer.from(content + end, 'latin1'),
    ]);
    expect(faultsOf(grown)).toEqual(['signed_part_unreadable']);
  });

  test('an object of the signed part that a new list shows', () => {
    const stamp = '<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/P 3 0 R>>';
    const file = signPdf(updated(basePdf(), { 90: stamp }, WITH_INFO), {
      party: signer,
      entries: certifying(3),
    });
    expect(behind({ [N.page]: PAGE(`${PAGE_ANNOTATIONS} 90 0 R`) }, file)).toEqual(['overlay']);
  });
});

describe('attacks on certified documents', () => {
  const add = (annotation: string, level: number) =>
    behind({ 80: annotation, [N.page]: PAGE(`${PAGE_ANNOTATIONS} 80 0 R`) }, certified(level));

  test.each(['FreeText', 'Stamp', 'Redact', 'Ink', 'Square', 'Link', 'FileAttachment'])(
    'an annotation of the kind %s over the text',
    (kind) => {
      const annotation = `<</Type/Annot/Subtype/${kind}/Rect[0 0 300 200]/P 3 0 R>>`;
      expect(add(annotation, 1)).toContain('changed_annotations');
      expect(add(annotation, 2)).toEqual(['changed_annotations']);
      expect(add(annotation, 3)).toEqual(['overlay']);
    },
  );

  test('a note with a look of its own, or with an action', () => {
    const note = (more: string) => `<</Type/Annot/Subtype/Text/Rect[1 1 21 21]/P 3 0 R${more}>>`;
    expect(add(note('/AP<</N 12 0 R>>'), 3)).toEqual(['overlay']);
    expect(add(note('/A<</S/URI/URI(http://e.test)>>'), 3)).toEqual(['overlay']);
    expect(add(note(''), 3)).toEqual([]);
  });

  test('a signature that is drawn over the text', () => {
    for (const level of [2, 3]) {
      const file = signPdf(certified(level), {
        party: signer,
        number: 70,
        entries: '',
        objects: (number) => ({
          71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Sneaky)/Rect[0 0 300 200]/F 4/P 3 0 R/V ${number} 0 R/AP<</N 12 0 R>>>>`,
          [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
          [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
        }),
      });
      expect(faultsOf(file)).toEqual(['overlay']);
    }
  });

  test('a box of a field that belongs to no form, and a field of another kind', () => {
    const box = '<</Type/Annot/Subtype/Widget/FT/Tx/T(x)/Rect[0 0 300 200]/P 3 0 R>>';
    expect(add(box, 3)).toEqual(['overlay']);
    expect(behind({ 80: box, [N.form]: FORM('7 0 R 9 0 R 80 0 R') })).toContain('changed_form');
  });
});

describe('the place of a signature', () => {
  /** The byte range or the contents written over, as long as they were. */
  const rewritten = (change: (text: string) => string) => {
    const text = signed().toString('latin1');
    const next = change(text);
    expect(next).not.toBe(text);
    return faultsOf(Buffer.from(next, 'latin1'));
  };
  const range = /\/ByteRange\[[^\]]*\]/;
  const padded = (now: string) => (old: string) => now.padEnd(old.length);

  test.each<[string, string, string]>([
    ['missing', '/ByteRang_[0 1 2 3]', 'byte_range_missing'],
    ['null', '/ByteRange null', 'byte_range_missing'],
    ['empty', '/ByteRange []', 'byte_range_malformed'],
    ['of three numbers', '/ByteRange[0 1 2]', 'byte_range_malformed'],
    ['of zeros', '/ByteRange[0 0 0 0]', 'byte_range_malformed'],
    ['negative', '/ByteRange[0 -10 20 30]', 'byte_range_malformed'],
    ['that overlaps itself', '/ByteRange[0 900 800 100]', 'byte_range_malformed'],
    ['that begins later', '/ByteRange[5 900 1000 10]', 'byte_range_malformed'],
    ['huge', '/ByteRange[0 9 99 9999999999]', 'byte_range_malformed'],
    ['of what is no number', '/ByteRange[0 /a (b) 1]', 'byte_range_malformed'],
    ['with fractions', '/ByteRange[0 1.5 2.5 9]', 'byte_range_malformed'],
    ['with another gap', '/ByteRange[0 100 2000 100]', 'byte_range_gap'],
  ])('a byte range that is %s', (_, value, code) => {
    expect(rewritten((text) => text.replace(range, padded(value)))).toEqual([code]);
  });

  test.each<[string, string | ((hex: string) => string), string]>([
    ['missing', () => '/Content_', 'contents_missing'],
    ['null', () => 'null', 'contents_missing'],
    ['empty', '<>', 'contents_missing'],
    ['zero', '<00>', 'contents_missing'],
    ['text', '(abc)', 'contents_malformed'],
    ['no signature', '<30030101>', 'byte_range_gap'],
  ])('contents that are %s', (_, value, code) => {
    const found = rewritten((text) => {
      const at = text.indexOf('/Contents<');
      const end = text.indexOf('>', at) + 1;
      const old = text.slice(at, end);
      const next =
        typeof value === 'string'
          ? `/Contents${value}`
          : value(old) === 'null'
            ? '/Contents null'
            : '/Content_(x)';
      return text.slice(0, at) + next.padEnd(old.length) + text.slice(end);
    });
    expect(found).toContain(code);
  });

  test('a gap that is larger than the signature, with content in it', () => {
    const prepared = updated(basePdf(), {
      20: `<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 0000000000 0000000000 0000000000]/Contents<${'0'.repeat(8000)}>/Reason(Signed)>>`,
      [N.seal]: SEAL_FIELD('/V 20 0 R'),
    });
    const file = filled(prepared, basePdf().length, () => Buffer.from('00', 'hex'));
    const text = file.toString('latin1');
    const numbers = /ByteRange\[0 (\d+) +(\d+) +(\d+)/.exec(text)!.map(Number);
    const wide = text.replace(/ByteRange\[[^\]]*\]/, (old) =>
      `ByteRange[0 ${numbers[1]} ${numbers[2]! + 16} ${numbers[3]! - 16}`.padEnd(old.length - 1).concat(']'),
    );
    expect(faultsOf(Buffer.from(wide, 'latin1'))).not.toEqual([]);
    expect(faultsOf(Buffer.from(wide.replace('/Contents<00', '/Contents<30'), 'latin1'))).toEqual([
      'byte_range_gap',
    ]);
  });

  test('other bytes where the signature is filled up', () => {
    const text = signed().toString('latin1');
    const end = text.indexOf('>', text.indexOf('/Contents<'));
    const hostile = Buffer.from(text, 'latin1');
    hostile.write('41', end - 2, 'latin1');
    expect(faultsOf(hostile)).toEqual(['contents_malformed']);
  });

  test('wrapping: a copy of the signature, and content before it', () => {
    const file = signed();
    // The signed file is moved behind another one; its numbers say still where it was.
    expect(faultsOf(Buffer.concat([file, Buffer.from(' ')]))).toEqual([]);
    const moved = Buffer.concat([Buffer.from('%PDF-1.7\n%moved\n'), file]);
    expect(() => faultsOf(moved)).toThrow();
    const copy = updated(file, {
      [N.seal]: SEAL_FIELD('/V 98 0 R'),
      98: /20 0 obj\n(<<[\s\S]*?>>)\nendobj/.exec(file.toString('latin1'))![1]!,
      [N.content]: streamOf('(I owe you 900)'),
    });
    expect(faultsOf(copy)).toEqual(['byte_range_gap']);
  });

  test('a dictionary with a key twice, or in an object stream', () => {
    const twice = signed({ entries: '/ByteRange[0 1 2 3]' });
    expect(faultsOf(twice)).toEqual(['signature_dictionary_doubtful']);
  });

  test('a signature that ends in the middle of a save', () => {
    const half = signed();
    const text = half.toString('latin1');
    const [, before, behind, length] = /ByteRange\[0 (\d+) +(\d+) +(\d+)/.exec(text)!.map(Number) as number[];
    const short = text.replace(/ByteRange\[[^\]]*\]/, (old) =>
      `ByteRange[0 ${before} ${behind} ${length! - 20}`.padEnd(old.length - 1).concat(']'),
    );
    expect(faultsOf(Buffer.from(short, 'latin1'))).toEqual(['byte_range_end']);
  });

  test('bytes that belong to nothing behind it', () => {
    const junk = '4 0 obj\n<</Length 1>>\nstream\nx\nendstream\nendobj\n';
    const file = certified(2);
    expect(() => faultsOf(Buffer.concat([file, Buffer.from('x'.repeat(3000))]))).toThrow('no_end');
    expect(faultsOf(Buffer.concat([file, Buffer.from(junk)]))).toEqual(['bytes_after']);
    expect(
      faultsOf(
        updated(
          Buffer.concat([
            file,
            Buffer.from(
              `${junk}startxref\n${/startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1]}\n%%EOF\n`,
            ),
          ]),
          {},
        ),
      ),
    ).toEqual(['bytes_after']);
    expect(faultsOf(Buffer.concat([file, Buffer.from('\n% a comment\n')]))).toEqual([]);
    expect(faultsOf(Buffer.concat([file, Buffer.from('\n% 4 0 obj\n')]))).toEqual(['bytes_after']);
  });
});

describe('the signature itself', () => {
  test.each<[string, Partial<SignOptions>, string[]]>([
    ['by another key', { cms: { keys: keysOf('p256', 'somebody else') } }, ['signature_wrong']],
    ['that names another certificate', { cms: { names: issuing.der } }, ['signing_certificate_mismatch']],
    ['without its certificate', { cms: { certificates: [issuing.der] } }, ['signing_certificate_missing']],
    ['of two signers', { cms: { signers: 2 } }, ['cms_signers']],
    ['of no signer', { cms: { signers: 0 } }, ['cms_malformed']],
    ['with SHA-1', { cms: { hash: 'sha1' } }, ['algorithm_weak']],
    [
      'over data of its own',
      { make: (data) => timestampToken(signer, data) },
      ['cms_content_inside', 'attributes_missing', 'certificate_usage'],
    ],
    ['in a format that nobody knows', { subFilter: 'evil.detached' }, ['format_unknown']],
    ['in a format of SHA-1', { subFilter: 'adbe.pkcs7.sha1' }, ['format_weak']],
    ['that is no DER', { make: () => Buffer.from('hello') }, ['cms_malformed']],
    ['that is another type', { make: () => seq(oid('1.2.840.113549.1.7.1'), int(1)) }, ['cms_malformed']],
  ])('%s', (_, options, codes) => {
    const found = faultsOf(signed(options));
    expect(found).toEqual(expect.arrayContaining(codes.slice(0, 1)));
    expect(codes).toEqual(expect.arrayContaining(found));
  });

  test('of another document', () => {
    expect(faultsOf(signed({ make: () => cms(signer, Buffer.from('another document')) }))).toEqual([
      'digest_mismatch',
    ]);
  });

  test('with a weak key', () => {
    const weak = certificate('Weak', { issuer: issuing, kind: 'rsa1024' });
    expect(faultsOf(signed({ party: weak }))).toEqual(['key_weak']);
  });
});

describe('certificates', () => {
  const by = (options: Parameters<typeof certificate>[1], now?: number) =>
    faultsOf(signed({ party: certificate('Somebody', { issuer: issuing, ...options }) }), now ? { now } : {});

  test('swapped: the same key and name, by another authority', () => {
    const evilRoot = certificate('Test Root', { isCa: true, keys: keysOf('p256', 'evil root') });
    const evil = certificate('Test Issuing', {
      issuer: evilRoot,
      isCa: true,
      keys: keysOf('p256', 'evil issuing'),
    });
    const same = certificate('Test Signer', { issuer: evil, keys: signer.keys });
    expect(faultsOf(signed({ party: same }))).toEqual(['untrusted']);
    const twin = {
      ...signer,
      der: certificate('Test Signer', { issuer: issuing, keys: signer.keys, serial: signer.serial }).der,
    };
    expect(
      faultsOf(
        signed({
          party: twin,
          cms: { names: signer.der, certificates: [twin.der, ...signer.chain.slice(1)] },
        }),
      ),
    ).toEqual(['signing_certificate_mismatch']);
  });

  test('of nobody that is trusted: self-made, and a system that does not know it', () => {
    expect(faultsOf(signed({ party: certificate('Self') }))).toEqual(['untrusted']);
    expect(faultsOf(signed(), { trust: [] })).toEqual(['untrusted']);
  });

  test('for another use', () => {
    expect(by({ usage: USAGE.keyEncipherment })).toEqual(['certificate_usage']);
    expect(by({ purposes: ['1.3.6.1.5.5.7.3.1'] })).toEqual(['certificate_usage']);
    expect(by({ purposes: [TIMESTAMPING] })).toEqual(['certificate_usage']);
    expect(
      by({ extensions: [seq(oid('1.2.3.4'), Buffer.from([1, 1, 0xff]), Buffer.from([4, 2, 5, 0]))] }),
    ).toEqual(['certificate_unknown_extension']);
  });

  test('expired, or not valid yet', () => {
    expect(by({ until: NOW - DAY })).toEqual(['certificate_expired']);
    expect(by({ from: NOW + DAY })).toEqual(['certificate_not_yet_valid']);
    const party = certificate('Late', { issuer: issuing, until: NOW - 10 * DAY });
    // A later timestamp proves only that the signature existed when the certificate was over.
    expect(faultsOf(signed({ party, tsa }))).toEqual(['certificate_expired']);
  });

  test('issued by somebody who is no authority, or further down than it may', () => {
    const party = certificate('Below a signer', { issuer: signer });
    expect(faultsOf(signed({ party }))).toEqual(['certificate_usage']);
    for (const options of [{}, { isCa: true, usage: USAGE.digitalSignature }, { usage: USAGE.keyCertSign }]) {
      const issuer = certificate('No authority', { issuer: root, ...options });
      const below = certificate('Below it', { issuer });
      expect(faultsOf(signed({ party: below }))).toEqual(['certificate_usage']);
    }
    const deeper = certificate('Too deep', { issuer: issuing, isCa: true });
    expect(faultsOf(signed({ party: certificate('Deep', { issuer: deeper }) }))).toEqual([
      'certificate_usage',
    ]);
  });

  test('with a wrong signature of their issuer', () => {
    const forged = certificate('Forged', { issuer: { ...issuing, keys: keysOf('p256', 'evil') } });
    expect(faultsOf(signed({ party: { ...forged, chain: [forged.der, issuing.der] } }))).toEqual([
      'certificate_damaged',
      'untrusted',
    ]);
  });

  test('with SHA-1', () => {
    expect(by({ hash: 'sha1' })).toEqual(['algorithm_weak']);
  });

  test('revoked, by a list or by an answer', () => {
    const revoked = [{ party: signer, at: NOW - 2 * DAY }];
    const withLists = (crls: Buffer[], ocsps: Buffer[] = []) =>
      faultsOf(withStore(signed({ tsa }), { certificates: signer.chain, crls, ocsps }));
    expect(withLists([crl(issuing, { revoked })])).toEqual(['certificate_revoked']);
    expect(withLists([], [ocsp(signer, issuing, { revokedAt: NOW - 2 * DAY })])).toEqual([
      'certificate_revoked',
    ]);
    // What somebody else says does not count, neither for nor against.
    expect(withLists([crl({ ...issuing, keys: keysOf('p256', 'evil') }, { revoked })])).toEqual([]);
    expect(
      withLists([], [ocsp(signer, issuing, { revokedAt: NOW - 2 * DAY, by: certificate('Evil') })]),
    ).toEqual([]);
  });

  test('whose lists are out of date, from the future or by another key reach no higher level', () => {
    const level = (list: Buffer, party = signer) =>
      verifyBytes(
        withStore(signPdf(basePdf(), { party, tsa }), {
          certificates: [...party.chain, ...tsa.chain],
          crls: [crl(root), list],
        }),
      )[0]?.level;
    expect(level(crl(issuing))).toBe('LT');
    expect(level(crl(issuing, { from: NOW - 20 * DAY, until: NOW - 10 * DAY }))).toBe('T');
    expect(level(crl(issuing, { from: NOW + DAY }))).toBe('T');
    expect(level(crl({ ...issuing, keys: keysOf('p256', 'evil') }))).toBe('T');
    expect(level(crl({ ...issuing, name: nameOf('Else') }))).toBe('T');
  });
});

describe('timestamps', () => {
  test('by an authority that nobody trusts, or that is none', () => {
    const evil = authority('Evil');
    expect(faultsOf(signed({ tsa: evil.tsa }))).toEqual(['timestamp_invalid: untrusted']);
    expect(faultsOf(signed({ tsa: signer }))).toEqual(['timestamp_invalid: certificate_usage']);
    const soft = certificate('Soft TSA', { issuer: root, purposes: [TIMESTAMPING] });
    expect(faultsOf(signed({ tsa: soft }))).toEqual(['timestamp_invalid: certificate_usage']);
    expect(faultsOf(withTimestamp(signed(), { tsa: evil.tsa }))).toEqual(['untrusted']);
  });

  test('about other bytes, from the future, by another key, with SHA-1', () => {
    const token = (options: SignOptions['token']) =>
      faultsOf(signed({ tsa, ...(options && { token: options }) }));
    expect(token({ imprint: createHash('sha256').update('x').digest() })).toEqual([
      'timestamp_invalid: timestamp_mismatch',
    ]);
    expect(token({ at: NOW + DAY })).toEqual(['timestamp_invalid: timestamp_future']);
    expect(token({ keys: keysOf('p256', 'evil') })).toEqual(['timestamp_invalid: signature_wrong']);
    expect(token({ imprintHash: 'sha1' })).toEqual(['timestamp_invalid: algorithm_weak']);
    const file = withTimestamp(signed(), { tsa, token: { imprint: Buffer.alloc(32) } });
    expect(faultsOf(file)).toEqual(['timestamp_mismatch']);
  });

  test('that prove less than they seem to: an untrusted one does not save an expired certificate', () => {
    const party = certificate('Short', { issuer: issuing, until: NOW - 10 * DAY });
    const evil = authority('Evil');
    const file = withTimestamp(signed({ party }), { tsa: evil.tsa, token: { at: NOW - 11 * DAY } });
    expect(faultsOf(file)).toEqual(['certificate_expired', 'untrusted']);
  });

  test('that were removed, with and without what protects them', () => {
    const whole = sealedPdf();
    expect(faultsOf(whole, { level: 'LTA' })).toEqual([]);
    // The file as it was before its last timestamp is a sound one of a lower level.
    const cut = whole.subarray(
      0,
      whole.lastIndexOf('%%EOF\n', whole.lastIndexOf('60 0 obj')) + '%%EOF\n'.length,
    );
    expect(verifyBytes(cut)[0]).toMatchObject({ faults: [], level: 'LT' });
    expect(faultsOf(cut, { level: 'LTA' })).toEqual(['level_too_low']);
    // Taken out of the signature, where the last timestamp covers it.
    const text = whole.toString('latin1');
    const unsigned = text.indexOf('060b2a864886f70d010910020e');
    const hostile = Buffer.from(text, 'latin1');
    hostile.write('060b2a864886f70d010910020f', unsigned, 'latin1');
    expect(faultsOf(hostile)).toEqual(['timestamp_mismatch']);
    const dropped = { [N.form]: FORM('7 0 R 9 0 R') };
    expect(behind(dropped, whole)).toEqual(['changed_annotations']);
    const undone = updated(whole, { ...dropped, [N.page]: PAGE(PAGE_ANNOTATIONS) }, WITH_INFO);
    // The save that took it out is no sound one, though the file looks as if it never was there.
    expect(faultsOf(undone, { level: 'LTA' })).toContain('level_too_low');
    expect(faultsOf(undone)).toEqual(['changed_form', 'changed_annotations']);
  });

  test('whose validation data was replaced', () => {
    const whole = sealedPdf();
    const evil = authority('Evil');
    const replaced = withStore(whole, { certificates: evil.signer.chain }, 130);
    expect(faultsOf(replaced)).toEqual(['validation_data_removed']);
    const emptied = updated(whole, { [N.catalog]: CATALOG() }, WITH_INFO);
    expect(faultsOf(emptied)).toEqual(['changed_structure']);
    const scripted = updated(
      whole,
      { 140: '<</Certs[]/JS(app.alert(1))>>', [N.catalog]: CATALOG('/DSS 140 0 R') },
      WITH_INFO,
    );
    expect(faultsOf(scripted)).toContain('changed_structure');
  });
});

describe('two signatures', () => {
  const second = (file: Buffer, options: Partial<SignOptions> = {}) =>
    signPdf(file, {
      party: signer,
      number: 70,
      entries: '',
      objects: (number) => ({
        71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[0 0 0 0]/P 3 0 R/V ${number} 0 R>>`,
        [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
      }),
      ...options,
    });

  test('of which one is bad make the file bad', () => {
    const codes = (file: Buffer) =>
      verifyBytes(file).map(({ field, faults }) => [field, faults.map(({ code }) => code)]);
    expect(codes(second(approved()))).toEqual([
      ['Seal', []],
      ['Second', []],
    ]);
    expect(codes(second(approved(), { party: certificate('Evil') }))).toEqual([
      ['Seal', []],
      ['Second', ['untrusted']],
    ]);
    expect(codes(second(signed({ entries: '', cms: { keys: keysOf('p256', 'evil') } })))).toEqual([
      ['Seal', ['signature_wrong']],
      ['Second', []],
    ]);
  });

  test('do not let a change pass that came between them', () => {
    const between = updated(certified(2), { [N.content]: streamOf('(I owe you 900)') }, WITH_INFO);
    const file = second(between);
    expect(verifyBytes(file).map(({ faults }) => faults.map(({ code }) => code))).toEqual([
      ['changed_content'],
      [],
    ]);
  });

  test('keep to what the first allows', () => {
    const file = updated(second(certified(1)), { [N.text]: TEXT_FIELD('/V(1)') }, WITH_INFO);
    expect(verifyBytes(file)[1]?.faults.map(({ code }) => code)).toEqual(['changed_form']);
  });

  test('one replaced by the other', () => {
    const file = signPdf(certified(2), {
      party: signer,
      number: 70,
      entries: '',
      objects: (number) => ({ [N.seal]: SEAL_FIELD(`/V ${number} 0 R`) }),
    });
    // The first one is gone from the form, and nothing says that it was there but the bytes.
    expect(verifyBytes(file)).toHaveLength(1);
  });
});
