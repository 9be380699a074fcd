// Asks for consent (spec §5): which application asks, what it wants to do, in whose name; then redirects to its Callback URL
// with a code or a refusal. No redirect happens before the application and the callback URL are known to belong together. The
// page of consents shows what the user has allowed, and revokes it.
import { LIMITS } from '../../../api/contract/limits.ts';
import { isLoopbackCallback } from '../../../api/contract/oauth.ts';
import { SCOPES } from '../../../api/contract/scopes.ts';
import { shortened } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { addMs } from '../../../common/instant.ts';
import { type Html, type HtmlValue, html } from '../../rendering/html.ts';
import { findClient, findCompanyById, insertCode, scopesOf } from '../../store/accounts/accounts.ts';
import { listConsents, revokeConsent, storeConsent } from '../../store/accounts/consents.ts';
import { findSession } from '../../store/accounts/sessions.ts';
import type { Db, Tables } from '../../store/schema.ts';
import {
  type AuthorizationLink,
  addressWith,
  type ConsentAnswer,
  callbackOf,
  readLink,
} from './authorization-link.ts';
import { readPageForm } from './forms.ts';
import { errorPage, formTokenField, show } from './layout.ts';
import type { PageRequest } from './request.ts';
import { redirectToSignIn, sendTo } from './response.ts';

type Request = { client: Tables['client']; company: string; link: AuthorizationLink; callback: string };

type Checked = { ok: true; request: Request } | { ok: false; reply: Reply };

/**
 * A wrong link is explained here and never by a redirect with `error=…`: otherwise any registered application could use this
 * address to send visitors to its own, without their consent (RFC 9700 §4.11.2).
 */
async function checkRequest(request: PageRequest): Promise<Checked> {
  const refused = (text: HtmlValue): Checked => ({
    ok: false,
    reply: errorPage(request, { status: 400, title: 'This link cannot be used', text }),
  });
  const read = readLink(request.url.search);
  if (!read.ok) return refused(read.why);
  const { link } = read;
  const found = await request.store.database.read((db) => applicationOf(db, link.client_id));
  if (!found)
    return refused(html`No application has the client ID “<bdi>${shortened(link.client_id)}</bdi>”.`);
  const callback = callbackOf(found.client.callback_url, link.redirect_uri);
  if (callback === undefined)
    return refused(
      html`The link leads to “<bdi>${shortened(link.redirect_uri ?? '')}</bdi>”, but <bdi>${found.client.name}</bdi> has registered another callback URL.`,
    );
  if (found.client.is_public === 1) {
    if (link.code_challenge === undefined)
      return refused(
        html`<bdi>${found.client.name}</bdi> is a public application, so the link needs a code_challenge. Update the program that made the link.`,
      );
    if (!isLoopbackCallback(callback))
      return refused(
        html`<bdi>${found.client.name}</bdi> is a public application, but its callback URL is not on this computer.`,
      );
  }
  return { ok: true, request: { ...found, link, callback } };
}

async function applicationOf(
  db: Db,
  id: string,
): Promise<{ client: Tables['client']; company: string } | undefined> {
  const client = await findClient(db, id);
  const company = client && (await findCompanyById(db, client.company_id));
  return client && company && { client, company: company.name };
}

export async function showConsentForm(request: PageRequest): Promise<Reply> {
  const checked = await checkRequest(request);
  if (!checked.ok) return checked.reply;
  const { user } = request;
  if (!user) return redirectToSignIn(request);
  const { client, company, link, callback } = checked.request;
  const here = request.url.pathname + request.url.search;
  const body = html`<h1><bdi>${client.name}</bdi> asks for your consent</h1>
<p class="lead">An application of <bdi>${company}</bdi>. If you allow it, it can do the following on your behalf:</p>
<section class="sheet">
${scopeList(link.scopes)}
<dl>
<dt>Signed in as</dt><dd><bdi>${user.name}</bdi>, <bdi>${user.email}</bdi>, of <bdi>${user.company}</bdi></dd>
<dt>You return to</dt><dd><code>${placeOf(callback)}</code></dd>
</dl>
${client.is_public === 1 && html`<p class="notice">Allow this only if you have just started a login yourself, in a program on this computer.</p>`}
<form method="post" action="${here}">
${formTokenField(request)}
<p class="actions"><button name="answer" value="allow">Allow</button>
<button class="plain" name="answer" value="deny">Deny</button></p>
</form>
</section>
<form method="post" action="/sign-out?${new URLSearchParams({ next: here }).toString()}">${formTokenField(request)}
<p class="quiet">Not you? <button class="link">Use another account</button></p></form>
<p class="quiet">You can revoke your consent at any time, under Consents.</p>`;
  return show(
    request,
    { title: `Consent for ${client.name}`, isNarrow: true, body },
    { formTarget: callback },
  );
}

/** Shortens an address to the part that shows whose it is. */
const placeOf = (callback: string): string => new URL(callback).origin;

export async function answerConsent(request: PageRequest): Promise<Reply> {
  const checked = await checkRequest(request);
  if (!checked.ok) return checked.reply;
  if (!request.user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const { callback, link } = checked.request;
  const answer = sent.form.get('answer');
  if (answer !== 'allow') return sendTo(addressWith(callback, { error: 'access_denied' }, link.state));
  const granted = await grant(request, checked.request);
  return granted ? sendTo(addressWith(callback, granted, link.state)) : redirectToSignIn(request);
}

/** Checks everything again inside the commit: the user may have signed out, or the application may be deleted meanwhile. */
async function grant(request: PageRequest, { client, link }: Request): Promise<ConsentAnswer | undefined> {
  const code = request.newSecret();
  const until = addMs(request.now, LIMITS.authorizationCodeLifetimeMs);
  const isGranted = await request.store.database.write(async (db) => {
    const user = await findSession(db, request.cookieHash, request.now);
    const known = await findClient(db, client.id);
    if (!user || known?.callback_url !== client.callback_url) return false;
    const granted = { client_id: client.id, user_id: user.id, scopes: link.scopes.join(' ') };
    const code_challenge = link.code_challenge ?? null;
    await insertCode(db, code, { ...granted, code_challenge }, request.now, until);
    await storeConsent(db, granted, request.now);
    return true;
  });
  return isGranted ? { code } : undefined;
}

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
const scopeList = (scopes: (keyof typeof SCOPES)[]): Html =>
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
