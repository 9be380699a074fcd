import { describe, expect, it } from 'vitest';
import { readCertificate } from '../../src/pdf/signature/verify/certificate.ts';
import { verifyPdf } from '../../src/pdf/signature/verify/verify-pdf.ts';
import { authority, crl, NOW, type Party } from '../support/pki.ts';
import { basePdf, signPdf, withStore, withTimestamp } from './signed-by-hand.ts';

const { root, issuing, signer, tsa } = authority();
const trusting = (...parties: Party[]) => ({
  anchors: parties.map(({ der }) => ({ certificate: readCertificate(der)!, why: 'test' })),
});

function look(bytes: Buffer) {
  const report = verifyPdf(bytes, { trust: trusting(root), now: NOW });
  if (!report.ok) throw new Error(report.reason);
  return report.signatures;
}

describe('valid signatures', () => {
  it('B', () => {
    const [one] = look(signPdf(basePdf(), { party: signer }));
    expect(one).toMatchObject({ faults: [], level: 'B' });
  });
  it('LTA', () => {
    const signed = signPdf(basePdf(), { party: signer, tsa });
    const stored = withStore(signed, {
      certificates: [...signer.chain, ...tsa.chain],
      crls: [crl(root), crl(issuing)],
    });
    const sealed = withTimestamp(stored, { tsa });
    const found = look(sealed);
    for (const one of found)
      console.log(one.kind, one.level, one.faults, one.changes, one.notHigher, one.proven);
    expect(look(signed)[0]).toMatchObject({ faults: [], level: 'T' });
    expect(look(stored)[0]).toMatchObject({ faults: [], level: 'LT' });
    expect(found[0]).toMatchObject({ faults: [], level: 'LTA' });
    expect(found[1]).toMatchObject({ faults: [], kind: 'timestamp' });
  });
});

import { sealPdf } from '../../src/pdf/signature/seal.ts';
import { preparedPdf, SEAL_FIELD } from '../support/prepared-pdf.ts';
import { testAuthority } from '../support/test-authority.ts';

describe('our own seals', () => {
  it.each(['B', 'T', 'LT', 'LTA'] as const)('%s', async (level) => {
    const authority = await testAuthority();
    const pdf = await sealPdf(await preparedPdf(), SEAL_FIELD, { ...authority.sealing, level });
    const report = verifyPdf(pdf, {
      trust: { anchors: [{ certificate: readCertificate(authority.root)!, why: 'x' }] },
      now: Date.now(),
    });
    if (!report.ok) throw new Error(report.reason);
    for (const one of report.signatures)
      console.log(one.kind, one.level, one.faults, one.changes, one.notHigher, one.proven, one.claims);
    expect(report.signatures[0]).toMatchObject({ faults: [], level });
  });
});
