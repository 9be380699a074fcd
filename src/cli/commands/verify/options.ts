// What `esign verify` takes, as data, and the type of what was typed.
import type { Input } from '../../command/command.ts';

export const ARGUMENTS = [
  { name: 'file', repeat: true, completes: 'file', summary: 'the PDF files to verify; - is standard input' },
] as const;

export const OPTIONS = {
  trust: {
    value: 'PEM',
    repeat: true,
    completes: 'file',
    summary: 'a file of certificates to trust, PEM or DER, in addition to those of this machine',
  },
  level: {
    value: 'LEVEL',
    choices: ['B', 'T', 'LT', 'LTA'],
    summary: 'the PAdES level that every signature must reach',
  },
  at: { value: 'TIME', summary: 'the time to verify for, such as 2026-11-21T18:00:00Z (otherwise now)' },
  original: {
    value: 'FILE',
    completes: 'file',
    summary: 'the file that was sent for signature, to compare with the signed document by hash',
  },
  explain: { summary: 'show the objects and byte offsets behind each finding' },
} as const;

export type VerifyInput = Input<typeof ARGUMENTS, typeof OPTIONS>;
