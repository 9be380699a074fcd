// Errors about files: those that are read, those that are written, and documents that cannot be used.
import { didYouMean } from '../../../common/nearest.ts';
import { errorRow } from '../error-row.ts';
import { EXIT } from '../exit-codes.ts';

const exit = EXIT.usage;
const MIB = 1024 * 1024;

/** A document that cannot be used, in the words that the service uses too (api/contract/documents.ts). */
type Unusable = { document: string; what: string; hint: string };

const unusable = (sample: Omit<Unusable, 'document'>) =>
  errorRow<Unusable>({
    exit,
    sentence: ({ document, what }) => `${document} ${what}.`,
    hint: ({ hint }) => `${hint} and try again.`,
    samples: [{ document: 'FILE', ...sample }],
  });

export const FILE_ERRORS = {
  file_missing: errorRow<{ by?: string; hint: string }>({
    exit,
    sentence: ({ by }) => (by === undefined ? 'No documents given.' : `No file given for ${by}.`),
    hint: ({ hint }) => hint,
    samples: [
      { hint: 'Specify a file, or use --template.' },
      { by: 'file.upload', hint: 'Specify it with -F file=@contract.pdf.' },
    ],
  }),
  file_not_found: errorRow<{
    path: string;
    isNul?: boolean;
    hint?: string;
    /** A file beside it with nearly the same name. */
    meant?: string | undefined;
  }>({
    exit,
    sentence: ({ path, isNul }) =>
      isNul ? `The path "${path}" contains a NUL character.` : `File not found: "${path}".`,
    hint: ({ meant, hint = 'Check the path; it is relative to the current directory.' }) =>
      didYouMean(meant) || hint,
    samples: [
      { path: 'FILE' },
      { path: 'suply.pdf', meant: 'supply.pdf' },
      { path: 'a', isNul: true },
      { path: 'b', hint: 'Specify a file.' },
    ],
  }),
  file_outside: errorRow<{ path: string; roots: readonly string[] }>({
    exit,
    sentence: ({ path, roots }) =>
      `The path "${path}" is outside of the directories of the MCP server: ${roots.join(', ')}.`,
    hint: () => 'Use a file below them, or start the server with `esign mcp --root DIR`.',
    samples: [{ path: '../FILE', roots: ['/home/ada/contracts'] }],
  }),
  root_unusable: errorRow<{ path: string }>({
    exit,
    sentence: ({ path }) => `The directory "${path}" of --root does not exist, or cannot be read.`,
    samples: [{ path: 'contracts' }],
  }),
  file_unreadable: errorRow<{ path: string; isForbidden: boolean }>({
    exit,
    sentence: ({ path, isForbidden }) =>
      `The file "${path}" cannot be read${isForbidden ? ': permission denied' : ''}.`,
    hint: ({ isForbidden }) =>
      isForbidden ? 'Change its permissions.' : 'Check that the file can be opened.',
    samples: [
      { path: 'FILE', isForbidden: false },
      { path: 'a', isForbidden: true },
    ],
  }),
  file_is_directory: errorRow<{ path: string }>({
    exit,
    sentence: ({ path }) => `"${path}" is a directory, not a file.`,
    hint: () => 'Specify the files in it.',
    samples: [{ path: 'DIRECTORY' }],
  }),
  file_not_regular: errorRow<{ path: string; kind: 'pipe' | 'device' | 'socket' }>({
    exit,
    sentence: ({ path, kind }) => `"${path}" is a ${kind}, not a file.`,
    hint: () => 'Specify a file, or pass the content on standard input with "-" as the file name.',
    samples: [
      { path: 'FILE', kind: 'pipe' },
      { path: 'a', kind: 'device' },
    ],
  }),
  file_name_not_utf8: errorRow<{ path: string; mark: string }>({
    exit,
    sentence: ({ path, mark }) =>
      `The file name "${path}" is not UTF-8 (${mark} stands for the unreadable bytes), so the file cannot be opened.`,
    hint: () =>
      'Rename the file, or pass its content on standard input: `esign tx send - --name NAME < FILE`.',
    samples: [{ path: 'FILE', mark: '?' }],
  }),
  file_too_large: errorRow<{ file: string; bytes?: number | undefined; mostBytes: number }>({
    exit,
    sentence: ({ file, bytes, mostBytes }) =>
      `${file} is too large${bytes === undefined ? '' : ` (${bytes} bytes)`}. At most ${mostBytes} bytes (${mostBytes / MIB} MiB) are accepted.`,
    hint: () => 'Make the file smaller, or split it.',
    samples: [
      { file: 'FILE', mostBytes: 10 * MIB },
      { file: 'a', bytes: 12_345_678, mostBytes: 10 * MIB },
    ],
  }),
  file_empty: errorRow<{ file: string; isInput: boolean }>({
    exit,
    sentence: ({ file }) => `${file} is empty.`,
    hint: ({ isInput }) => (isInput ? 'Check the command that writes to standard input.' : 'Check the file.'),
    samples: [
      { file: 'FILE', isInput: false },
      { file: 'Standard input', isInput: true },
    ],
  }),
  file_type_not_accepted: errorRow<{ file: string; found?: string | undefined; hint?: string | undefined }>({
    exit,
    sentence: ({ file, found = 'not a PDF, an image or a .docx document' }) =>
      `${file} cannot be sent: its content is ${found}.`,
    hint: ({ hint = 'Save it as PDF' }) => `${hint} and try again.`,
    samples: [{ file: 'FILE' }, { file: 'a.zip', found: 'a ZIP archive', hint: 'Unpack it' }],
  }),
  file_name_invalid: errorRow<{ path: string; problem: string }>({
    exit,
    sentence: ({ path, problem }) => `The file name of "${path}" ${problem}.`,
    hint: () => 'Rename the file.',
    samples: [{ path: 'FILE', problem: 'is not accepted' }],
  }),
  file_changed: errorRow<{ path: string; plan: string }>({
    exit,
    sentence: ({ path, plan }) => `"${path}" has changed since the plan ${plan} was made.`,
    hint: () => 'Restore the file, or send it again without --resume.',
    samples: [{ path: 'FILE', plan: 'PLAN' }],
  }),
  file_exists: errorRow<{ path: string } & ({ force: string } | { hint: string })>({
    exit,
    sentence: ({ path }) => `"${path}" already exists.`,
    hint: (facts) =>
      'hint' in facts
        ? facts.hint
        : `Specify another directory with --output, or overwrite the file with ${facts.force}.`,
    samples: [
      { path: 'FILE', force: '--force' },
      { path: 'FILE', hint: 'Remove it, or specify another file with --report.' },
    ],
  }),
  file_not_writable: errorRow<{ path: string; reason: string; hint?: string }>({
    exit,
    sentence: ({ path, reason }) => `"${path}" cannot be written: ${reason}.`,
    hint: ({ hint }) => hint ?? 'Specify another directory with --output.',
    samples: [{ path: 'FILE', reason: 'REASON' }],
  }),
  file_unwritable: errorRow<{ path: string; reason: string }>({
    exit,
    sentence: ({ path, reason }) => `"${path}" cannot be written (${reason}).`,
    hint: () => 'Check its permissions, or print the script with `esign completion bash`.',
    samples: [{ path: 'FILE', reason: 'REASON' }],
  }),
  files_too_many: errorRow<{ count: number; most: number }>({
    exit,
    sentence: ({ count, most }) => `${count} files given; a transaction takes at most ${most}.`,
    hint: () => 'Send them in several transactions.',
    samples: [{ count: 101, most: 100 }],
  }),
  document_encrypted: unusable({ what: 'can only be opened with a password', hint: 'Remove the password' }),
  document_too_long: unusable({ what: 'has more than 500 pages', hint: 'Split it' }),
  document_too_complex: unusable({ what: 'is too complex', hint: 'Print it to a new PDF' }),
  document_unreadable: unusable({ what: 'is damaged and cannot be read', hint: 'Save it again' }),
  document_missing: errorRow<{ id: string }>({
    exit,
    sentence: ({ id }) =>
      `The draft ${id} has no documents. A draft can be updated only when it has at least one.`,
    hint: ({ id }) => `Add a document with \`esign tx upload ${id} FILE\`.`,
    samples: [{ id: 'TRANSACTION' }],
  }),
  document_unknown: errorRow<{ id: string; draft: string }>({
    exit: EXIT.notFound,
    sentence: ({ id, draft }) => `The draft ${draft} has no document "${id}".`,
    hint: ({ draft }) => `List its documents with \`esign tx show ${draft}\`.`,
    samples: [{ id: 'ID', draft: 'TRANSACTION' }],
  }),
  page_unknown: errorRow<{ page: number; document: string; count: number }>({
    exit,
    sentence: ({ page, document, count }) =>
      `There is no page ${page}: ${document} has ${count} ${count === 1 ? 'page' : 'pages'}.`,
    hint: () => 'Page numbers start at 1. Use "last" for the last page.',
    samples: [
      { page: 9, document: 'FILE', count: 3 },
      { page: 2, document: 'a', count: 1 },
    ],
  }),
  not_a_pdf: errorRow<{ file: string }>({
    exit,
    sentence: ({ file }) => `${file} is not a PDF.`,
    hint: () => 'Specify a PDF file. esign verifies signatures in PDF files only.',
    samples: [{ file: 'FILE' }],
  }),
  certificate_unreadable: errorRow<{ file: string }>({
    exit,
    sentence: ({ file }) => `${file} contains no certificate.`,
    hint: () =>
      'Specify a file with certificates in PEM format (-----BEGIN CERTIFICATE-----), or with one certificate in DER format.',
    samples: [{ file: 'FILE' }],
  }),
  password_unreadable: errorRow<{ source: string; problem: string }>({
    exit,
    sentence: ({ source, problem }) => `${source} ${problem}.`,
    hint: () => 'Use a file that contains the password as its only line.',
    samples: [{ source: 'FILE', problem: 'has more than one line' }],
  }),
  ca_cert_unreadable: errorRow<{ file: string; reason: string }>({
    exit,
    sentence: ({ file, reason }) =>
      `The certificate file "${file}" (ESIGN_CA_CERT) cannot be read (${reason}).`,
    hint: () => CA_CERT,
    samples: [{ file: 'FILE', reason: 'REASON' }],
  }),
  ca_cert_invalid: errorRow<{ file: string }>({
    exit,
    sentence: ({ file }) => `The certificate file "${file}" (ESIGN_CA_CERT) contains no valid certificate.`,
    hint: () => CA_CERT,
    samples: [{ file: 'FILE' }],
  }),
  interrupted: errorRow<{ unfinished: string }>({
    exit: EXIT.interrupted,
    sentence: ({ unfinished }) => `Interrupted: ${unfinished}.`,
    samples: [{ unfinished: 'the command was not finished' }],
  }),
};

const CA_CERT =
  'Set ESIGN_CA_CERT to a file with certificates in PEM format, for example of the certificate authority of your network.';
