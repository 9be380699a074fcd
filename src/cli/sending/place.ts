// Places fields on documents that are at hand as PDF: those at words where the words are, and signatures without a field below the text of the last
// page, or at the foot of the page where nothing is empty. A document that only the service could convert is fetched once it has done so;
// where the service does not return documents, signatures go to the foot of the page, and fields at words are refused.

import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import { nearest } from '../../common/nearest.ts';
import type { DocumentEngine, QueryResult, WordsMatch } from '../../pdf/engine/engine.ts';
import { type Anchor, boxAtWords, chooseMatches, queryOf } from '../../placement/anchors.ts';
import { roundPoints } from '../../placement/sizes.ts';
import { CliError, cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import type { ReadyPdf, SearchedPdf } from '../input/documents.ts';
import { documentTooComplex } from '../input/documents.ts';
import {
  type AnchoredField,
  type GivenField,
  invalidField,
  isAnchored,
  type PlacedField,
} from '../input/field-spec.ts';
import {
  boxesAtFoot,
  DEFAULT_BOX,
  edgeMargin,
  type FieldBox,
  needsPages,
  pageMissing,
  pagesOfDocument,
  resolveBox,
} from './boxes.ts';
import { fetchPdf } from './pdfs.ts';
import { type Plan, type PlannedPlace, pagesOfFile } from './plan.ts';
import {
  emptyPlaceWarning,
  type FieldOnPage,
  type FieldWarning,
  findCoveredFields,
  findOverlappingFields,
  unsignedWarning,
} from './remarks.ts';
import { suggestForDocuments } from './suggestions.ts';
import { contentOfTransaction } from './view.ts';

type Documents = Pick<DocumentEngine, 'findWords' | 'listWords'>;

/**
 * Gives each field at words its position; a field of a document that is not at hand stays as it is, and one whose words may be
 * missing is not made where they are.
 * @param pdfOf the document of a field
 * @throws CliError exit 2 when the words are not there, or in more than one place
 */
export async function resolveAnchors<Given extends GivenField>(
  fields: readonly Given[],
  pdfOf: (field: Given) => SearchedPdf | undefined,
  documents: Documents,
): Promise<Given[]> {
  const results = new Map<Given, Searched>();
  const anchored = fields.filter((field): field is Given & AnchoredField => isAnchored(field));
  for (const pdf of new Set(anchored.map(pdfOf))) {
    if (!pdf) continue;
    const here = anchored.filter((field) => pdfOf(field) === pdf);
    for (const field of here) checkPage(field, pdf);
    const { results: answers, withoutText } = await findAll(pdf, here, documents);
    for (const [index, field] of here.entries())
      results.set(field, { pdf, result: answers[index]!, withoutText });
  }
  const placed: Given[] = [];
  for (const field of fields) {
    const searched = results.get(field);
    if (!searched || !isAnchored(field)) placed.push(field);
    // A field that is placed has everything that it had before.
    else placed.push(...((await placedFields(field, searched, documents)) as unknown as Given[]));
  }
  return placed;
}

type Searched = { pdf: SearchedPdf; result: QueryResult; withoutText: readonly number[] };

function checkPage({ anchor: { page }, source }: AnchoredField, { name, pages }: SearchedPdf): void {
  if (typeof page === 'number' && page >= pages.length)
    throw pageMissing(source, { document: name, page, count: pages.length });
}

async function findAll(
  { name, sha256, pdf, pages }: SearchedPdf,
  fields: readonly AnchoredField[],
  documents: Documents,
): Promise<{ results: QueryResult[]; withoutText: number[] }> {
  const queries = fields.map(({ anchor }) => queryOf(anchor, pages.length));
  const source = { sha256, bytes: async () => pdf };
  const answer = await documents.findWords(source, pages.length, queries, 'own');
  if (answer.ok) return answer;
  if (answer.reason === 'query')
    throw invalidField(
      fields[answer.query]?.source ?? '',
      `cannot be placed: ${answer.why}`,
      'With the property regex, the words are an expression in the syntax of RE2.',
    );
  if (answer.reason === 'busy')
    throw cliError('interrupted', { sentence: `Interrupted: the words of "${name}" were not all read.` });
  throw documentTooComplex(`"${name}"`, answer);
}

async function placedFields(
  field: AnchoredField,
  { pdf, result, withoutText }: Searched,
  documents: Documents,
): Promise<PlacedField[]> {
  const { anchor, ...others } = field;
  const chosen = chooseMatches(anchor, result);
  if (chosen.ok)
    return chosen.matches.map((match) => ({ ...others, ...placeAt(anchor, field.type, match, pdf) }));
  if (chosen.reason === 'none') {
    if (anchor.mayBeMissing) return [];
    throw notFound(field, pdf, withoutText, await nearestWords(anchor, pdf, documents));
  }
  const where = `"${pdf.name}": ${listPlaces(chosen.matches)}`;
  throw chosen.reason === 'fewer'
    ? tooFewPlaces(anchor, where, { count: chosen.matches.length, isCut: result.isCut })
    : severalPlaces(anchor, where, { count: chosen.matches.length, isCut: result.isCut });
}

/** @property isCut there are more places than these */
type PlaceCount = { count: number; isCut: boolean };

/** Makes the error for words in several places, of which the field names none. @param where the document and its places */
const severalPlaces = ({ text }: Anchor, where: string, { count, isCut }: PlaceCount): CliError =>
  cliError('words_ambiguous', {
    sentence: `The words "${text}" are in ${inPlaces({ count, isCut })} of ${where}.`,
    hint: isCut
      ? CHOOSE_FIRST
      : 'Use more words, page=N, match=N or match=last to choose one, or match=all to place a field at each.',
  });

/** Makes the error for a match=N beyond the places. @param where the document and its places */
const tooFewPlaces = ({ text, match }: Anchor, where: string, { count, isCut }: PlaceCount): CliError =>
  cliError('words_ambiguous', {
    sentence: `The words "${text}" are in ${inPlaces({ count, isCut })}${
      isCut ? `, of which number ${match} cannot be chosen` : ` only, not in ${match}`
    } of ${where}.`,
    hint: isCut ? CHOOSE_FIRST : 'Use a smaller number, last or all.',
  });

const CHOOSE_FIRST = 'Use more words or page=N, or match=N to choose one of the first places.';

const inPlaces = ({ count, isCut }: PlaceCount): string =>
  `${isCut ? 'more than ' : ''}${count} ${count === 1 ? 'place' : 'places'}`;

/** The places and pages that a sentence lists; of more it gives the number. */
const MOST_LISTED = 8;

function listPlaces(places: readonly { page: number; excerpt: string }[]): string {
  const listed = places.slice(0, MOST_LISTED).map(({ page, excerpt }) => `page ${page + 1}: ${excerpt}`);
  const rest = places.length > MOST_LISTED ? [`and ${places.length - MOST_LISTED} more`] : [];
  return [...listed, ...rest].join('; ');
}

/** 1, 2 and 3; of many the first. */
function listPages(pages: readonly number[]): string {
  const listed = pages.slice(0, MOST_LISTED).map((page) => String(page + 1));
  if (pages.length > MOST_LISTED) return `${listed.join(', ')} and ${pages.length - MOST_LISTED} more`;
  return listed.length === 1 ? listed[0]! : `${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`;
}

/** Longer texts and documents with more phrases are not compared: that would take longer than reading them. */
const LONGEST_COMPARED = 60;

const MOST_COMPARED = 20_000;

/** A letter in so many may be another one: `Signatur of the tennant` is near to `Signature of the tenant`. */
const LETTERS_FOR_A_CHANGE = 6;

/** Finds as many words of the document that are nearly those of an anchor, which are on one page. */
async function nearestWords(
  { text, page, isRegex }: Anchor,
  { sha256, pdf, pages }: SearchedPdf,
  documents: Documents,
): Promise<{ text: string; page: number } | undefined> {
  if (isRegex || text.length > LONGEST_COMPARED) return undefined;
  const only = page === 'last' ? pages.length - 1 : page;
  const range = only === undefined ? { from: 0, to: pages.length } : { from: only, to: only + 1 };
  const listed = await documents.listWords({ sha256, bytes: async () => pdf }, range, 'own');
  if (!listed.ok) return undefined;
  const { words } = listed;
  const count = text.trim().split(/\s+/).length;
  const pageOf = new Map<string, number>();
  for (let at = 0; at + count <= words.length && pageOf.size < MOST_COMPARED; at += 1) {
    const phrase = words.slice(at, at + count);
    const [first] = phrase;
    if (!first || phrase.at(-1)?.page !== first.page) continue;
    const key = phrase.map((word) => word.text).join(' ');
    if (!pageOf.has(key)) pageOf.set(key, first.page);
  }
  const most = Math.max(1, Math.floor(text.length / LETTERS_FOR_A_CHANGE));
  const meant = nearest(text.trim().replace(/\s+/g, ' '), [...pageOf.keys()], most);
  return meant === undefined ? undefined : { text: meant, page: (pageOf.get(meant) ?? 0) + 1 };
}

function notFound(
  field: AnchoredField,
  pdf: SearchedPdf,
  withoutText: readonly number[],
  meant: { text: string; page: number } | undefined,
): CliError {
  const { page } = field.anchor;
  const searched = page === 'last' ? pdf.pages.length - 1 : page;
  const silent = withoutText.filter((page) => searched === undefined || page === searched);
  const isScan = silent.length === (searched === undefined ? pdf.pages.length : 1);
  const on = searched === undefined ? '' : `page ${searched + 1} of `;
  const problem = isScan
    ? `${on}"${pdf.name}" has no text. It may be a scan.`
    : `these words are not ${on === '' ? 'in' : 'on'} ${on}"${pdf.name}".`;
  return cliError('words_not_found', {
    sentence: `No field can be placed at "${field.anchor.text}": ${problem}`,
    hint: meant
      ? `Did you mean "${meant.text}" on page ${meant.page}?`
      : isScan
        ? `Place the field by its position instead; \`esign tx preview ${pdf.name} --grid\` shows the coordinates.`
        : `${mayBeScanned(silent)}\`esign tx text ${pdf.name}\` prints the words of a document.`,
  });
}

/** Names the pages in whose pictures the words may be. */
function mayBeScanned(silent: readonly number[]): string {
  if (silent.length === 0) return '';
  const [noun, verb] = silent.length === 1 ? ['Page', 'has'] : ['Pages', 'have'];
  return `${noun} ${listPages(silent)} ${verb} no text and may be scanned. `;
}

function placeAt(
  anchor: Anchor,
  type: string,
  match: WordsMatch,
  { pages }: SearchedPdf,
): Omit<PlacedField, 'type' | 'recipient' | 'document' | 'properties' | 'source'> {
  const size = pages[match.page] ?? { width: 0, height: 0 };
  const { x, y, width, height } = boxAtWords(anchor, type, match, size);
  const points = (length: number) => ({ points: roundPoints(length) });
  const [words] = match.boxes;
  return {
    page: match.page,
    x: points(x),
    y: points(y),
    width: points(width),
    height: points(height),
    ...(words && {
      words: {
        text: anchor.text,
        page: match.page,
        x: roundPoints(words.x),
        y: roundPoints(words.y),
        width: roundPoints(words.width),
        height: roundPoints(words.height),
      },
    }),
  };
}

type PlacingEngine = Pick<
  DocumentEngine,
  'coveredText' | 'findBlanks' | 'findFreeBoxes' | 'listBraced' | 'listWords' | 'readForm'
>;

/**
 * Adds the places to the plan.
 * @param pdfs the files of the plan as PDF, undefined for those that only the service can convert
 */
export async function placeSignatures(
  planned: Plan,
  pdfs: readonly (SearchedPdf | undefined)[],
  documents: PlacingEngine,
): Promise<Plan> {
  const plan = planned.isEdited ? await withoutSuggested(planned, pdfs, documents) : planned;
  const fields = plan.files.map((_, index) => fieldsOn(plan, index));
  const last = plan.files.length - 1;
  const pdf = pdfs[last];
  const signatures =
    pdf && plan.boxesFor.length > 0 ? await placesFor(plan, pdf, fields[last] ?? [], documents) : undefined;
  const warnings = [...(signatures?.warnings ?? [])];
  for (const [index, ready] of pdfs.entries()) {
    if (!ready) continue;
    const isAtFoot = index === last && signatures?.warnings.length;
    const onPages = [...(fields[index] ?? []), ...(isAtFoot ? signatures.fields : [])];
    warnings.push(...(await findCoveredFields(ready, onPages, documents)));
    warnings.push(...findOverlappingFields(ready.name, onPages));
  }
  return {
    ...plan,
    ...(signatures && { places: signatures.fields.map(({ box }) => box) }),
    warnings: [...(plan.warnings ?? []), ...unsignedIn(plan), ...warnings],
  };
}

/**
 * Warns of signers whose fields sign nothing. A template may have their signature, and an editor of the draft may still place it. A plan whose
 * files were converted meanwhile has the warning already.
 */
function unsignedIn(plan: Plan): FieldWarning[] {
  if (plan.templates.length > 0 || plan.isEdited) return [];
  const warnings = plan.recipients.flatMap(({ email, role }, position) => {
    if (role === 'sender' || plan.boxesFor.includes(position)) return [];
    const fields = plan.fields
      .filter(({ of }) => of === position)
      .map((field) => ({
        type: field.type,
        document: plan.files[field.document]?.name ?? '',
        page: isAnchored(field) || field.page === 'last' ? 0 : field.page,
      }));
    return unsignedWarning(email, fields) ?? [];
  });
  const isNew = ({ code, recipient }: FieldWarning) =>
    !plan.warnings?.some((warning) => warning.code === code && warning.recipient === recipient);
  return warnings.filter(isNew);
}

/** The editor suggests signatures at lines of the text, in whose place nobody needs another one. */
async function withoutSuggested(
  plan: Plan,
  pdfs: readonly (SearchedPdf | undefined)[],
  documents: PlacingEngine,
): Promise<Plan> {
  if (plan.boxesFor.length === 0) return plan;
  const { suggested } = await suggestForDocuments(pdfs, undefined, documents);
  const signers = plan.recipients.filter(({ role }) => role === 'signer');
  const suggestedFor = new Set(
    suggested.flatMap(({ type, recipient }) => (type === 'signature' ? (signers[recipient] ?? []) : [])),
  );
  return {
    ...plan,
    boxesFor: plan.boxesFor.filter((position) => !suggestedFor.has(plan.recipients[position]!)),
  };
}

function fieldsOn(plan: Plan, index: number): FieldOnPage[] {
  const pages = pagesOfFile(plan.files[index]);
  return plan.fields
    .filter((field): field is PlannedPlace => field.document === index && !isAnchored(field))
    .filter((field) => pages !== undefined || !needsPages(field))
    .map((field) => ({
      type: field.type,
      recipient: field.recipient,
      words: field.words,
      box: resolveBox(field, pages, plan.files[index]?.name ?? ''),
    }));
}

async function placesFor(
  plan: Plan,
  { name, sha256, pdf }: ReadyPdf,
  others: readonly FieldOnPage[],
  documents: PlacingEngine,
): Promise<{ fields: FieldOnPage[]; warnings: FieldWarning[] }> {
  const sizes = plan.files.at(-1)?.pages ?? [];
  const page = sizes.length - 1;
  const size = sizes[page];
  if (!size) return { fields: [], warnings: [] };
  const { width, height, gap } = DEFAULT_BOX;
  const obstacles = others
    .filter(({ box }) => box.page === page)
    .map(({ box }) => ({ x: box.positionX, y: box.positionY, width: box.width, height: box.height }));
  const wanted = {
    count: plan.boxesFor.length,
    ...{ width, height, gap, obstacles },
    margin: edgeMargin(size),
    page: { width: size.width, height: size.height },
  };
  const answer = await documents.findFreeBoxes({ sha256, bytes: async () => pdf }, page, wanted, 'own');
  const boxes =
    answer.ok && answer.boxes
      ? answer.boxes.map(
          (box): FieldBox => ({
            page,
            positionX: roundPoints(box.x),
            positionY: roundPoints(box.y),
            width: roundPoints(box.width),
            height: roundPoints(box.height),
          }),
        )
      : undefined;
  const fields = (boxes ?? boxesAtFoot(size, page, plan.boxesFor.length, name)).map((box, index) => ({
    type: 'signature',
    recipient: plan.recipients[plan.boxesFor[index] ?? -1]?.email ?? null,
    box,
  }));
  return { fields, warnings: boxes ? [] : fields.map((field) => emptyPlaceWarning(name, field)) };
}

type Sending = { connection: Pick<Connection, 'client'>; plan: Plan; documents: DocumentEngine };

/** Adds the places on converted files to the plan; returns the same plan where nothing is known of them. */
export async function placeConverted(
  { connection, plan, documents: engine }: Sending,
  transaction: ReceivedTransaction,
): Promise<Plan> {
  const isPlaced = (index: number) =>
    plan.fields.some(({ document }) => document === index) ||
    (plan.boxesFor.length > 0 && index === plan.files.length - 1);
  if (!plan.files.some(({ pages }, index) => !pages && isPlaced(index))) return plan;
  const { documents } = contentOfTransaction(transaction);
  const added = documents.slice(documents.length - plan.files.length);
  const files = [...plan.files];
  const pdfs: (SearchedPdf | undefined)[] = [];
  for (const [index, file] of plan.files.entries()) {
    const document = added[index];
    const pages = file.pages ? undefined : pagesOfDocument(document);
    const ready =
      document && pages && 'sizes' in pages && isPlaced(index)
        ? await fetchPdf(connection, document, engine).catch(ignoreRefusal)
        : undefined;
    if (ready) files[index] = { ...file, pages: ready.pages };
    pdfs.push(ready && { name: file.name, ...ready });
  }
  if (!pdfs.some((pdf) => pdf)) return plan;
  const fields = await resolveAnchors(plan.fields, ({ document }) => pdfs[document], engine);
  return placeSignatures({ ...plan, files, fields }, pdfs, engine);
}

/** Ignores a refusal of the service: a place for a field is worth a request, but not a failure. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof CliError || (error as Error).name === 'ApiError') return undefined;
  throw error;
}
