// Signs a user in by a link that `esign sandbox open` and `mailbox open` create with the control secret: once, shortly after, and
// only from this machine. The link is used up by the request that follows it, so one that is merely fetched in advance is refused.
import type { Reply } from '../../api/transport.ts';
import { isFromThisMachine } from '../http/owner.ts';
import { html } from '../rendering/html.ts';
import { consumeSignInLink, deleteSession, insertSession } from '../store/sessions.ts';
import { errorPage } from './layout.ts';
import type { PageRequest } from './page-request.ts';
import { sendTo } from './page-response.ts';

export async function signInByLink(request: PageRequest): Promise<Reply> {
  const { call, now, store } = request;
  if (call.method === 'HEAD' || isInAdvance(call.headers)) return notNow(request);
  if (!isFromThisMachine(call)) return notFromHere(request);
  const token = request.url.searchParams.get('token') ?? '';
  const cookie = request.newCookie();
  const path = await store.database.write(async (db) => {
    const link = await consumeSignInLink(db, token, now);
    if (!link) return undefined;
    await deleteSession(db, request.cookieHash);
    await insertSession(db, cookie.hash, link.user_id, now);
    return link.path;
  });
  return path === undefined ? usedUp(request) : sendTo(path, cookie.header);
}

/** A browser may fetch a page before a person wants to see it. */
const isInAdvance = (headers: Record<string, string>): boolean =>
  /prefetch|prerender|preview/i.test(`${headers['sec-purpose']} ${headers.purpose} ${headers['x-moz']}`);

const SIGN_IN = html`<a href="/sign-in">Sign in with a password</a>`;

const usedUp = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 410,
    title: 'This link no longer works',
    text: html`A link signs in once, within two minutes. To get another one, run <code>esign sandbox open</code>.`,
    link: SIGN_IN,
  });

const notFromHere = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 403,
    title: 'This link works on one machine only',
    text: 'Open it on the machine that the sandbox runs on.',
    link: SIGN_IN,
  });

const notNow = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 400,
    title: 'This link was not opened',
    text: 'It signs in when a person opens it, not in advance. Open it again.',
    link: SIGN_IN,
  });
