// Sends requests to the service: saves fields, and loads where the text of a page is and what a document asks for.

import type { Line } from './boxes.ts';
import type { EditedDraft, EditedField, Saved } from './draft.ts';

/** A `path` looks like `fields.0.label`. */
export type FieldFault = { path: string; message: string };

export type SaveAnswer =
  | ({ kind: 'saved' | 'changed' } & Saved)
  | { kind: 'refused'; detail: string; errors: FieldFault[] }
  /** Nothing can be saved any more on this page: signed out, or no longer a draft. */
  | { kind: 'over'; why: 'signed_out' | 'not_editable' }
  | { kind: 'failed' };

/** Browsers send no more with a request that outlives its page. */
const KEEPALIVE_BYTES = 60_000;

export async function postFields(
  { path, token }: EditedDraft,
  { revision, fields }: { revision: string; fields: readonly EditedField[] },
): Promise<SaveAnswer> {
  const body = new URLSearchParams({
    [token.name]: token.value,
    revision,
    fields: JSON.stringify(fields),
  }).toString();
  const response = await fetch(path, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body,
    redirect: 'manual',
    credentials: 'same-origin',
    keepalive: body.length < KEEPALIVE_BYTES,
  }).catch(() => undefined);
  if (!response) return { kind: 'failed' };
  if (response.type === 'opaqueredirect' || response.status === 403)
    return { kind: 'over', why: 'signed_out' };
  const answer = await jsonOf<SaveAnswer>(response);
  if (answer && response.ok) return answer;
  return [404, 409].includes(response.status) ? { kind: 'over', why: 'not_editable' } : { kind: 'failed' };
}

/** Reads the answer; it is undefined where the answer is a page. */
async function jsonOf<T>(response: Response): Promise<T | undefined> {
  const isJson = response.headers.get('content-type') === 'application/json';
  return isJson ? ((await response.json().catch(() => undefined)) as T | undefined) : undefined;
}

/** Loads the places of the text of a page; there are none for a page whose text cannot be read. */
export const loadLines = async (draft: EditedDraft, pageId: string): Promise<Line[]> =>
  (await get<{ lines: Line[] }>(draft, `lines/${pageId}`))?.lines ?? [];

/** The service sends suggestions in this form. Lengths are points of the displayed page. */
export type SuggestedBox = {
  from: 'line' | 'form' | 'tag';
  type: string;
  /** Pages count from 0. */
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  properties: Partial<EditedField>;
  /** Positions follow the order in which the document asks for people. */
  signer: number;
  /** The document does not say whose it is. */
  is_guessed: boolean;
};

/** Fetches the fields that a document seems to ask for. */
export const fetchSuggestions = async (draft: EditedDraft, documentId: string): Promise<SuggestedBox[]> =>
  (await get<{ suggestions: SuggestedBox[] }>(draft, `suggestions/${documentId}`))?.suggestions ?? [];

/** `excerpt` is a part of the text, with the words in «». */
export type FoundPlace = Line & { page: number; excerpt: string };

/** Fetches the places of words in a document. */
export const fetchWords = async (
  draft: EditedDraft,
  documentId: string,
  text: string,
): Promise<FoundPlace[]> =>
  (await get<{ words: FoundPlace[] }>(draft, `words/${documentId}?${new URLSearchParams({ text })}`))
    ?.words ?? [];

async function get<T>({ path }: EditedDraft, rest: string): Promise<T | undefined> {
  const response = await fetch(`${path}/${rest}`, { credentials: 'same-origin' }).catch(() => undefined);
  return response?.ok ? jsonOf<T>(response) : undefined;
}
