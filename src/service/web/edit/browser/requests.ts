// Sends requests to the service: saves fields, and loads where the text of a page is and what a document asks for.
import type { EditedDraft, EditedField, Saved } from './draft.ts';
import type { Line } from './snap.ts';
import type { SuggestedBox } from './suggested.ts';

/** `path` is such as `fields.0.label`. */
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
  const told = await jsonOf(response);
  if (told && response.ok) return told;
  return [404, 409].includes(response.status) ? { kind: 'over', why: 'not_editable' } : { kind: 'failed' };
}

/** Undefined where the answer is a page. */
async function jsonOf(response: Response) {
  const isJson = response.headers.get('content-type') === 'application/json';
  return isJson ? response.json().catch(() => undefined) : undefined;
}

/** Where the text of a page is; nothing where that cannot be told. */
export const loadLines = async (draft: EditedDraft, pageId: string): Promise<Line[]> =>
  (await get<{ lines: Line[] }>(draft, `lines/${pageId}`))?.lines ?? [];

/** What a document seems to ask for; nothing where that cannot be told. */
export const fetchSuggestions = async (draft: EditedDraft, documentId: string): Promise<SuggestedBox[]> =>
  (await get<{ suggestions: SuggestedBox[] }>(draft, `suggestions/${documentId}`))?.suggestions ?? [];

/** `excerpt`: a part of the text, with the words in «». */
export type FoundPlace = Line & { page: number; excerpt: string };

/** Where words are in a document; nothing where that cannot be told. */
export const fetchWords = async (
  draft: EditedDraft,
  documentId: string,
  text: string,
): Promise<FoundPlace[]> =>
  (await get<{ words: FoundPlace[] }>(draft, `words/${documentId}?${new URLSearchParams({ text })}`))
    ?.words ?? [];

async function get<T>({ path }: EditedDraft, rest: string): Promise<T | undefined> {
  const response = await fetch(`${path}/${rest}`, { credentials: 'same-origin' }).catch(() => undefined);
  return response?.ok ? jsonOf(response) : undefined;
}
