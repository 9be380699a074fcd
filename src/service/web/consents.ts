// Shows what the signed-in user has allowed, and revokes it.
import { SCOPES } from '../../api/contract/scopes.ts';
import type { Reply } from '../../api/transport.ts';
import { type Html, html } from '../rendering/html.ts';
import { scopesOf } from '../store/accounts.ts';
import { listConsents, revokeConsent } from '../store/consents.ts';
import { readPageForm } from './forms.ts';
import { formTokenField, show } from './layout.ts';
import type { PageRequest } from './page-request.ts';
import { sendTo } from './page-response.ts';
import { redirectToSignIn } from './return-to.ts';

export async function showConsents(request: PageRequest): Promise<Reply> {
  const { user } = request;
  if (!user) return redirectToSignIn(request);
  const consents = await request.store.database.read((db) => listConsents(db, user.id));
  return show(request, {
    title: 'Consents',
    body: html`<h1>Consents</h1>
<p class="lead">Applications that can act on your behalf. A revoked consent stops working immediately.</p>
${consents.map(
  ({ client_id, name, company, scopes, updated_at }) => html`<section class="sheet">
<h2><bdi>${name}</bdi></h2>
<p class="quiet">of <bdi>${company}</bdi>, since <time datetime="${updated_at}">${dayOf(updated_at)}</time></p>
${scopeList(scopesOf(scopes))}
<form method="post" action="/consents">${formTokenField(request)}<input type="hidden" name="client_id" value="${client_id}">
<button class="danger">Revoke <bdi>${name}</bdi></button></form>
</section>`,
)}
${consents.length === 0 && html`<p class="sheet quiet">No application can act on your behalf.</p>`}`,
  });
}

/** What scopes mean, in words, with their names beside. */
export const scopeList = (scopes: (keyof typeof SCOPES)[]): Html =>
  html`<ul class="scopes">${scopes.map((scope) => html`<li>${SCOPES[scope]} <span>${scope}</span></li>`)}</ul>`;

const dayOf = (instant: string): string => instant.slice(0, 10);

export async function revoke(request: PageRequest): Promise<Reply> {
  const { user } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const client_id = sent.form.get('client_id');
  // Twice is once: another tab may have been faster.
  await request.store.database.write((db) => revokeConsent(db, user.id, client_id, request.now));
  return sendTo('/consents');
}
