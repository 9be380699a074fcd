// Suggests fields for documents that are at hand as PDF, each with the option --field that makes it. It decides nothing: a person does.
import type { DocumentEngine, FoundWords } from '../../pdf/engine/engine.ts';
import type { Box } from '../../pdf/geometry.ts';
import { roundPoints } from '../../placement/sizes.ts';
import type { Person } from '../../placement/suggestions/parties.ts';
import { type SharedSuggestion, suggestFields } from '../../placement/suggestions/suggest-fields.ts';
import type { PlacedField } from '../input/field-spec.ts';
import type { SearchedPdf } from './anchors.ts';

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
    const here = suggested.filter((one) => one.document === document);
    if (!pdf || here.length === 0) continue;
    const queries = here.map(({ words }) => ({ text: words?.text || ' ', isCaseSensitive: true }));
    const source = { sha256: pdf.sha256, bytes: async () => pdf.pdf };
    const found = await documents.findWords(source, pdf.pages.length, queries, 'own');
    for (const [index, one] of here.entries()) {
      const result = found.ok ? found.results[index] : undefined;
      const place = (result && placeAtWords(one, result.matches)) ?? placeOnPage(one);
      specs.set(
        one,
        `${one.type}@${place.where}${holderOf(one, counts)}${place.properties}${restOf(one, counts)}`,
      );
    }
  }
  return suggested.flatMap((one) => specs.get(one) ?? []);
}

/** In points: how far apart the words of a label and the same words as they are found may be. */
const SAME_PLACE = 12;

/** Parts of a SPEC: what follows the @, and the properties that belong to it. */
type SpecPlace = { where: string; properties: string };

function placeAtWords(
  { words, page, box }: SuggestedField,
  matches: readonly FoundWords[],
): SpecPlace | undefined {
  const onPage = matches.filter((match) => match.page === page);
  const at = onPage.findIndex(
    ({ boxes: [found, more] }) => words && found && !more && isSamePlace(found, words.box),
  );
  const found = onPage[at]?.boxes[0];
  if (!words || !found) return undefined;
  const [x, y] = [roundPoints(box.x - found.x), roundPoints(box.y - found.y)];
  return {
    where: `"${words.text.replace(/[\\"]/g, '\\$&')}":${x},${y},${box.width}x${box.height}`,
    properties: [
      ',case',
      matches.length > 1 ? `,page=${page + 1}` : '',
      onPage.length > 1 ? `,match=${at + 1}` : '',
    ].join(''),
  };
}

const isSamePlace = (one: Box, other: Box): boolean =>
  Math.abs(one.x - other.x) < SAME_PLACE && Math.abs(one.y - other.y) < SAME_PLACE;

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
