import type { PlacedWord } from '../../../pdf/engine/engine.ts';
import { type CommandInput, defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { list, number, object, prints, text } from '../../command/json-output.ts';
import type { ListOutcome } from '../../command/outcome.ts';
import { convertToPdf, documentTooComplex, type PdfContent, readLocalFile } from '../../input/documents.ts';
import { createFileReader, fileLabel } from '../../input/files.ts';
import { pageUnknown, parsePage } from '../../input/parse-input.ts';

const WORDS_ARGUMENTS = [
  { name: 'file', completes: 'file', summary: 'PDF or Word document (.docx); - reads standard input' },
] as const;

const WORDS_OPTIONS = {
  page: { value: 'N', summary: 'Page to print: a number from 1, or last (default: every page)' },
} as const;

export const command = defineCommand({
  summary: 'Print the words of a document with their positions',
  details:
    'Prints each word with the box around it, in points from the top left corner of the page as displayed. A field can be placed at ' +
    'words: see `esign help fields`. Word documents are converted to PDF first. A page that has no text, such as a scan, is named in a warning.',
  arguments: WORDS_ARGUMENTS,
  options: WORDS_OPTIONS,
  json: prints(
    object({
      items: list(object({ page: number, text: text, x: number, y: number, width: number, height: number })),
      pages_without_text: list(number),
    }),
    '; page counts from 0, lengths are points',
  ),
  examples: [{ line: 'esign tx text contract.pdf --page last', about: 'See the words of the last page' }],
  run: printWords,
});

type TextInput = CommandInput<typeof WORDS_ARGUMENTS, typeof WORDS_OPTIONS>;

async function printWords(
  context: Uses<'process' | 'terminal'>,
  { args, options }: TextInput,
): Promise<ListOutcome> {
  const wanted = parsePage(options.page);
  const reader = createFileReader(context);
  const file = await readLocalFile(args.file, reader);
  const pdf = await convertToPdf(file, fileLabel(args.file), reader.documents);
  const range = rangeOf(wanted, pdf, file.name);
  const source = { sha256: pdf.sha256, bytes: async () => pdf.pdf };
  const listed = await reader.documents.listWords(source, range, 'own');
  if (!listed.ok && listed.reason === 'busy')
    throw cliError('interrupted', {
      sentence: `Interrupted: the words of "${file.name}" were not all read.`,
    });
  if (!listed.ok) throw documentTooComplex(fileLabel(args.file), listed);
  const { words, isCut } = listed;
  const silent = pagesWithout(words, range);
  if (silent.length > 0) context.terminal.progress.warn(withoutText(silent, pdf.pages.length));
  if (isCut) context.terminal.progress.warn('Not all words are printed, because there are too many.');
  return {
    kind: 'list',
    json: { items: words, pages_without_text: silent },
    empty: 'No words.',
    table: {
      columns: ['PAGE', 'X', 'Y', 'WIDTH', 'HEIGHT', 'TEXT'],
      rows: words.map(({ page, x, y, width, height, text }) => [page + 1, x, y, width, height, text]),
    },
  };
}

function rangeOf(wanted: number | 'last' | undefined, { pages }: PdfContent, name: string) {
  if (wanted === undefined) return { from: 0, to: pages.length };
  const page = wanted === 'last' ? pages.length - 1 : wanted;
  if (page >= pages.length) throw pageUnknown(page, `"${name}"`, pages.length);
  return { from: page, to: page + 1 };
}

function pagesWithout(words: readonly PlacedWord[], { from, to }: { from: number; to: number }): number[] {
  const withText = new Set(words.map(({ page }) => page));
  return Array.from({ length: to - from }, (_, index) => from + index).filter((page) => !withText.has(page));
}

/** The sentence names at most this many pages. */
const MOST_NAMED = 10;

function withoutText(pages: readonly number[], count: number): string {
  if (pages.length === count) return 'The document has no text. It may be a scan.';
  const named = pages.slice(0, MOST_NAMED).map((page) => page + 1);
  const more = pages.length > MOST_NAMED ? `, and ${pages.length - MOST_NAMED} more,` : '';
  return pages.length === 1
    ? `Page ${named[0]} has no text. It may be a scan.`
    : `Pages ${named.join(', ')}${more} have no text. They may be scans.`;
}
