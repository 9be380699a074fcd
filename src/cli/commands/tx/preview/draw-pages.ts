// Draws the pages of a preview with their fields, and writes or shows them.
import { LIMITS } from '../../../../api/contract/limits.ts';
import { tooComplex } from '../../../../api/contract/unusable.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import type { ListOutcome, Outcome } from '../../../command/outcome.ts';
import { parsePage } from '../../../input/which-page.ts';
import { resolveId } from '../../../recent/resolve-id.ts';
import { warnOfFields } from '../../../transactions/field-warnings.ts';
import { type Folder, fileStems, openFolder } from '../../../transactions/output-folder.ts';
import { chooseTransaction } from '../../../transactions/which-transaction.ts';
import type { PreviewContent, PreviewedDocument } from './content.ts';
import { fieldsOnPage, overlayOf, personOfField } from './field-overlays.ts';
import { isFileName } from './file-name.ts';
import type { PreviewInput } from './options.ts';
import { previewFiles } from './preview-files.ts';
import { previewTransaction } from './preview-transaction.ts';

/** A little sharper than the page that the recipient sees without zoom, because labels are small. */
const HOW = { dpi: 150, maxPixels: LIMITS.sharpPngPixels };

type Context = Uses<'connections' | 'history' | 'process' | 'prompts' | 'settings' | 'terminal'>;
type DrawnPage = { document: PreviewedDocument; page: number; path: string | null };

export async function drawPreview(context: Context, input: PreviewInput): Promise<Outcome> {
  const { options } = input;
  const pageWanted = parsePage(options.page);
  const viewer = options.show ? await viewerOf(context) : undefined;
  const previewed = await readPreviewed(context, input);
  warnOfFields(context, previewed.warnings);
  const wanted = pagesOf(previewed, pageWanted);
  const isWritten = !options.show || options.output !== undefined;
  const folder = isWritten
    ? await openFolder(context, options.output ?? '.', { isForced: options.force, force: '--force' })
    : undefined;
  const names = pictureNames(previewed.documents);
  await folder?.mustBeFree(wanted.map(({ document, page }) => names(document, page)));
  const drawn: DrawnPage[] = [];
  for (const { document, page } of wanted) {
    context.process.checkpoint();
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
  const { withSuggestions } = await import('./show-suggestions.ts');
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
  if (settings.json) throw cliError('options_conflict', { option: '--show', conflictsWith: '--json' });
  const viewer = await terminal.pictures();
  if (viewer) return viewer;
  throw cliError('terminal_without_pictures');
}

// ── what is drawn ───────────────────────────────────────────────────────────────────────────────────────────────

const NAME_A_FILE =
  'Specify a file. For a transaction (ID), leave out --to, --sender, --field, --fields, --form-fields and --suggest: it has its own recipients and fields.';

async function readPreviewed(context: Context, input: PreviewInput): Promise<PreviewContent> {
  const words = input.args['id|file'];
  const { to, sender, field, fields, suggest, 'form-fields': hasForm, 'form-to': formTo } = input.options;
  const isForFiles =
    to.length + field.length > 0 ||
    [sender, fields, formTo].some((one) => one !== undefined) ||
    hasForm ||
    suggest;
  const [first, second] = words;
  const areFiles =
    second !== undefined || (first !== undefined && (await isFileName(first, context.process.workingDir)));
  if (areFiles) return previewFiles(context, input, words);
  if (!isForFiles) {
    const named = first === undefined ? undefined : await resolveId(context, 'transaction', first);
    return previewTransaction(context, await chooseTransaction(context, named));
  }
  throw first === undefined
    ? cliError('file_missing', { by: 'the preview', hint: NAME_A_FILE })
    : cliError('file_not_found', { path: first, hint: NAME_A_FILE });
}

function pagesOf({ documents }: PreviewContent, wanted: number | 'last' | undefined) {
  const found = documents.flatMap((document) => {
    const count = document.pages.length;
    const page = wanted === 'last' ? count - 1 : wanted;
    if (page === undefined) return document.pages.map((_, index) => ({ document, page: index }));
    return page < count ? [{ document, page }] : [];
  });
  if (found.length > 0) return found;
  const most = Math.max(...documents.map(({ pages }) => pages.length));
  throw cliError('page_unknown', {
    page: Number(wanted) + 1,
    document: documents.length === 1 ? `"${documents[0]?.name}"` : 'the longest document',
    count: most,
  });
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
  if (drawn.reason === 'busy') throw cliError('interrupted', { unfinished: 'not all pages were drawn' });
  throw cliError('document_too_complex', { document: `"${document.name}"`, ...tooComplex(drawn) });
}

// ── what is said ────────────────────────────────────────────────────────────────────────────────────────────────

function outcomeOf(previewed: PreviewContent, drawn: readonly DrawnPage[]): ListOutcome {
  const isWritten = drawn.some(({ path }) => path !== null);
  return {
    kind: 'list',
    json: {
      id: previewed.id,
      files: drawn.map((one) => fileJson(previewed, one)),
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
