// `esign verify`: what the signatures of any PDF are worth, offline.
import { defineCommand } from '../../command/command.ts';
import { ARGUMENTS, OPTIONS } from './options.ts';

export const command = defineCommand({
  summary: 'verify the signatures of PDF files',
  details:
    'Checks every signature and timestamp of any PDF, whoever made it: which bytes it covers, the digest and the mathematics, the ' +
    'certificates up to one that is trusted, their validity at the proven time, revocation data in the document, the PAdES level, ' +
    'and every change that was saved after it. A change that the signature does not allow makes the file invalid, even when the signature ' +
    'itself is intact. For documents sealed by esign it also checks the evidence inside. Certificates are trusted that --trust ' +
    'names, that the system trusts, or that belong to the authority of the sandbox on this machine. No network is used and nothing is stored. ' +
    'Ends with 0 when every file is valid, 9 when one is not valid or not signed, and 2 when one is not a PDF. In a ' +
    'pipe each file is one line: path, verdict, signer, time, level, reason.',
  arguments: ARGUMENTS,
  options: OPTIONS,
  json:
    '{items: [{file, verdict, signatures: [{kind, field, valid, signer: {name, subject, issuer, serial, sha256, valid_from, valid_to}, ' +
    'algorithm, format, signed_at, proven_by, claimed_at, trusted_because, level, not_higher, certification, reason, location, ' +
    'covers: {end, gap_start, gap_end, whole_file}, object, revocation_unknown, changes: [{kind, field, page, before, after, objects}], ' +
    'faults: [{code, message, object, offset}]}], empty_fields, evidence: {transaction: {id, name, completed_at}, document: {id, name}, ' +
    'original_sha256, content_sha256, entries, head}, original, faults: [{code, message, object, offset}]}]}; verdict is ' +
    'valid, invalid, unsigned, damaged or not_a_pdf; kind is signature or timestamp; signed_at is null where no timestamp proves it',
  examples: [
    { line: 'esign verify contract.sealed.pdf', about: 'who signed it, when, and what changed afterwards' },
    {
      line: 'esign verify contract.sealed.pdf --trust company-ca.pem --level LTA',
      about: 'require an authority, and a signature that can still be verified in years',
    },
    { line: 'esign verify signed/*.pdf --json', about: 'a report on several files for a program' },
  ],
  async run(context, input) {
    const { verifyFiles } = await import('./verify-files.ts');
    return verifyFiles(context, input);
  },
});
