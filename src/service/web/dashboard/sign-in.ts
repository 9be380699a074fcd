// Signs a user in by email and password, or by a link, and out. Neither the answer to a password nor the time it takes shows
// whether an email address is known.
import { LIMITS } from '../../../api/contract/limits.ts';
import type { Reply } from '../../../api/transport.ts';
import { epochMsOf, type Instant } from '../../../common/instant.ts';
import { clientOf, isFromThisMachine } from '../../http/client-address.ts';
import { html } from '../../rendering/html.ts';
import { findUser } from '../../store/accounts/accounts.ts';
import {
  accountSubject,
  addressSubject,
  browserSubject,
  consumeSignInLink,
  deleteSession,
  findPassword,
  forgetAttempts,
  insertSession,
  type Subject,
  takeAttempt,
} from '../../store/accounts/sessions.ts';
import { OWN_USER } from '../../store/store.ts';
import { readPageForm } from './forms.ts';
import { errorPage, formTokenField, labelledInput, show, type WrongField } from './layout.ts';
import type { PageRequest } from './request.ts';
import { returnPathOf, sendTo, withReturnTo } from './response.ts';

export const showSignIn = (request: PageRequest): Reply =>
  request.user ? sendTo(returnPathOf(request) ?? '/') : signInPage(request, '', []);

function signInPage(request: PageRequest, email: string, wrong: WrongField[]): Reply {
  const parts = {
    title: 'Sign in',
    isNarrow: true,
    wrong,
    body: html`<h1>Sign in</h1>
${returnPathOf(request)?.startsWith('/oauth/') && html`<p class="lead">An application asks for your consent. Sign in to see which permissions it requests.</p>`}
<form class="sheet" method="post" action="${withReturnTo(request, '/sign-in')}" novalidate>
${formTokenField(request)}
${labelledInput({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username', wrong })}
${labelledInput({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', wrong })}
<button>Sign in</button>
</form>
${
  !request.context.isSandbox &&
  html`<p class="quiet">If you have forgotten your password, ask the administrator of this service for a new one: <code>esign serve user password</code> sets it.</p>`
}${
  request.context.isFromOwner &&
  html`<p>Not registered yet? <a href="${withReturnTo(request, '/register')}">Register</a></p>
<p class="quiet">The sandbox has a user of its own, ${OWN_USER.email}: <code>esign sandbox open</code> signs you in without a password, <code>esign sandbox users password</code> sets one.</p>`
}`,
  };
  return show(request, parts, { status: wrong.length > 0 ? 422 : 200 });
}

export async function signIn(request: PageRequest): Promise<Reply> {
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const [email, password] = [sent.form.get('email').trim(), sent.form.get('password')];
  const wrong = [
    ...(email === '' ? [{ field: 'email', message: 'Enter your email address' }] : []),
    ...(password === '' ? [{ field: 'password', message: 'Enter your password' }] : []),
  ];
  if (wrong.length > 0) return signInPage(request, email, wrong);
  // A browser that has been signed in to the account is counted by itself: guesses of others do not lock its user out.
  const nonce = request.knownBrowser(email);
  const subject = nonce === undefined ? accountSubject(email) : browserSubject(nonce);
  const attempt = await countAttempt(request, [{ hash: subject, limit: LIMITS.signInsPerEmail }]);
  if ('until' in attempt) return tooMany(request, attempt.until);
  const { database } = request.store;
  const known = await database.read(async (db) => {
    const user = await findUser(db, email);
    return user && { user, hash: await findPassword(db, user.id) };
  });
  const isRight = await request.passwords.matches(password, known?.hash);
  const cookie = request.newCookie();
  const isIn =
    isRight &&
    (await database.write(async (db) => {
      // The password may have been changed meanwhile.
      if (!known || (await findPassword(db, known.user.id)) !== known.hash) return false;
      await forgetAttempts(db, subject, attempt.ids);
      await deleteSession(db, request.cookieHash);
      await insertSession(db, cookie.hash, known.user.id, request.now);
      return true;
    }));
  if (!isIn)
    return signInPage(request, email, [
      { field: 'email', message: 'The email address or the password is wrong' },
    ]);
  return sendTo(returnPathOf(request) ?? '/', cookie.header);
}

/** Counts an attempt for the client it comes from, and for the other given subjects. */
export const countAttempt = (request: PageRequest, named: Subject[]) => {
  const client = { hash: addressSubject(clientOf(request.call.from)), limit: LIMITS.signInsPerAddress };
  const subjects = [...named, client];
  return request.store.database.write((db) =>
    takeAttempt(db, { subjects, newId: request.newId }, request.now),
  );
};

const MINUTE_MS = 60_000;

/** Refuses any email address alike, known or not. */
export function tooMany(request: PageRequest, until: Instant): Reply {
  const waitMs = Math.max(1, epochMsOf(until) - epochMsOf(request.now));
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  return errorPage(request, {
    status: 429,
    title: 'Too many attempts',
    text: `For your security, signing in is blocked for now, even with the right password. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}

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

export async function signOut(request: PageRequest): Promise<Reply> {
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  await request.store.database.write((db) => deleteSession(db, request.cookieHash));
  return sendTo(withReturnTo(request, '/sign-in'), request.noCookie);
}
