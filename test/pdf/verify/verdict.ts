// What is found out about a file, in the words that tests compare.
import type { Fault, Level, SignatureReport } from '../../../src/pdf/signature/verify.ts';
import { readCertificates, verifyPdf } from '../../../src/pdf/signature/verify.ts';
import { authority, crl, NOW, type Party } from '../../support/pki.ts';
import { basePdf, signPdf, withStore, withTimestamp } from '../signed-by-hand.ts';

export const PKI = authority();

export const trusting = (...parties: Party[]) => ({
  anchors: parties.flatMap(({ der }) =>
    readCertificates(der).map((certificate) => ({ certificate, why: 'the test' })),
  ),
});

export type Looking = { now?: number; trust?: readonly Party[]; level?: Level };

export function look(
  bytes: Uint8Array,
  { now = NOW, trust = [PKI.root], level }: Looking = {},
): SignatureReport[] {
  const report = verifyPdf(bytes, { trust: trusting(...trust), now, level });
  if (!report.ok) throw new Error(`${report.reason} at ${report.at}`);
  return report.signatures;
}

/** The codes of everything that is wrong, each once. */
export const faultsOf = (bytes: Uint8Array, looking?: Looking): string[] => [
  ...new Set(look(bytes, looking).flatMap(({ faults }) => faults.map(coded))),
];

const coded = ({ code, facts }: Fault) => (code === 'timestamp_invalid' ? `${code}: ${facts?.why}` : code);

/** A file that is signed, with everything that makes it last. */
export function sealed(): Buffer {
  const { signer, tsa, root, issuing } = PKI;
  const signed = signPdf(basePdf(), { party: signer, tsa });
  const store = { certificates: [...signer.chain, ...tsa.chain], crls: [crl(root), crl(issuing)] };
  return withTimestamp(withStore(signed, store), { tsa });
}
