// Asks for consent (spec §5): which application asks, what it wants to do, in whose name; then redirects to its Callback URL
// with a code or a refusal. No redirect happens before the application and the callback URL are known to belong together. The
// page of consents shows what the user has allowed, and revokes it.
import { LIMITS } from '../../../api/contract/limits.ts';
import { isLoopbackCallback } from '../../../api/contract/oauth.ts';
import { SCOPES } from '../../../api/contract/operation.ts';
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
import { type Found, readPageForm, receiveForm } from './forms.ts';
import { buttonForm, errorPage, formTokenField, show } from './layout.ts';
import type { PageRequest, UserRequest } from './request.ts';
import { redirectToSignIn, sendTo } from './response.ts';

type ConsentRequest = {
  client: Tables['client'];
  company: string;
  link: AuthorizationLink;
  callback: string;
};

export async function showConsentForm(request: PageRequest): Promise<Reply> {
  const read = await readConsentRequest(request);
  if (!read.ok) return read.reply;
  const { user } = request;
  if (!user) return redirectToSignIn(request);
  const { client, company, link, callback } = read.output;
  if (link.error) return sendTo(answerAddress(request, read.output, link.error));
  const here = request.url.pathname + request.url.search;
  const body = html`<h1><bdi>${client.name}</bdi> asks for your consent</h1>
<p class="lead">An application of <bdi>${company}</bdi>. If you allow it, it can do the following on your behalf:</p>
<section class="sheet">
${scopeList(link.scopes)}
<dl>
<dt>Signed in as</dt><dd><bdi>${user.name}</bdi>, <bdi>${user.email}</bdi>, of <bdi>${user.company}</bdi></dd>
<dt>You return to</dt><dd><code>${new URL(callback).origin}</code></dd>
</dl>
${client.is_public === 1 && html`<p class="notice">Allow this only if you have just started a login yourself, in a program on this computer.</p>`}
<form method="post" action="${here}">
${formTokenField(request)}
<p class="actions"><button name="answer" value="allow">Allow</button>
<button class="plain" name="answer" value="deny">Deny</button></p>
</form>
</section>
${buttonForm(
  request,
  `/sign-out?${new URLSearchParams({ next: here }).toString()}`,
  html`\n<p class="quiet">Not you? <button class="link">Use another account</button></p>`,
)}
<p class="quiet">You can revoke your consent at any time, under Consents.</p>`;
  return show(
    request,
    { title: `Consent for ${client.name}`, isNarrow: true, body },
    { formTarget: callback },
  );
}

/**
 * A wrong link is explained here and not by a redirect with `error=…`: otherwise any registered application could use this address to send
 * visitors to its own, without their consent. An application that speaks OAuth 2.1 is told what is wrong once it is certain which application it
 * is, and the user has signed in (RFC 9700 §4.11.2).
 */
async function readConsentRequest(request: PageRequest): Promise<Found<ConsentRequest>> {
  const refused = (text: HtmlValue) => ({
    ok: false as const,
    reply: errorPage(request, { status: 400, title: 'This link cannot be used', text }),
  });
  const read = readLink(request.url.search, request.context.origin);
  if (!read.ok) return refused(read.why);
  const { link } = read;
  const application = await request.store.database.read((db) => findApplication(db, link.client_id));
  if (!application)
    return refused(html`No application has the client ID “<bdi>${shortened(link.client_id)}</bdi>”.`);
  const { client } = application;
  const callback = callbackOf(client.callback_url, link.redirect_uri);
  if (callback === undefined)
    return refused(
      html`The link leads to “<bdi>${shortened(link.redirect_uri ?? '')}</bdi>”, but <bdi>${client.name}</bdi> has registered another callback URL.`,
    );
  if (client.is_public === 1 && link.code_challenge === undefined && !link.error)
    return refused(
      html`<bdi>${client.name}</bdi> is a public application, so the link needs a code_challenge. Update the program that made the link.`,
    );
  if (client.is_public === 1 && !isLoopbackCallback(callback))
    return refused(
      html`<bdi>${client.name}</bdi> is a public application, but its callback URL is not on this computer.`,
    );
  return { ok: true, output: { ...application, link, callback } };
}

async function findApplication(
  db: Db,
  id: string,
): Promise<Pick<ConsentRequest, 'client' | 'company'> | undefined> {
  const client = await findClient(db, id);
  const company = client && (await findCompanyById(db, client.company_id));
  return client && company && { client, company: company.name };
}

export async function answerConsent(request: PageRequest): Promise<Reply> {
  const read = await readConsentRequest(request);
  if (!read.ok) return read.reply;
  if (!request.user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const { error } = read.output.link;
  const answer =
    error ??
    (sent.output.get('answer') === 'allow'
      ? await grantConsent(request, read.output)
      : { error: 'access_denied' as const });
  return answer ? sendTo(answerAddress(request, read.output, answer)) : redirectToSignIn(request);
}

const answerAddress = (
  { context }: PageRequest,
  { callback, link }: ConsentRequest,
  answer: ConsentAnswer,
): string => addressWith(callback, answer, link.state, link.isStrict ? context.origin : undefined);

/** Checks everything again inside the commit: the user may have signed out, or the application may be deleted meanwhile. */
async function grantConsent(
  request: PageRequest,
  { client, link }: ConsentRequest,
): Promise<ConsentAnswer | undefined> {
  const code = request.newSecret();
  const until = addMs(request.now, LIMITS.authorizationCodeLifetimeMs);
  const isGranted = await request.store.database.write(async (db) => {
    const user = await findSession(db, request.cookieHash, request.now);
    const stored = await findClient(db, client.id);
    if (!user || stored?.callback_url !== client.callback_url) return false;
    const consent = { client_id: client.id, user_id: user.id, scopes: link.scopes.join(' ') };
    const code_challenge = link.code_challenge ?? null;
    await insertCode(db, code, { ...consent, code_challenge }, request.now, until);
    await storeConsent(db, consent, request.now);
    return true;
  });
  return isGranted ? { code } : undefined;
}

// ── what was allowed ────────────────────────────────────────────────────────────────────────────────────────────────

export async function showConsents(request: UserRequest): Promise<Reply> {
  const consents = await request.store.database.read((db) => listConsents(db, request.user.id));
  return show(request, {
    title: 'Consents',
    body: html`<h1>Consents</h1>
<p class="lead">Applications that can act on your behalf. A revoked consent stops working immediately.</p>
${consents.map(
  ({ client_id, name, company, scopes, updated_at }) => html`<section class="sheet">
<h2><bdi>${name}</bdi></h2>
<p class="quiet">of <bdi>${company}</bdi>, since <time datetime="${updated_at}">${updated_at.slice(0, 10)}</time></p>
${scopeList(scopesOf(scopes))}
${buttonForm(
  request,
  '/consents',
  html`<input type="hidden" name="client_id" value="${client_id}">
<button class="danger">Revoke <bdi>${name}</bdi></button>`,
)}
</section>`,
)}
${consents.length === 0 && html`<p class="sheet quiet">No application can act on your behalf.</p>`}`,
  });
}

/** Says in words what scopes mean, with their names beside. */
const scopeList = (scopes: (keyof typeof SCOPES)[]): Html =>
  html`<ul class="scopes">${scopes.map((scope) => html`<li>${SCOPES[scope]} <span>${scope}</span></li>`)}</ul>`;

/** Another tab may have revoked the consent already, which is no error. */
export const revoke = receiveForm(async ({ store, user, now }: UserRequest, sent) => {
  await store.database.write((db) => revokeConsent(db, user.id, sent.get('client_id'), now));
  return sendTo('/consents');
});
