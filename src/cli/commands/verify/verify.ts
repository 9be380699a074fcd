// `esign verify`: what the signatures of any PDF are worth, offline.
import { defineCommand } from '../../command/command.ts';
import { ARGUMENTS, OPTIONS } from './options.ts';

export const command = defineCommand({
  summary: 'Verify the signatures of PDF files',
  details: `Checks every signature and timestamp of any PDF, whether or not esign created it: the bytes it covers, its
digest and cryptographic signature, the certificate chain up to a trusted certificate, validity at the time
proven by a timestamp (without one, and for the last timestamp: now, or --at), revocation data in the document, the PAdES level, and every change saved after signing. A change that the signature
does not permit makes the file invalid, even if the signature itself is intact. A document completed
by a service with esign's API, such as the sandbox, has the seal of the service, not signatures of people. The audit trail in the document (the
evidence), which is checked too, says who signed, and when.

The verdict on a signature is one of three, with the reason in the words of the standard (EN 319 102-1); the worst one is that of the file:

  valid           Unchanged, by a signer whose certificate leads to a trusted authority (TOTAL-PASSED)
  indeterminate   Not proven wrong, and not proven right: the issuer is not known here (NO_CERTIFICATE_CHAIN_FOUND), a certificate has
                  expired or was revoked and nothing proves that it was used before (OUT_OF_BOUNDS_NO_POE, REVOKED_NO_POE), an algorithm is
                  weak (CRYPTO_CONSTRAINTS_FAILURE), the revocation data is too old or a certificate on hold (TRY_LATER), --level is not reached
                  (SIG_CONSTRAINTS_FAILURE), and so on
  invalid         Proven wrong: changed after signing (HASH_FAILURE, FORMAT_FAILURE), not made with the key of the certificate
                  (SIG_CRYPTO_FAILURE), or made when the certificate was not in force (NOT_YET_VALID, EXPIRED, REVOKED) (TOTAL-FAILED)

Hashes and keys are judged at the proven time of a signature, by the days of ETSI TS 119 312 V1.5.1: MD5 is weak from 2004-08-01, SHA-1 from 2012-08-01,
SHA-224 and RSA below 3000 bits from 2029-01-01, RSA below 1024 bits from 2010-08-01 and below 1900 from 2019-10-01, elliptic curves below 256 bits from 2021-10-01. From
2026-01-01 on, OCSP answers signed by RSA keys below 3000 bits do not prove that a certificate was not revoked. --policy takes other days.

Three questions are answered apart: whether the document is unchanged, who signed it and whether that is proven, and when.

Trusted certificates are those given with --trust, those of the operating system, and the certificate authority of the
sandbox on this machine. \`esign serve ca\` prints that of a team server. No network is used and nothing is stored.

PAdES levels say what a document contains, each in addition to the one before:

  B    A signature with the certificate of its signer
  T    A timestamp that proves when it was signed
  LT   Certificates and revocation data, so that it can be verified later without a network
  LTA  (in full: B-LTA) A timestamp over all of these, so that it can still be verified when their certificates have expired, until that of the timestamp has

Pages that lead to something saved after a signature are drawn as they were signed and as they are now, for the screen and for printing, and
compared outside the places of what was filled in or signed. Nothing is drawn if only validation data, metadata and signatures that show nothing were added. Remarks name signed text over which something is drawn in these places, and text fields that show something other than their value. --no-render leaves that out.

Other remarks name what makes programs show an unchanged document differently: scripts and actions that run without a click when it is opened, shown or printed, dynamic forms (XFA), content in other files, and layers that differ on the
screen and on paper. None of it is run or loaded.

With --report, the same facts are printed in another form: etsi for archives and other validators (XML, ETSI TS 119 102-2 V1.4.1), html for people (one page without scripts, which loads nothing,
with pictures of pages that look different now than when they were signed). The exit code is the same.

Encrypted files that open without a password for reading are checked like any other; for others, give the password with --password-file.

The exit code is 0 if every file is valid or accepted, 11 if a file is indeterminate, and 9 if one is invalid, not signed, damaged or encrypted. If one
is not a PDF, it is 2. Of several files the worst one decides: 2 before 9, 9 before 11. A file not made from
--original is invalid (CUSTOM). --accept names reasons of the verdict indeterminate that do not count; a file is accepted if it has no others.
--require unchanged asks only whether the document is unchanged since it was signed, and says nothing about the signer. No option accepts an invalid file, or one with more fields or signatures than are looked at (CUSTOM). If the only file is not a PDF, an error is
printed instead of a result. In a pipe and without --explain, each file is one line with columns separated by tabs:
path, verdict, names in the signing certificates (in a sealed document, the name of the service), time of the last signature if a timestamp proves it, lowest level of the signatures, the first problem, or why the level is not higher,
reason in the words of the standard, whether the document is unchanged (yes, no, unknown), trusted authorities of the signers, and whose clock proves the time.`,
  arguments: ARGUMENTS,
  options: OPTIONS,
  json:
    '{items: [{file, verdict, indication, sub_indication, decided_by, unchanged, accepted, signatures: [{kind, field, valid, verdict, indication, sub_indication, ' +
    'answers: {integrity: {unchanged, added}, identity: {name, proven, anchor, trusted_because}, time: {at, proven, by}}, signer: {name, subject, issuer, serial, sha256, valid_from, valid_to}, ' +
    'algorithm, format, signed_at, proven_by, claimed_at, trusted_because, level, not_higher, certification, reason, location, ' +
    'covers: {end, gap_start, gap_end, whole_file}, object, revocation_unknown, changes: [{kind, field, page, before, after, objects}], ' +
    'later_saves: [{version, signature_field, changes}], faults: [{code, verdict, sub_indication, message, rule, object, offset}]}], empty_fields, evidence: {transaction: {id, name, completed_at}, document: {id, name}, ' +
    'original_sha256, content_sha256, preparation: {stated_by, original: {sha256, bytes}, removed_tags: [{page, text}], emptied_form_boxes, drawn_values}, recorded_by, signers: [{name, email, role, signed_at, identified_by}], entries, head}, original, rendering, pages_compared, remarks: [{code, kind, message, page, object, offset}], faults: [{code, verdict, sub_indication, message, rule, object, offset}]}]}; verdict is ' +
    'valid, indeterminate, invalid, unsigned, damaged, encrypted or not_a_pdf (that of a signature or fault valid, indeterminate or invalid), indication the same in the words of EN 319 102-1 (TOTAL-PASSED, INDETERMINATE, TOTAL-FAILED; null for the others) and sub_indication its reason; decided_by is the field of the signature that decides (null if none does), unchanged is yes, no or unknown, and accepted whether the file passes with --accept and --require; identity is proven by the trusted authority anchor, time by the timestamp of by, and is otherwise what the signer states; kind of signatures is signature or timestamp; rule of a fault is the name of the rule that does not allow what was saved after a signature (docs/verify.md lists them, --explain says what each allows), null where the fault is about something else; signed_at is null where no timestamp proves it; recorded_by is the name in the certificate of the seal over the evidence, which anyone with a trusted certificate can make; signers are the people who signed according to the evidence (empty unless the file is valid), identified_by is emailed_link (the link of an email that a mail server took), mailbox_link (the link of an email, opened from the mailbox of the service), dashboard_link (a link that the dashboard showed to a user), signing_link (a link without a record of how the person got it) or sandbox_command; entries is the number of audit trail entries and head the hash of the last one; later_saves are the versions of the file saved after the signature, signature_field the field of the signature or timestamp made with that save (null if there is none); revocation_unknown names certificates without revocation data, which lowers the level but not the verdict; rendering is compared, skipped (--no-render) or not_needed (a signature is invalid anyway, or nothing that a page draws was saved after a signature), and pages_compared the number of pages whose look was compared with that of the signed versions; remarks do not change the verdict: signed_part_irregular is a signed part that is not written as the PDF standard requires, bytes_appended bytes after the last signature that no reader shows (offset is where they begin), metadata_changed another title or author in the properties of the document than when it was signed, drawn_over_text a later signature or filled field that is drawn over text, a scan or a drawing of the signed version, value_shown_differently a filled text field that shows something other than its value, dynamic_content what programs show differently without a click, by its kind (null for other remarks): script, action, calculated_fields, formatted_fields, dynamic_form (XFA), external_content, alternate_image, postscript, media, layers, paper_only, portfolio, web_capture, or not_searched (the document could not be searched completely)',
  examples: [
    {
      line: 'esign verify contract.sealed.pdf',
      about: 'Verify a file: who signed or sealed it, when, and what changed afterwards',
    },
    {
      line: 'esign verify contract.sealed.pdf --trust company-ca.pem --level LTA',
      about: "Require long-term verifiable signatures, and trust a company's certificate authority as well",
    },
    {
      line: 'esign verify contract.pdf --accept indeterminate:NO_CERTIFICATE_CHAIN_FOUND',
      about: 'Accept signatures of unknown issuers, but nothing that was changed',
    },
    {
      line: 'esign verify contract.pdf --report html > report.html',
      about: 'Write a report that a browser shows',
    },
    { line: 'esign verify signed/*.pdf --json', about: 'Verify several files and print a JSON report' },
  ],
  async run(context, input) {
    const { verifyFiles } = await import('./verify-files.ts');
    return verifyFiles(context, input);
  },
});
