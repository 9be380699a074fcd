// Files that are made to keep a verifier busy for hours: they are refused, or verified, long before the test gives up.
import { describe, expect, test } from 'vitest';
import { verifyPdf } from '../../../../src/pdf/signature/verify.ts';
import { certificate, cms, crl, keysOf, NOW } from '../../../support/certificates/pki.ts';
import {
  basePdf,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  updated,
  withStore,
} from '../../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, trusting, verifyBytes } from '../../../support/documents/verification.ts';
import { SLOW } from '../../../support/tier.ts';

const { signer, issuing, root } = PKI;

describe('work is bounded', () => {
  test('for hundreds of signatures in a file', () => {
    const fields = Array.from({ length: 300 }, (_, index) => 1000 + index);
    const value = '<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 9 99 999]/Contents<30>>>';
    const objects: Objects = {};
    for (const number of fields) {
      objects[number] = `<</FT/Sig/T(S${number})/V ${number + 1000} 0 R>>`;
      objects[number + 1000] = value;
    }
    objects[N.form] = FORM(fields.map((number) => `${number} 0 R`).join(' '));
    const file = updated(basePdf(), objects, '/Root 1 0 R/Info 11 0 R');
    const report = verifyPdf(file, { trust: trusting(root), now: NOW });
    expect(report).toMatchObject({ ok: true, isCut: true });
  });

  test.skipIf(!SLOW)('for certificates of one name, each by another key', () => {
    const parties = Array.from({ length: 90 }, (_, index) =>
      certificate('Same', { isCa: true, keys: keysOf('p256', `same ${index}`) }),
    );
    const leaf = certificate('Leaf', { issuer: parties[89]! });
    const certificates = [leaf.der, ...parties.map(({ der }) => der)];
    const file = signPdf(basePdf(), { party: leaf, cms: { certificates }, room: 60_000 });
    expect(faultsOf(file)).toContain('untrusted');
    const more = [...certificates, ...certificates];
    const larger = signPdf(basePdf(), { party: leaf, cms: { certificates: more }, room: 90_000 });
    expect(faultsOf(larger)).toEqual(['cms_malformed']);
  });

  test('for a thousand lists of the same issuer', () => {
    const signed = signPdf(basePdf(), { party: signer });
    const crls = Array.from({ length: 1000 }, () => crl(issuing));
    const file = withStore(signed, { certificates: signer.chain, crls: [...crls, crl(root)] }, 200);
    expect(verifyBytes(file)).toHaveLength(1);
  });

  test('for references that lead in circles, and fields in fields', () => {
    const signed = signPdf(basePdf(), { party: signer });
    const circle = {
      90: '<</A 91 0 R/Kids[91 0 R]/T(x)>>',
      91: '<</A 90 0 R/Kids[90 0 R]/T(y)>>',
      [N.form]: FORM('7 0 R 9 0 R 90 0 R'),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 90 0 R`),
    };
    expect(faultsOf(updated(signed, circle, '/Root 1 0 R/Info 11 0 R'))).toContain('changed_form');
    const turning = updated(
      basePdf(),
      { [N.pages]: '<</Type/Pages/Count 1/Kids[2 0 R 3 0 R]>>' },
      '/Root 1 0 R/Info 11 0 R',
    );
    expect(faultsOf(updated(signPdf(turning, { party: signer }), {}))).toEqual([]);
  });

  test.skipIf(!SLOW)('for tens of thousands of objects behind a signature', () => {
    const count = SLOW ? 100_000 : 20_000;
    const objects: Objects = {};
    for (let number = 1000; number < 1000 + count; number += 1) objects[number] = `[${number + 1} 0 R 4 0 R]`;
    objects[1000 + count] = 'null';
    const signed = signPdf(basePdf(), { party: signer });
    const file = updated(signed, { ...objects, [N.note]: '<</Next 1000 0 R>>' }, '/Root 1 0 R/Info 11 0 R');
    expect(faultsOf(file)).toContain('changed_annotations');
  });

  test('for thousands of fields that a later save brings', () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => 1000 + index);
    const field = (number: number) =>
      `<</Type/Annot/Subtype/Widget/FT/Sig/T(S${number})/P 3 0 R/Rect[0 0 0 0]>>`;
    const list = numbers.map((number) => `${number} 0 R`).join(' ');
    const objects: Objects = {
      ...Object.fromEntries(numbers.map((number) => [number, field(number)])),
      [N.form]: FORM(`7 0 R 9 0 R ${list}`),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} ${list}`),
    };
    const signed = signPdf(basePdf(), { party: signer, entries: '' });
    expect(faultsOf(updated(signed, objects, '/Root 1 0 R/Info 11 0 R'))).toEqual([]);
  });

  test('for signatures that are no DER, nested as deep as they go', () => {
    for (const hex of [
      '30'.repeat(4000),
      '3080'.repeat(3000),
      'a0807f'.repeat(2000),
      '308406ffffff'.repeat(900),
    ]) {
      const file = signPdf(basePdf(), { party: signer, make: () => Buffer.from(hex, 'hex') });
      expect(faultsOf(file)).toEqual(['cms_malformed']);
    }
    const cut = cms(signer, Buffer.from('x'));
    for (let length = 0; length < cut.length; length += 7) {
      const file = signPdf(basePdf(), { party: signer, make: () => cut.subarray(0, length), room: 2000 });
      expect(faultsOf(file).length).toBeGreaterThan(0);
    }
  });
});
