import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LIMITS } from '../../../api/contract/limits.ts';
import { colorValueOf } from '../../../api/contract/recipients.ts';
import type { DrawOptions } from '../../../pdf/engine/engine.ts';
import { type CommandInput, defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import {
  boolean,
  described,
  list,
  nullable,
  number,
  object,
  prints,
  text,
} from '../../command/json-output.ts';
import type { ListOutcome, Outcome } from '../../command/outcome.ts';
import { DRAWN_PAGE, FIELD_WARNING } from '../../command/transaction-json.ts';
import { optionsConflict } from '../../command/wrong-input.ts';
import { documentTooComplex } from '../../input/documents.ts';
import { pageUnknown, parsePage } from '../../input/parse-input.ts';
import { resolveId } from '../../recent/resolve-id.ts';
import { type Folder, fileStems, openFolder } from '../../sending/output-folder.ts';
import {
  type PreviewContent,
  type PreviewedDocument,
  type PreviewedField,
  type PreviewedPerson,
  type PreviewedSuggestions,
  previewFiles,
  previewTransaction,
} from '../../sending/previewed.ts';
import { warnOfFields } from '../../sending/remarks.ts';
import {
  quotedForShell,
  type SuggestedField,
  sentenceOfGuesses,
  sentenceOfOmitted,
} from '../../sending/suggestions.ts';
import { chooseTransaction } from '../../sending/view.ts';

const PREVIEW_ARGUMENTS = [
  {
    name: 'id|file',
    repeat: true,
    optional: true,
    completes: 'file',
    summary: 'ID of a transaction, or files to preview; - reads standard input',
  },
] as const;

const PREVIEW_OPTIONS = {
  id: {
    value: 'ID',
    completes: 'transaction',
    summary: 'ID of a transaction, which is never the name of a file',
  },
  to: {
    value: 'RECIPIENT',
    short: 't',
    repeat: true,
    completes: 'recipient',
    summary: 'Recipient as "Name <email>", with files only (default: one signer)',
  },
  sender: { value: 'PERSON', summary: 'Sender as "Name <email>", with files only' },
  field: {
    value: 'SPEC',
    short: 'f',
    repeat: true,
    summary: 'Field as TYPE@PAGE:X,Y,WxH or TYPE@"WORDS", with files only',
  },
  fields: { value: 'FILE', completes: 'file', summary: 'JSON file with fields, with files only' },
  tags: { summary: 'Make fields of the tags in the documents, with files only' },
  'form-fields': { summary: 'Make fields of the form of each PDF, with files only' },
  'form-to': {
    value: 'EMAIL',
    summary: 'Recipient who fills in the form (default: the only one), with files only',
  },
  suggest: {
    summary:
      'Print the options for fields that the documents seem to ask for; with --output, also draw them; with files only',
  },
  output: {
    value: 'DIR',
    short: 'o',
    completes: 'folder',
    summary:
      'Directory for the images (default: the current directory; with --suggest or --show: none is written)',
  },
  page: {
    value: 'N',
    summary: 'Page of every document to render: a number from 1, or last (default: every page)',
  },
  grid: {
    summary:
      'Draw a grid with the coordinates that --field takes: points from the top left corner of the page',
  },
  force: { summary: 'Overwrite existing images' },
  show: { summary: 'Show the images in the terminal; without --output, write no files' },
} as const;

type PreviewInput = CommandInput<typeof PREVIEW_ARGUMENTS, typeof PREVIEW_OPTIONS>;

export const command = defineCommand({
  summary: 'Render pages with their fields as images',
  details:
    'Writes a PNG of every page (NAME-1.png and so on) with a box for each field. The box shows who ' +
    'fills in the field, its type, and whether it is required; a dashed box is optional. With files, the ' +
    'fields are those that `esign tx send` would create with the same options, and nothing is sent or ' +
    'stored; without --to, the page shows where the signature of one signer would go. With an ID, the ' +
    'documents and fields are those of the transaction. A field that covers text is named in a warning. With --suggest, the options of `esign tx send` are printed for the fields that the ' +
    'documents seem to ask for: on lines beside words such as "Signature", "Name" and "Date" in eight languages, ' +
    'in the form of a PDF, and at tags. With --output or --show, the pages show them as well.',
  arguments: PREVIEW_ARGUMENTS,
  options: PREVIEW_OPTIONS,
  json: prints(
    object({
      id: described(nullable(text), 'Null for files.'),
      files: list(
        object({ path: described(nullable(text), 'Null where no file is written.'), ...DRAWN_PAGE }),
      ),
      warnings: list(FIELD_WARNING),
    }),
    '; with --suggest also ',
    object({
      suggestions: list(
        object({
          from: text,
          type: text,
          label: text,
          document: text,
          page: number,
          x: number,
          y: number,
          width: number,
          height: number,
          recipient: described(number, 'The position of the recipient, from 1.'),
          is_guessed: described(boolean, 'True where the text does not say whose the field is.'),
          field: described(nullable(text), 'The value of --field; null for a form or a tag.'),
        }),
      ),
    }),
    '; page counts from 0, lengths are points',
  ),
  examples: [
    {
      line: 'esign tx preview contract.pdf --to "Ada <ada@example.com>"',
      about: 'See where the default signature field is placed',
    },
    {
      line: 'esign tx preview contract.pdf --to "Ada <ada@example.com>" --field "text@1:10%,10%,30%x4%,label=City" --page 1 -o pictures',
      about: 'Try out a field',
    },
    {
      line: 'esign tx preview contract.pdf --suggest -o pictures',
      about: 'Find the lines that ask for a signature, a name or a date',
    },
    {
      line: 'esign tx preview contract.pdf --grid --page last -o pictures',
      about: 'Find the coordinates for --field, without recipients',
    },
    {
      line: 'esign tx preview @ -o pictures',
      about: 'See the pages of a transaction as the recipients will',
    },
  ],
  run: drawPreview,
});

/** A little sharper than the page that the recipient sees without zoom, because labels are small. */
const HOW = { dpi: 150, maxPixels: LIMITS.sharpPngPixels };

type Context = Uses<'connections' | 'history' | 'process' | 'prompts' | 'settings' | 'terminal'>;
type DrawnPage = { document: PreviewedDocument; page: number; path: string | null };

async function drawPreview(context: Context, input: PreviewInput): Promise<Outcome> {
  const { options } = input;
  const pageWanted = parsePage(options.page);
  const viewer = options.show ? await viewerOf(context) : undefined;
  const previewed = await readPreviewed(context, input);
  warnOfFields(context, previewed.warnings);
  const wanted = pagesOf(previewed, pageWanted);
  // Whoever asks for suggestions reads them.
  const isWritten = options.output !== undefined || !(options.show || options.suggest);
  const folder = isWritten
    ? await openFolder(context, options.output ?? '.', { isForced: options.force, force: '--force' })
    : undefined;
  const names = pictureNames(previewed.documents);
  await folder?.mustBeFree(wanted.map(({ document, page }) => names(document, page)));
  const drawn: DrawnPage[] = [];
  for (const { document, page } of wanted) {
    context.process.checkpoint();
    if (!folder && !viewer) {
      drawn.push({ document, page, path: null });
      continue;
    }
    const label = `draw page ${page + 1} of ${document.name}`;
    const isWithGrid = options.grid;
    const png = await context.terminal.progress.step(label, () =>
      drawPage(context, previewed, { document, page, isWithGrid }),
    );
    viewer?.show(png, `${document.name}, page ${page + 1}`);
    drawn.push({ document, page, path: await write(folder, names(document, page), png) });
  }
  const outcome = outcomeOf(previewed, drawn);
  if (!previewed.suggested) return outcome;
  return withSuggestions(outcome, previewed, previewed.suggested);
}

/** Names the pictures of the pages. */
function pictureNames(
  documents: readonly PreviewedDocument[],
): (of: PreviewedDocument, page: number) => string {
  const stems = fileStems(documents.map(({ name }) => name));
  return (document, page) => `${stems[documents.indexOf(document)]}-${page + 1}.png`;
}

const write = async (folder: Folder | undefined, name: string, png: Uint8Array): Promise<string | null> =>
  folder ? folder.write(name, png) : null;

async function viewerOf({ settings, terminal }: Context) {
  if (settings.json && !settings.isJsonImplied) throw optionsConflict('--show', '--json');
  const viewer = await terminal.pictures();
  if (viewer) return viewer;
  throw cliError('terminal_without_pictures', {
    sentence: 'This terminal does not report that it can display images.',
    hint: 'Leave out --show and open the files. Images are displayed in kitty, Ghostty, Konsole, WezTerm, iTerm2, mintty, foot and mlterm, but not inside tmux or screen.',
  });
}

// ── what is drawn ───────────────────────────────────────────────────────────────────────────────────────────────

const NAME_A_FILE =
  'Specify a file. For a transaction (ID), leave out --to, --sender, --field, --fields, --form-fields and --suggest: it has its own recipients and fields.';

async function readPreviewed(context: Context, input: PreviewInput): Promise<PreviewContent> {
  const words = input.args['id|file'];
  const { id, to, sender, field, fields, suggest, 'form-fields': hasForm, 'form-to': formTo } = input.options;
  const isForFiles =
    to.length + field.length > 0 ||
    [sender, fields, formTo].some((value) => value !== undefined) ||
    hasForm ||
    suggest;
  const [first, second] = words;
  if (id !== undefined) {
    if (first !== undefined) throw optionsConflict('--id', `"${first}"`);
    if (isForFiles)
      throw cliError('file_missing', { sentence: 'No file given for the preview.', hint: NAME_A_FILE });
    return previewTransaction(context, await chooseTransaction(context, id));
  }
  const areFiles =
    second !== undefined || (first !== undefined && (await isFileName(first, context.process.workingDir)));
  if (areFiles) return previewFiles(context, input.options, words);
  if (!isForFiles) {
    const named = first === undefined ? undefined : await resolveId(context, 'transaction', first);
    return previewTransaction(context, await chooseTransaction(context, named));
  }
  throw first === undefined
    ? cliError('file_missing', { sentence: 'No file given for the preview.', hint: NAME_A_FILE })
    : cliError('file_not_found', { sentence: `File not found: "${first}".`, hint: NAME_A_FILE });
}

function pagesOf({ documents }: PreviewContent, wanted: number | 'last' | undefined) {
  const pages = documents.flatMap((document) => {
    const count = document.pages.length;
    const page = wanted === 'last' ? count - 1 : wanted;
    if (page === undefined) return document.pages.map((_, index) => ({ document, page: index }));
    return page < count ? [{ document, page }] : [];
  });
  if (pages.length > 0) return pages;
  const most = Math.max(...documents.map(({ pages }) => pages.length));
  const longest = documents.length === 1 ? `"${documents[0]?.name}"` : 'the longest document';
  throw pageUnknown(Number(wanted), longest, most);
}

async function drawPage(
  { process }: Context,
  previewed: PreviewContent,
  { document, page, isWithGrid }: { document: PreviewedDocument; page: number; isWithGrid: boolean },
): Promise<Uint8Array> {
  const { sha256, pdf } = document;
  const marks = fieldsOnPage(previewed, document, page).map((field) =>
    overlayOf(field, personOfField(previewed, field)),
  );
  const drawn = await process.documents.drawPage(
    { sha256, bytes: async () => pdf },
    page,
    { ...HOW, marks, ...(isWithGrid && { grid: { title: `@${page + 1}:0,0` } }) },
    'own',
  );
  if (drawn.ok) return drawn.png;
  if (drawn.reason === 'busy')
    throw cliError('interrupted', { sentence: 'Interrupted: not all pages were drawn.' });
  throw documentTooComplex(`"${document.name}"`, drawn);
}

// ── what is said ────────────────────────────────────────────────────────────────────────────────────────────────

function outcomeOf(previewed: PreviewContent, drawn: readonly DrawnPage[]): ListOutcome {
  const isWritten = drawn.some(({ path }) => path !== null);
  return {
    kind: 'list',
    json: {
      id: previewed.id,
      files: drawn.map((page) => fileJson(previewed, page)),
      warnings: previewed.warnings,
    },
    table: {
      columns: isWritten ? ['FILE', 'DOCUMENT', 'PAGE', 'FIELDS'] : ['DOCUMENT', 'PAGE', 'FIELDS'],
      rows: drawn.map(({ document, page, path }) => [
        ...(isWritten ? [path] : []),
        document.name,
        page + 1,
        fieldsOnPage(previewed, document, page).length,
      ]),
    },
    empty: 'No pages.',
  };
}

function fileJson(previewed: PreviewContent, { document, page, path }: DrawnPage) {
  const { width, height } = document.pages[page] ?? { width: 0, height: 0 };
  const fields = fieldsOnPage(previewed, document, page).map((field) => {
    const person = personOfField(previewed, field);
    return {
      type: field.type,
      label: field.label ?? field.type,
      is_required: field.is_required !== false,
      recipient: person?.email === undefined ? null : { name: person.name, email: person.email },
      x: field.positionX,
      y: field.positionY,
      width: field.width,
      height: field.height,
    };
  });
  return { path, document: document.name, page, width, height, fields };
}

/** Tells files from IDs: a word names a file that exists, or it has an ending or a folder, which IDs do not have. */
async function isFileName(word: string, workingDir: string): Promise<boolean> {
  if (word === '-' || /[./\\]/.test(word)) return true;
  return access(resolve(workingDir, word)).then(
    () => true,
    () => false,
  );
}

type FieldOverlay = NonNullable<DrawOptions['marks']>[number];

const fieldsOnPage = (
  { fields }: PreviewContent,
  document: PreviewedDocument,
  page: number,
): PreviewedField[] => fields.filter((field) => field.document_id === document.id && field.page === page);

const personOfField = ({ people }: PreviewContent, field: PreviewedField): PreviewedPerson | undefined =>
  people.find(({ id }) => id === field.recipient_id);

function overlayOf(field: PreviewedField, person: PreviewedPerson | undefined): FieldOverlay {
  const { positionX: x, positionY: y, width, height } = field;
  const isRequired = field.is_required !== false;
  return {
    x,
    y,
    width,
    height,
    color: colorOf(person?.color),
    title: overlayTitle(person),
    subtitle: `${overlayLabel(field)} · ${isRequired ? 'required' : 'optional'}`,
    isRequired,
  };
}

function overlayTitle(person: PreviewedPerson | undefined): string {
  if (!person) return 'nobody';
  return person.email === undefined ? person.name : `${person.name} <${person.email}>`;
}

/** Returns the label of a field, or its type where it has none. */
function overlayLabel({ type, label }: PreviewedField): string {
  const isOwn = typeof label === 'string' && label !== '' && label !== type;
  return isOwn ? `${label} (${type})` : type;
}

function colorOf(color: string | undefined): FieldOverlay['color'] {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(colorValueOf(color)) ?? [];
  return [Number(`0x${red}`), Number(`0x${green}`), Number(`0x${blue}`)];
}

function withSuggestions(
  outcome: ListOutcome,
  { documents }: PreviewContent,
  suggested: PreviewedSuggestions,
): Outcome {
  return {
    ...outcome,
    json: { ...(outcome.json as object), suggestions: jsonOf(suggested) },
    notes: notesOf(
      suggested,
      documents.map(({ name }) => name),
    ),
  };
}

const jsonOf = ({ fields, specs }: PreviewedSuggestions) =>
  fields.map(({ from, type, name, page, box, properties, recipient, isGuessed }, index) => ({
    ...{ from, type, label: properties.label ?? type, document: name, page, ...box },
    ...{ recipient: recipient + 1, is_guessed: isGuessed },
    field: specs[index] ?? null,
  }));

function notesOf({ fields, specs, omitted }: PreviewedSuggestions, names: readonly string[]): string[] {
  if (fields.length + omitted.length === 0)
    return [
      `No lines for signatures, forms or tags were found in ${names.map((name) => `"${name}"`).join(' and ')}.`,
    ];
  const options = specs.flatMap((spec) => (spec === null ? [] : [`--field ${quotedForShell(spec)}`]));
  const guesses = sentenceOfGuesses(fields);
  const has = (from: SuggestedField['from']) => fields.some((field) => field.from === from);
  if (has('form')) options.push('--form-fields');
  if (has('tag')) options.push('--tags');
  return [
    'To make the suggested fields, add to `esign tx send`:',
    ...options.map((option) => `  ${option}`),
    ...(omitted.length > 0 ? [sentenceOfOmitted(omitted)] : []),
    ...(guesses === undefined ? [] : [guesses]),
  ];
}
