// What `esign verify` takes, as data, and the type of what was typed.
import type { CommandInput } from '../../command/command.ts';

export const ARGUMENTS = [
  { name: 'file', repeat: true, completes: 'file', summary: 'PDF files to verify; - reads standard input' },
] as const;

export const OPTIONS = {
  trust: {
    value: 'FILE',
    repeat: true,
    completes: 'file',
    summary: 'File with certificates (PEM or DER) to trust in addition to those of this machine',
  },
  level: {
    value: 'LEVEL',
    choices: ['B', 'T', 'LT', 'LTA'],
    summary: 'PAdES level that every signature must reach',
  },
  at: {
    value: 'TIME',
    summary:
      'Time to verify at instead of now, for signatures without a timestamp and for the last timestamp of a file, which proves the times before it, such as 2026-11-21T18:00:00Z, or 2026-11-21 for midnight UTC (default: now)',
  },
  policy: {
    value: 'FILE',
    completes: 'file',
    summary:
      'JSON file with the days from which hashes and keys are weak, in place of those of ETSI TS 119 312: {"hashes": {"SHA-1": "2012-08-01"}, "rsa_below": {"1900": "2019-10-01"}, "rsa_pkcs1": null, "ec_below": {}, "ocsp_rsa_below": {}}; a row that is not named keeps its day, and null removes a row',
  },
  original: {
    value: 'FILE',
    completes: 'file',
    summary:
      'Uploaded file that the document must have been made from: its hash must be in the evidence as that of this document; without evidence, the document must begin with its bytes',
  },
  'password-file': {
    value: 'FILE',
    completes: 'file',
    summary: 'File with the password of encrypted PDF files; - reads standard input',
  },
  accept: {
    value: 'VERDICT:REASON',
    repeat: true,
    summary:
      'Reasons of the verdict indeterminate that do not change the exit code, such as indeterminate:NO_CERTIFICATE_CHAIN_FOUND; several are separated by commas',
  },
  require: {
    value: 'ANSWER',
    choices: ['unchanged'],
    summary:
      'What the exit code depends on, instead of the whole verdict: only whether the document is unchanged since it was signed',
  },
  report: {
    value: 'FORMAT',
    choices: ['etsi', 'html'],
    summary:
      'Form of a report that is printed instead: etsi is XML as ETSI TS 119 102-2 defines it, html a page with pictures of what changed',
  },
  'no-render': {
    summary:
      'Skip comparing how pages look now with how they looked when they were signed: faster, but a change that only a drawing shows is not found',
  },
  explain: {
    summary:
      'Show the PDF objects and byte offsets behind each finding, and which rule does not allow a change',
  },
} as const;

export type VerifyInput = CommandInput<typeof ARGUMENTS, typeof OPTIONS>;
