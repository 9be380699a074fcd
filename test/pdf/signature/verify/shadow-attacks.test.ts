// Shadow attacks: content that its author put into the file before it was signed, and that a later save shows, hides or puts in the place of another.
import { describe, expect, test } from 'vitest';
import {
  basePdf,
  certifying,
  N,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
} from '../../../support/documents/signed-pdf.ts';
import { behind, faultsOf, PKI, verifyBytes, WITH_INFO } from '../../../support/documents/verification.ts';

const { signer } = PKI;

describe('shadow attack', () => {
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
