// Later saves that write something otherwise than it was signed and change nothing: generations of numbers that were free, what a page
// inherits, rounded boxes, and values that became objects of their own.
import { describe, expect, test } from 'vitest';
import { verifyPdf } from '../../../src/pdf/verify/verify.ts';
import {
  basePdf,
  CATALOG,
  certifying,
  N,
  NOW,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  updated,
} from '../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, trusting, WITH_INFO } from '../../support/documents/verification.ts';

const PAGES = (entries: string) => `<</Type/Pages/Count 1/Kids[3 0 R]${entries}>>`;

/** The faults of a file that is signed with some objects of its own, and saved again with others. */
function faultsAfter(signed: Objects, later: Objects): string[] {
  const base = updated(basePdf(), signed, WITH_INFO);
  const file = signPdf(base, { party: PKI.signer, entries: certifying(2) });
  return faultsOf(updated(file, later, WITH_INFO));
}

describe('an object of a number that was free', () => {
  /** A save with information about the document in an object of its own, which has this generation. */
  const withGeneration = (generation: string, reference: string) => {
    const file = signPdf(basePdf(), { party: PKI.signer, entries: '' });
    const info = `60 ${Number(generation)} obj\n<</Title(x)>>\nendobj\n`;
    const head = `xref\n60 1\n${String(file.length).padStart(10, '0')} ${generation} n \n`;
    const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', file.length - 99))![1];
    const trailer = `trailer\n<</Size 200/Root 1 0 R/Info ${reference}/Prev ${before}>>`;
    const end = `${head}${trailer}\nstartxref\n${file.length + info.length}\n%%EOF\n`;
    return faultsOf(Buffer.concat([file, Buffer.from(info + end)]));
  };

  test('may have another generation than 0, by which it is named', () => {
    expect(withGeneration('00000', '60 0 R')).toEqual([]);
    expect(withGeneration('00001', '60 1 R')).toEqual([]);
    expect(withGeneration('00001', '60 0 R')).toEqual(['update_irregular']);
    expect(withGeneration('00000', '60 1 R')).toEqual(['update_irregular']);
  });

  test('has not the generation of the list of free numbers', () => {
    expect(withGeneration('65534', '60 65534 R')).toEqual([]);
    expect(withGeneration('65535', '60 65535 R')).toEqual(['update_irregular']);
  });
});

describe('a page', () => {
  const withoutBox = PAGE(PAGE_ANNOTATIONS).replace('/MediaBox[0 0 300 200]', '');
  const inheriting = { [N.pages]: PAGES('/MediaBox[0 0 300 200]'), [N.page]: withoutBox };
  const faults = (later: string, signed: Objects = inheriting) => faultsAfter(signed, { [N.page]: later });
  const box = (numbers: string) => PAGE(PAGE_ANNOTATIONS).replace('0 0 300 200', numbers);

  test('may say itself what it inherits', () => {
    expect(faults(PAGE(PAGE_ANNOTATIONS))).toEqual([]);
    expect(faults(box('0 0 300 100'))).toEqual(['changed_content']);
    expect(faults(PAGE(PAGE_ANNOTATIONS, '/Rotate 90'))).toEqual(['changed_content']);
    expect(faults(PAGE(PAGE_ANNOTATIONS, '/UserUnit 2'))).toEqual(['changed_content']);
  });

  test('may not say what readers that climb find elsewhere than readers that descend', () => {
    const elsewhere = withoutBox.replace('/Parent 2 0 R', '/Parent 12 0 R');
    const signed = { ...inheriting, [N.page]: elsewhere, [N.unused]: PAGES('/MediaBox[0 0 10 10]') };
    const later = (numbers: string) => box(numbers).replace('/Parent 2 0 R', '/Parent 12 0 R');
    expect(faults(later('0 0 300 200'), signed)).toEqual(['changed_content']);
    expect(faults(later('0 0 10 10'), signed)).toEqual(['changed_content']);
  });

  test('may have its box with fewer digits', () => {
    const signed = { [N.page]: box('0 0 300.303937007874 200') };
    expect(faults(box('0 0 300.30394 200'), signed)).toEqual([]);
    expect(faults(box('0 0 300.305 200'), signed)).toEqual(['changed_content']);
    expect(faults(box('0 0 300.30394 200 0'), signed)).toEqual(['changed_content']);
  });
});

describe('a value of the catalog', () => {
  const labels = (numbers: string) => CATALOG(`/PageLabels<</Nums[${numbers}]>>`);
  const signed = { [N.catalog]: labels('0<</S/r>>'), [N.unused]: '<</S/r>>' };
  const faults = (catalog: string, objects: Objects = {}) =>
    faultsAfter(signed, { [N.catalog]: catalog, ...objects });

  test('may become an object of its own', () => {
    expect(faults(labels('0 60 0 R'), { 60: '<</S/r>>' })).toEqual([]);
    expect(faults(CATALOG('/PageLabels 61 0 R'), { 60: '<</S/r>>', 61: '<</Nums[0 60 0 R]>>' })).toEqual([]);
  });

  test('may not become another one', () => {
    expect(faults(labels('0 60 0 R'), { 60: '<</S/D>>' })).not.toEqual([]);
    expect(faults(labels('0 60 0 R'), { 60: '<</S/r/St 9>>' })).not.toEqual([]);
    expect(faults(labels('0 60 0 R 1 60 0 R'), { 60: '<</S/r>>' })).not.toEqual([]);
    // An object that was there may be drawn elsewhere.
    expect(faults(labels('0 12 0 R'))).not.toEqual([]);
  });
});

describe('a table that names an object twice', () => {
  /** The base file, whose table says another time where the page is. */
  const naming = (place: (entry: string) => string, file = basePdf()) => {
    const text = file.toString('latin1');
    const at = text.lastIndexOf('\nxref\n') + 1;
    const entry = `${String(text.lastIndexOf(`${N.page} 0 obj`, at)).padStart(10, '0')} 00000 n \n`;
    const trailer = text.indexOf('trailer', at);
    return Buffer.from(`${text.slice(0, trailer)}3 1\n${place(entry)}${text.slice(trailer)}`, 'latin1');
  };
  const page = { [N.page]: PAGE(PAGE_ANNOTATIONS, '/Tabs/S') };

  test('with the same place is read by all readers alike', () => {
    expect(
      faultsOf(
        signPdf(
          naming((entry) => entry),
          { party: PKI.signer },
        ),
      ),
    ).toEqual([]);
  });

  test('with another one, or in a later save, is refused', () => {
    const other = naming(() => `${'9'.padStart(10, '0')} 00000 n \n`);
    expect(verifyPdf(other, { trust: trusting(PKI.root), now: NOW })).toMatchObject({
      ok: false,
      reason: 'cross_reference',
    });
    const saved = updated(signPdf(basePdf(), { party: PKI.signer }), page, '/Root 1 0 R/Info 11 0 R');
    expect(faultsOf(saved)).toEqual([]);
    expect(faultsOf(naming((entry) => entry, saved))).toEqual(['update_irregular']);
  });
});
