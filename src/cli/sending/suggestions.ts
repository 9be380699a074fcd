// Suggests fields for documents that are at hand as PDF, each with the option --field that makes it, and offers them to a person who gave no
// field. Nothing is added without a yes.
import type { DocumentEngine, WordsMatch } from '../../pdf/engine/engine.ts';
import type { Box } from '../../pdf/geometry.ts';
import { roundPoints } from '../../placement/sizes.ts';
import type { Person } from '../../placement/suggestions/parties.ts';
import { type SharedSuggestion, suggestFields } from '../../placement/suggestions/suggest-fields.ts';
import type { Uses } from '../command/context.ts';
import type { SearchedPdf } from '../input/documents.ts';
import { type GivenField, isAnchored, type PlacedField, parseFieldSpec } from '../input/field-spec.ts';
import type { Addressee } from '../input/person.ts';
import type { Choice } from '../terminal/prompts.ts';
import { notConfirmed } from '../terminal/prompts.ts';

/** `document`: its position, from 0. */
type OfDocument = SharedSuggestion & { document: number; name: string };

/** `recipient`: its position, from 0. */
export type SuggestedField = OfDocument & { recipient: number };

export type OmittedSuggestions = readonly OfDocument[];

type Documents = Pick<DocumentEngine, 'findBlanks' | 'listBraced' | 'listWords' | 'readForm'>;

/**
 * @param pdfs the documents in their order, undefined for those without text
 * @param recipients those who sign; undefined: as many as the documents ask for
 * @returns `omitted`: those for more people than there are
 */
export async function suggestForDocuments(
  pdfs: readonly (SearchedPdf | undefined)[],
  recipients: readonly Person[] | undefined,
  documents: Documents,
): Promise<{ suggested: SuggestedField[]; omitted: OfDocument[] }> {
  const suggested: SuggestedField[] = [];
  const omitted: OfDocument[] = [];
  for (const [document, pdf] of pdfs.entries()) {
    if (!pdf) continue;
    const source = { sha256: pdf.sha256, bytes: async () => pdf.pdf };
    const { suggestions } = await suggestFields(documents, source, pdf.pages, 'own', recipients);
    for (const suggestion of suggestions) {
      const field = { ...suggestion, document, name: pdf.name };
      if (field.person === undefined) omitted.push(field);
      else suggested.push({ ...field, recipient: field.person });
    }
  }
  return { suggested, omitted };
}

/** More would hide what is said about them. */
const MOST_NAMED = 5;

export const sentenceOfOmitted = (omitted: OmittedSuggestions): string =>
  `Omitted, because the text asks for more signatures than there are recipients: ${listOf(omitted)}.`;

/** Returns undefined where the text says whose each field is. */
export function sentenceOfGuesses(suggested: readonly SuggestedField[]): string | undefined {
  const guessed = suggested.filter(({ isGuessed }) => isGuessed);
  if (guessed.length === 0) return undefined;
  const which = guessed.length === suggested.length ? '' : `: ${listOf(guessed)}`;
  return `The text does not say whose these fields are; recipients are guessed by order${which}.`;
}

function listOf(fields: readonly OfDocument[]): string {
  const named = fields.slice(0, MOST_NAMED).map(({ type, words, page }) => {
    const text = words ? ` "${words.text}"` : '';
    return `${type}${text} (page ${page + 1})`;
  });
  const rest = fields.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

export function fieldOfSuggestion(suggested: SuggestedField): PlacedField {
  const { type, page, box, properties, document, name, recipient, words } = suggested;
  const points = (length: number) => ({ points: length });
  return {
    ...{ type, page, properties, recipient: String(recipient + 1), document: document + 1 },
    x: points(box.x),
    y: points(box.y),
    width: points(box.width),
    height: points(box.height),
    isSuggested: true,
    source: `${words?.text ?? type} (page ${page + 1} of ${name})`,
  };
}

// ── as options ──────────────────────────────────────────────────────────────────────────────────────────────────────

type Counts = { recipients: number; documents: number };

/** Makes the value of --field for each suggestion of a line: at its words, so that it fits the next version of the document too. */
export async function specsOf(
  suggested: readonly SuggestedField[],
  pdfs: readonly (SearchedPdf | undefined)[],
  counts: Counts,
  documents: Pick<DocumentEngine, 'findWords'>,
): Promise<string[]> {
  const specs = new Map<SuggestedField, string>();
  for (const [document, pdf] of pdfs.entries()) {
    const here = suggested.filter((suggestion) => suggestion.document === document);
    if (!pdf || here.length === 0) continue;
    const queries = here.map(({ words }) => ({ text: words?.text || ' ', isCaseSensitive: true }));
    const source = { sha256: pdf.sha256, bytes: async () => pdf.pdf };
    const answer = await documents.findWords(source, pdf.pages.length, queries, 'own');
    for (const [index, suggestion] of here.entries()) {
      const result = answer.ok ? answer.results[index] : undefined;
      const place = (result && placeAtWords(suggestion, result.matches)) ?? placeOnPage(suggestion);
      specs.set(
        suggestion,
        `${suggestion.type}@${place.where}${holderOf(suggestion, counts)}${place.properties}${restOf(suggestion, counts)}`,
      );
    }
  }
  return suggested.flatMap((suggestion) => specs.get(suggestion) ?? []);
}

/** In points: how far apart the words of a label and the same words as they are found may be. */
const SAME_PLACE = 12;

/** Parts of a SPEC: what follows the @, and the properties that belong to it. */
type SpecPlace = { where: string; properties: string };

function placeAtWords(
  { words, page, box }: SuggestedField,
  matches: readonly WordsMatch[],
): SpecPlace | undefined {
  const onPage = matches.filter((match) => match.page === page);
  const at = onPage.findIndex(
    ({ boxes: [box, another] }) => words && box && !another && isSamePlace(box, words.box),
  );
  const wordBox = onPage[at]?.boxes[0];
  if (!words || !wordBox) return undefined;
  const [x, y] = [roundPoints(box.x - wordBox.x), roundPoints(box.y - wordBox.y)];
  return {
    where: `"${words.text.replace(/[\\"]/g, '\\$&')}":${x},${y},${box.width}x${box.height}`,
    properties: [
      ',case',
      matches.length > 1 ? `,page=${page + 1}` : '',
      onPage.length > 1 ? `,match=${at + 1}` : '',
    ].join(''),
  };
}

const isSamePlace = (first: Box, other: Box): boolean =>
  Math.abs(first.x - other.x) < SAME_PLACE && Math.abs(first.y - other.y) < SAME_PLACE;

const placeOnPage = ({ page, box: { x, y, width, height } }: SuggestedField): SpecPlace => ({
  where: `${page + 1}:${x},${y},${width}x${height}`,
  properties: '',
});

const holderOf = ({ recipient }: SuggestedField, { recipients }: Counts): string =>
  recipients > 1 ? `=${recipient + 1}` : '';

function restOf({ type, properties, document }: SuggestedField, { documents }: Counts): string {
  const { label } = properties;
  // A comma or semicolon could be read as the beginning of another property.
  const text = typeof label === 'string' ? label.replace(/[,;=\s]+/g, ' ').trim() : '';
  return [
    text !== '' && type !== 'signature' ? `,label=${text}` : '',
    properties.is_required === false ? ',optional' : '',
    documents > 1 ? `,document=${document + 1}` : '',
  ].join('');
}

/** A value for the shells of Unix: in single quotation marks nothing has a meaning. */
export const quotedForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

type AcceptedSuggestions = {
  fields: GivenField[];
  /** Whether the forms of the documents are to become fields, as with --form-fields. */
  takesForms: boolean;
  /** True if the fields are edited in the browser before anything is sent, as with --edit. */
  isEdited: boolean;
};

/** `next`: what follows the answer. Only a confirmation or a draft leaves a way back. */
type OfferOptions = {
  to: readonly Addressee[];
  next: 'send' | 'draft' | 'confirm';
  /** True if the service converts the document: only fields at words are then where they should be. */
  isConverted: (suggested: SuggestedField) => boolean;
};

type Answer = 'add' | 'omit' | 'edit' | 'stop';

/** More would push the first ones off the screen. */
const MOST_SHOWN = 20;

const NOTHING: AcceptedSuggestions = { fields: [], takesForms: false, isEdited: false };

/** @throws CliError `not_confirmed` where the person stops */
export async function offerSuggestions(
  { prompts, terminal }: Uses<'prompts' | 'terminal'>,
  pdfs: readonly (SearchedPdf | undefined)[],
  documents: DocumentEngine,
  { to, next, isConverted }: OfferOptions,
): Promise<AcceptedSuggestions> {
  const { suggested: all, omitted } = await suggestForDocuments(pdfs, to, documents);
  // Tags are removed when they are used, and a form of several people needs to be told whose it is: both have an option.
  const fields = await fieldsOf(
    all.filter(({ from }) => from === 'line'),
    { pdfs, recipients: to.length, isConverted, documents },
  );
  const suggested = all.filter(
    (suggestion) => fields.has(suggestion) || (suggestion.from === 'form' && to.length === 1),
  );
  if (suggested.length === 0) return NOTHING;
  const several = pdfs.length > 1;
  const lines = suggested
    .slice(0, MOST_SHOWN)
    .map((suggestion) => `  ${describeSuggestion(suggestion, to, several)}`);
  const rest = suggested.length - lines.length;
  const guesses = sentenceOfGuesses(suggested);
  terminal.showAlways([
    'Likely fields in the text:',
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...(omitted.length > 0 ? [sentenceOfOmitted(omitted)] : []),
    ...(guesses === undefined ? [] : [guesses]),
  ]);
  const question = suggested.length === 1 ? 'Add this field?' : `Add these ${suggested.length} fields?`;
  const choices = choicesOf(next, suggested.length === 1 ? 'it' : 'them', terminal.isForPerson);
  // Enter alone neither sends anything nor takes a guess.
  const isSafe = next !== 'send' && guesses === undefined;
  const otherwise = isSafe ? 'add' : terminal.isForPerson ? 'edit' : 'stop';
  const answer = await prompts.choose<Answer>(question, '--field SPEC', choices, otherwise);
  if (answer === 'stop') throw notConfirmed();
  if (answer === 'omit') return NOTHING;
  return {
    fields: [...fields.values()],
    takesForms: suggested.some(({ from }) => from === 'form'),
    isEdited: answer === 'edit',
  };
}

type FieldContext = {
  pdfs: readonly (SearchedPdf | undefined)[];
  recipients: number;
  isConverted: OfferOptions['isConverted'];
  documents: DocumentEngine;
};

/** Makes the fields of lines. On a document that the service converts they are at words, or there are none. */
async function fieldsOf(
  suggested: readonly SuggestedField[],
  { pdfs, recipients, isConverted, documents }: FieldContext,
): Promise<Map<SuggestedField, GivenField>> {
  const counts = { recipients, documents: pdfs.length };
  const fields = new Map<SuggestedField, GivenField>();
  for (const suggestion of suggested) {
    if (!isConverted(suggestion)) fields.set(suggestion, fieldOfSuggestion(suggestion));
    else {
      const [spec] = await specsOf([suggestion], pdfs, counts, documents);
      const field = spec === undefined ? undefined : parseFieldSpec(spec);
      if (field && isAnchored(field)) fields.set(suggestion, { ...field, isSuggested: true });
    }
  }
  return fields;
}

/** @param canEdit whether the command can wait for the browser */
function choicesOf(next: OfferOptions['next'], them: string, canEdit: boolean): Choice<Answer>[] {
  const [add, omit] = {
    send: [`Add ${them} and send`, `Send without ${them}`],
    draft: [`Add ${them} and create the draft`, `Create the draft without ${them}`],
    confirm: [`Add ${them}`, `Continue without ${them}`],
  }[next] as [string, string];
  return [
    { value: 'add', name: add },
    { value: 'omit', name: omit, description: OMITTED },
    ...(canEdit
      ? [{ value: 'edit' as const, name: `Add ${them} and edit in the browser`, description: EDITED[next] }]
      : []),
    { value: 'stop', name: 'Stop', description: 'Nothing is sent.' },
  ];
}

const OMITTED = 'Each signer gets one signature field, below the text of the last page.';

const SENT_WHEN_DONE = 'The document is sent when you press Done in the editor.';
const EDITED: Record<OfferOptions['next'], string> = {
  send: SENT_WHEN_DONE,
  confirm: SENT_WHEN_DONE,
  draft: 'Nothing is sent.',
};

/** Describes a field: `date (required) for Ada, page 2: "Date"`. A signature always is. */
function describeSuggestion(
  { type, page, recipient, name, properties, words, isGuessed }: SuggestedField,
  to: readonly Addressee[],
  several: boolean,
): string {
  const { name: person, email } = to[recipient] ?? { name: '', email: '' };
  const text = words?.text ?? (typeof properties.label === 'string' ? properties.label : '');
  const where = several ? `page ${page + 1} of ${name}` : `page ${page + 1}`;
  const guess = isGuessed ? ' (guessed by order)' : '';
  const need = type === 'signature' ? '' : properties.is_required === false ? ' (optional)' : ' (required)';
  return `${type}${need} for ${person || email}${guess}, ${where}${text === '' ? '' : `: "${text}"`}`;
}
