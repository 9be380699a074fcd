// Lists a company's transactions: searched by name, recipient or ID, filtered by status; with the recipients of each.
import { LIMITS } from '../../../api/contract/limits.ts';
import { id as idText } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import type { Status } from '../../domain/transaction.ts';
import { type Html, type HtmlValue, html } from '../../rendering/html.ts';
import {
  type FoundPage,
  listOverviews,
  type Overview,
  type OverviewPage,
  type OverviewQuery,
  type OverviewRecipient,
  searchOverviews,
} from '../../store/transactions/overviews.ts';
import { show } from './layout.ts';
import { isState, STATE_NAMES, searchForm, searchText, stateBadge, stateOf, utcTime } from './lists.ts';
import type { PageRequest, UserRequest } from './request.ts';

export async function showTransactions(request: UserRequest): Promise<Reply> {
  const { user, store } = request;
  const query = queryOf(request);
  const text = searchText(request);
  const page =
    text === ''
      ? await store.database.read((db) => listOverviews(db, user.company_id, query))
      : await searchOverviews(store.database, user.company_id, text, query);
  return show(request, {
    title: 'Transactions',
    body: html`<h1>Transactions</h1>
<p class="lead">What <bdi>${user.company}</bdi> has sent for signature, newest first.</p>
${searchForm({ action: '/transactions', label: 'Search by name, recipient or ID', text, hidden: { state: query.status } })}
${filter(query.status, text)}
${page.items.length > 0 && html`<ul class="rows table">${page.items.map((item) => line(request, item))}</ul>`}
${page.items.length === 0 && html`<p class="sheet quiet">${nothing(query, text, page)}</p>`}
${pager(query, text, page)}`,
  });
}

/** An invalid state or id is ignored: an address may have been shortened on its way. */
function queryOf({ url }: PageRequest): OverviewQuery {
  const state = url.searchParams.get('state') ?? '';
  const from = (['older', 'newer'] as const).flatMap((direction) => {
    const id = url.searchParams.get(direction) ?? '';
    return idText.safeParse(id).success ? [{ direction, id }] : [];
  });
  return { status: isState(state) ? state : undefined, from: from[0], limit: LIMITS.transactionsPerPage };
}

function nothing({ status, from }: OverviewQuery, text: string, page: OverviewPage | FoundPage): HtmlValue {
  if ('stoppedAt' in page && page.stoppedAt !== undefined)
    return html`None of the ${String(LIMITS.transactionsSearched)} transactions searched so far contains “<bdi>${text}</bdi>”.`;
  if (text !== '')
    return html`No ${from !== undefined && 'other '}${status && STATE_NAMES[status].toLowerCase()} transaction contains “<bdi>${text}</bdi>”.`;
  if (from !== undefined) return 'There are no more transactions.';
  return status === undefined
    ? 'There are no transactions yet. Send one from the command line with esign tx send, or from an application.'
    : `No transaction has the status ${STATE_NAMES[status].toLowerCase()}.`;
}

const filter = (status: Status | undefined, q: string): Html => {
  const choice = (state: Status | undefined, label: string) =>
    html`<a href="${addressOf({ state, q })}"${state === status && html` aria-current="true"`}>${label}</a>`;
  return html`<nav class="choices" aria-label="Status">${choice(undefined, 'All')} ${Object.entries(
    STATE_NAMES,
  ).map(([state, label]) => html`${choice(state as Status, label)} `)}</nav>`;
};

type ListQuery = { state: Status | undefined; q: string; older?: string; newer?: string };

function addressOf(place: ListQuery): string {
  const pairs = Object.entries(place).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return pairs.length === 0 ? '/transactions' : `/transactions?${new URLSearchParams(pairs)}`;
}

function pager(
  { status: state, from }: OverviewQuery,
  q: string,
  page: OverviewPage | FoundPage,
): Html | false {
  const { items, hasNewer, hasOlder } = page;
  const stoppedAt = 'stoppedAt' in page ? page.stoppedAt : undefined;
  const [newest, oldest] = [items[0]?.id, items.at(-1)?.id];
  if (stoppedAt !== undefined) {
    const further = from?.direction === 'newer' ? { newer: stoppedAt } : { older: stoppedAt };
    return html`<p class="actions"><a class="button plain" rel="${from?.direction === 'newer' ? 'prev' : 'next'}" href="${addressOf({ state, q, ...further })}">Continue the search</a></p>`;
  }
  if (newest === undefined || oldest === undefined)
    return from !== undefined && html`<p><a href="${addressOf({ state, q })}">Show the newest</a></p>`;
  if (!hasNewer && !hasOlder) return false;
  return html`<nav class="actions" aria-label="Pages">
${hasNewer && html`<a class="button plain" rel="prev" href="${addressOf({ state, q, newer: newest })}">Newer</a>`}
${hasOlder && html`<a class="button plain" rel="next" href="${addressOf({ state, q, older: oldest })}">Older</a>`}
</nav>`;
}

const line = ({ now }: PageRequest, overview: Overview): Html => {
  const state = stateOf(overview, now);
  return html`<li><p class="head"><a href="/transactions/${overview.id}"><bdi>${overview.name || 'Untitled'}</bdi></a> ${stateBadge(state)}</p>
<p class="who">${peopleOf(overview.recipients)}</p>
<p class="quiet">${progressOf(overview, state)}</p>
<p class="quiet when"><span class="what">Created </span>${utcTime(overview.created_at)}</p></li>`;
};

const NAMED = 3;

/** Names the recipients who have to act or, before there is anything to do, all of them. */
function peopleOf(recipients: readonly OverviewRecipient[]): HtmlValue {
  const acting = recipients.filter(({ acts }) => acts);
  const people = acting.length > 0 ? acting : recipients;
  if (people.length === 0) return 'No recipients yet';
  const more = people.length - NAMED;
  return html`${people.slice(0, NAMED).map(({ name, email }, index) => html`${index > 0 && ', '}<bdi>${name || email}</bdi>`)}${more > 0 && ` and ${more} more`}`;
}

/**
 * Writes a line such as `Waiting for Ada, link opened 2026-03-01 09:05 UTC · 0 of 2 signed · until 2026-03-15 09:00 UTC`
 */
function progressOf({ ended_at, expires_at, recipients }: Overview, state: Status): Html {
  const acting = recipients.filter(({ acts }) => acts);
  const signed = acting.filter(({ submitted_at }) => submitted_at !== null).length;
  const current = state === 'started' ? recipients.find(({ is_current }) => is_current) : undefined;
  const opened = current?.opened_at;
  const standing = html`${signed} of ${acting.length} signed`;
  if (state === 'draft') return html`Not sent yet`;
  const end = state === 'expired' ? expires_at : ended_at;
  if (!current) return html`${standing}${end && html` · ended ${utcTime(end)}`}`;
  return html`Waiting for <bdi>${current.name}</bdi>, ${
    opened ? html`link opened ${utcTime(opened)}` : 'link not opened yet'
  } · ${standing}${expires_at && html` · until ${utcTime(expires_at)}`}`;
}
