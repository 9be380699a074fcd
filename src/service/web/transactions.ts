// The list of a company's transactions: the status of each, and the recipient it is waiting for.
import { LIMITS } from '../../api/contract/limits.ts';
import { id as idText } from '../../api/contract/values.ts';
import type { Reply } from '../../api/transport.ts';
import type { Status } from '../domain/transaction.ts';
import { type Html, html } from '../html.ts';
import { listOverviews, type Overview, type OverviewPage, type OverviewQuery } from '../store/overviews.ts';
import { show } from './layout.ts';
import type { PageRequest } from './page-request.ts';
import { signInFirst } from './return-to.ts';
import { isState, STATES, stateMark, stateOf, timeOf } from './standing.ts';

export async function showTransactions(request: PageRequest): Promise<Reply> {
  const { user, store } = request;
  if (!user) return signInFirst(request);
  const query = queryOf(request);
  const page = await store.database.read((db) => listOverviews(db, user.company_id, query));
  return show(request, {
    title: 'Transactions',
    body: html`<h1>Transactions</h1>
<p class="lead">What <bdi>${user.company}</bdi> has sent for signature, newest first.</p>
${filter(query.status)}
${page.items.length > 0 && html`<ul class="rows">${page.items.map((item) => line(request, item))}</ul>`}
${page.items.length === 0 && html`<p class="sheet quiet">${nothing(query)}</p>`}
${pager(query, page)}`,
  });
}

/** What is no state or no id is taken as not said: an address may have been shortened on its way. */
function queryOf({ url }: PageRequest): OverviewQuery {
  const state = url.searchParams.get('state') ?? '';
  const from = (['older', 'newer'] as const).flatMap((direction) => {
    const id = url.searchParams.get(direction) ?? '';
    return idText.safeParse(id).success ? [{ direction, id }] : [];
  });
  return { status: isState(state) ? state : undefined, from: from[0], limit: LIMITS.transactionsPerPage };
}

function nothing({ status, from }: OverviewQuery): string {
  if (from !== undefined) return 'There are no more transactions.';
  return status === undefined
    ? 'There are no transactions yet. Send one from the command line with esign tx send, or from an application.'
    : `No transaction has the status ${STATES[status].toLowerCase()}.`;
}

const filter = (status: Status | undefined): Html => {
  const choice = (state: Status | undefined, label: string) =>
    html`<a href="${addressOf({ state })}"${state === status && html` aria-current="true"`}>${label}</a>`;
  return html`<nav class="choices" aria-label="Status">${choice(undefined, 'All')} ${Object.entries(
    STATES,
  ).map(([state, label]) => html`${choice(state as Status, label)} `)}</nav>`;
};

type Place = { state: Status | undefined; older?: string; newer?: string };

function addressOf(place: Place): string {
  const given = Object.entries(place).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? '/transactions' : `/transactions?${new URLSearchParams(given)}`;
}

function pager({ status: state }: OverviewQuery, { items, hasNewer, hasOlder }: OverviewPage): Html | false {
  const [newest, oldest] = [items[0], items.at(-1)];
  if (!newest || !oldest) return html`<p><a href="${addressOf({ state })}">Show the newest</a></p>`;
  if (!hasNewer && !hasOlder) return false;
  return html`<nav class="actions" aria-label="Pages">
${hasNewer && html`<a class="button plain" rel="prev" href="${addressOf({ state, newer: newest.id })}">Newer</a>`}
${hasOlder && html`<a class="button plain" rel="next" href="${addressOf({ state, older: oldest.id })}">Older</a>`}
</nav>`;
}

const line = ({ now }: PageRequest, overview: Overview): Html => {
  const state = stateOf(overview, now);
  return html`<li><p class="head"><a href="/transactions/${overview.id}"><bdi>${overview.name || 'Untitled'}</bdi></a> ${stateMark(state)}</p>
<p class="quiet">${facts(overview, state)}</p></li>`;
};

/** `Waiting for Ada, opened 2026-03-01 09:05 UTC · 0 of 2 signed · until 2026-03-15 09:00 UTC` */
function facts({ created_at, ended_at, expires_at, recipients }: Overview, state: Status): Html {
  const acting = recipients.filter(({ acts }) => acts);
  const signed = acting.filter(({ submitted_at }) => submitted_at !== null).length;
  const current = state === 'started' ? recipients.find(({ is_current }) => is_current) : undefined;
  const opened = current?.opened_at;
  const standing = html`${signed} of ${acting.length} signed`;
  if (state === 'draft') return html`created ${timeOf(created_at)}`;
  const end = state === 'expired' ? expires_at : ended_at;
  if (!current) return html`${standing}${end && html` · ended ${timeOf(end)}`}`;
  return html`Waiting for <bdi>${current.name}</bdi>, ${
    opened ? html`opened ${timeOf(opened)}` : 'not opened yet'
  } · ${standing}${expires_at && html` · until ${timeOf(expires_at)}`}`;
}
