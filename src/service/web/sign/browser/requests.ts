// Sends requests to the service that the page came from: forms out, answers and parts of pages in. It never follows a redirect:
// one means that the turn is over, or that a form was accepted. It is the only file that fetches.

import type { ReportResult } from './report-queue.ts';

/** `small` has the values that can hardly be read in the document, and `boxes` is markup. */
export type FormState = {
  left: number;
  leftText: string;
  wrong: Record<string, string>;
  small: Record<string, string>;
  boxes: string;
};

/**
 * `over` means that it is not this recipient's turn any more, or not in this browser. `failed` means that the outcome is
 * unknown, and it may be tried again.
 */
export type SaveResult = { kind: 'saved'; state: FormState } | { kind: 'over' } | { kind: 'failed' };

export type PartResult = { kind: 'part'; part: Document } | { kind: 'over' } | { kind: 'failed' };

/** `sent` means a redirect, whatever it leads to. */
export type PostResult = { kind: 'sent' } | { kind: 'refused'; part: Document } | { kind: 'failed' };

/** Browsers let a page send so many bytes while it is being left. */
const KEEPALIVE_BYTES = 60_000;

/** @param isLeaving the request outlives the page; its answer is not read */
export async function postValues(
  form: HTMLFormElement,
  values: Iterable<readonly [string, string]>,
  { signal, isLeaving = false }: { signal?: AbortSignal; isLeaving?: boolean } = {},
): Promise<SaveResult> {
  const body = new URLSearchParams([...values].map(([name, value]) => [name, value]));
  body.set('form_token', formToken(form));
  const text = body.toString();
  const response = await send(form.action, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: text,
    keepalive: isLeaving && text.length < KEEPALIVE_BYTES,
    ...(signal && { signal }),
  });
  if (!response) return { kind: 'failed' };
  if (isOver(response)) return { kind: 'over' };
  const state = response.ok ? await response.json().catch(() => undefined) : undefined;
  return state ? { kind: 'saved', state } : { kind: 'failed' };
}

/**
 * Reports pages that are or were in view.
 * @param isLeaving the request outlives the page
 */
export async function postReport(
  form: HTMLFormElement,
  numbers: readonly number[],
  { isLeaving = false } = {},
): Promise<ReportResult> {
  const response = await send(form.dataset.inView ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ form_token: formToken(form), pages: numbers.join(' ') }).toString(),
    keepalive: isLeaving,
  });
  if (!response || response.status >= 500) return 'failed';
  if (isOver(response)) return 'over';
  return response.ok ? 'recorded' : 'refused';
}

type Markup = 'text/html' | 'image/svg+xml';

export async function getPart(address: string, type: Markup = 'text/html'): Promise<PartResult> {
  const response = await send(address, { headers: { accept: type } });
  if (!response) return { kind: 'failed' };
  if (isOver(response)) return { kind: 'over' };
  const isOfType = response.headers.get('content-type')?.startsWith(type);
  const part = response.ok && isOfType ? await parse(response, type) : undefined;
  return part ? { kind: 'part', part } : { kind: 'failed' };
}

export async function postForm(address: string, body: FormData): Promise<PostResult> {
  const response = await send(address, { method: 'POST', headers: { accept: 'text/html' }, body });
  if (response && isOver(response)) return { kind: 'sent' };
  const part = response?.status === 422 ? await parse(response, 'text/html') : undefined;
  return part ? { kind: 'refused', part } : { kind: 'failed' };
}

const send = (address: string, init: RequestInit): Promise<Response | undefined> =>
  fetch(address, { ...init, redirect: 'manual', credentials: 'same-origin' }).catch(() => undefined);

const isOver = ({ type, status }: Response): boolean => type === 'opaqueredirect' || status === 403;

const parse = async (response: Response, type: Markup): Promise<Document | undefined> => {
  const text = await response.text().catch(() => undefined);
  return text === undefined ? undefined : new DOMParser().parseFromString(text, type);
};

const formToken = (form: HTMLFormElement): string =>
  form.querySelector<HTMLInputElement>('input[name="form_token"]')?.value ?? '';
