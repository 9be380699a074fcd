// Renders what lists have in common: the search above them, links to their other pages, and badges for the state of an entry.
import { LIMITS } from '../../../api/contract/limits.ts';
import { type Pagination, withoutControls } from '../../../api/contract/values.ts';
import type { Instant } from '../../../common/instant.ts';
import { isDue } from '../../domain/end.ts';
import type { Status, Transaction } from '../../domain/transaction.ts';
import { type Html, html } from '../../rendering/html.ts';
import type { Delivery } from '../../store/delivery/deliveries.ts';
import type { PageRequest } from './request.ts';

export const STATE_NAMES: Readonly<Record<Status, string>> = {
  draft: 'Draft',
  started: 'Started',
  completed: 'Completed',
  rejected: 'Rejected',
  expired: 'Expired',
  cancelled: 'Cancelled',
};

export const isState = (text: string): text is Status => Object.hasOwn(STATE_NAMES, text);

/** Finds the state to show. One whose time has come is expired, even if it is not marked yet (assumed: A16). */
export const stateOf = (transaction: Pick<Transaction, 'status' | 'expires_at'>, now: Instant): Status =>
  isDue(transaction, now) ? 'expired' : transaction.status;

export const stateBadge = (state: Status): Html =>
  html`<span class="state ${state}">${STATE_NAMES[state]}</span>`;

export const DELIVERY_STATE_NAMES: Readonly<Record<Delivery['state'], string>> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  undelivered: 'Undelivered',
};

export const enabledBadge = (isEnabled: boolean): Html =>
  html`<span class="state ${isEnabled ? 'delivered' : 'disabled'}">${isEnabled ? 'Enabled' : 'Disabled'}</span>`;

/** Writes a time as `2026-03-01 09:00 UTC`. */
export const utcTime = (instant: Instant): Html =>
  html`<time datetime="${instant}">${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC</time>`;

/** @returns the text to search for, without characters that cannot be in a name */
export const searchText = ({ url }: PageRequest): string =>
  [...withoutControls(url.searchParams.get('q') ?? '').trim()].slice(0, LIMITS.searchLength).join('');

type SearchForm = {
  action: string;
  label: string;
  text: string;
  /** Searching keeps these further parameters of the list. */
  hidden?: Record<string, string | undefined>;
};

export const searchForm = ({ action, label, text, hidden = {} }: SearchForm): Html =>
  html`<form class="search" role="search" method="get" action="${action}">
<label class="unseen" for="q">${label}</label>
<input id="q" name="q" type="search" placeholder="${label}" value="${text}" maxlength="${String(LIMITS.searchLength)}" autocomplete="off" spellcheck="false">
${Object.entries(hidden).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="plain">Search</button>
${text !== '' && html`<a href="${action}">Clear</a>`}
</form>`;

/** An invalid page number means the first page: an address may have been shortened on its way. */
export function pageNumberOf({ url }: PageRequest): number {
  const text = url.searchParams.get('page') ?? '';
  const number = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
  return Math.min(number, LIMITS.pageNumberMax);
}

export function numberedPager(
  path: string,
  { current_page, is_first_page, is_last_page }: Pagination,
  query: Record<string, string> = {},
): Html | false {
  if (is_first_page && is_last_page) return false;
  const filters = Object.entries(query).filter(([, value]) => value !== '');
  const at = (page: number) => `${path}?${new URLSearchParams([...filters, ['page', String(page)]])}`;
  return html`<nav class="actions" aria-label="Pages">
${!is_first_page && html`<a class="button plain" rel="prev" href="${at(current_page - 1)}">Previous</a>`}
${!is_last_page && html`<a class="button plain" rel="next" href="${at(current_page + 1)}">Next</a>`}
</nav>`;
}
