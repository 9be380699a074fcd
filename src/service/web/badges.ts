// Shows the state of a transaction, in words and icons: for the list and for the page of one.
import type { Instant } from '../../common/instant.ts';
import { isDue } from '../domain/end.ts';
import type { Status, Transaction } from '../domain/transaction.ts';
import { type Html, html } from '../rendering/html.ts';
import type { Delivery } from '../store/deliveries.ts';

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

/** Whether a webhook is sent events. */
export const enabledBadge = (isEnabled: boolean): Html =>
  html`<span class="state ${isEnabled ? 'delivered' : 'disabled'}">${isEnabled ? 'Enabled' : 'Disabled'}</span>`;

/** `2026-03-01 09:00 UTC` */
export const utcTime = (instant: Instant): Html =>
  html`<time datetime="${instant}">${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC</time>`;
