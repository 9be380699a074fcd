// Signs a user in by email and password, or by a link, and out. Neither the answer to a password nor the time it takes shows
// whether an email address is known.
import { LIMITS } from '../../../api/contract/limits.ts';
import { email as emailAddress, line, newPasswordText } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { epochMsOf, type Instant } from '../../../common/instant.ts';
import { clientOf, isFromThisMachine } from '../../http/client-address.ts';
import { type Html, type HtmlValue, html } from '../../rendering/html.ts';
import { findCompany, findOrCreateCompany, findUser, insertUser } from '../../store/accounts/accounts.ts';
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
  setPassword,
  takeAttempt,
} from '../../store/accounts/sessions.ts';
import { OWN_USER } from '../../store/store.ts';
import { checkedBy, formPage, receiveForm, required, withoutSubject } from './forms.ts';
import { errorPage, sheetForm, show, type WrongField } from './layout.ts';
import type { PageRequest } from './request.ts';
import { returnPathOf, sendTo, withReturnTo } from './response.ts';

export const signInForm = formPage({
  find: withoutSubject,
  fields: {
    email: {
      label: 'Email',
      type: 'email',
      autocomplete: 'username',
      check: required('Enter your email address'),
    },
    password: {
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
      check: required('Enter your password'),
    },
  },
  page: (request: PageRequest, _, fields, wrong) =>
    show(request, {
      title: 'Sign in',
      isNarrow: true,
      wrong,
      body: html`<h1>Sign in</h1>
${returnPathOf(request)?.startsWith('/oauth/') && html`<p class="lead">An application asks for your consent. Sign in to see which permissions it requests.</p>`}
${sheetForm(request, { action: withReturnTo(request, '/sign-in'), fields, buttons: html`<button>Sign in</button>` })}
${otherWays(request)}`,
    }),
  async run(request: PageRequest, _, { email, password }) {
    // A browser that has been signed in to the account is counted by itself: guesses of others do not lock its user out.
    const nonce = request.knownBrowser(email);
    const subject = nonce === undefined ? accountSubject(email) : browserSubject(nonce);
    const attempt = await countAttempt(request, [{ hash: subject, limit: LIMITS.signInsPerEmail }]);
    if ('until' in attempt) return tooMany(request, attempt.until);
    const { database } = request.store;
    const account = await database.read(async (db) => {
      const user = await findUser(db, email);
      return user && { user, hash: await findPassword(db, user.id) };
    });
    const isRight = await request.passwords.matches(password, account?.hash);
    const cookie = request.newCookie();
    const isSignedIn =
      isRight &&
      (await database.write(async (db) => {
        // The password may have been changed meanwhile.
        if (!account || (await findPassword(db, account.user.id)) !== account.hash) return false;
        await forgetAttempts(db, subject, attempt.ids);
        await deleteSession(db, request.cookieHash);
        await insertSession(db, cookie.hash, account.user.id, request.now);
        return true;
      }));
    return isSignedIn
      ? sendTo(returnPathOf(request) ?? '/', cookie.header)
      : [{ field: 'email', message: 'The email address or the password is wrong' }];
  },
});

export const showSignIn = (request: PageRequest): Reply | Promise<Reply> =>
  request.user ? sendTo(returnPathOf(request) ?? '/') : signInForm.GET(request);

const otherWays = (request: PageRequest): Html =>
  html`${
    !request.context.isSandbox &&
    html`<p class="quiet">If you have forgotten your password, ask the administrator of this service for a new one: <code>esign serve user password</code> sets it.</p>`
  }${
    request.context.isFromOwner &&
    html`<p>Not registered yet? <a href="${withReturnTo(request, '/register')}">Register</a></p>
<p class="quiet">The sandbox has a user of its own, ${OWN_USER.email}: <code>esign sandbox open</code> signs you in without a password, <code>esign sandbox users password</code> sets one.</p>`
  }`;

/** Counts an attempt for the client it comes from, and for the other given subjects. */
const countAttempt = (request: PageRequest, others: Subject[]) => {
  const client = { hash: addressSubject(clientOf(request.call.from)), limit: LIMITS.signInsPerAddress };
  const subjects = [...others, client];
  return request.store.database.write((db) =>
    takeAttempt(db, { subjects, newId: request.newId }, request.now),
  );
};

const MINUTE_MS = 60_000;

/** Refuses any email address alike, known or not. */
function tooMany(request: PageRequest, until: Instant): Reply {
  const waitMs = Math.max(1, epochMsOf(until) - epochMsOf(request.now));
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  return errorPage(request, {
    status: 429,
    title: 'Too many attempts',
    text: `For your security, signing in is blocked for now, even with the right password. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}

export const signOut = receiveForm(async (request: PageRequest) => {
  await request.store.database.write((db) => deleteSession(db, request.cookieHash));
  return sendTo(withReturnTo(request, '/sign-in'), request.noCookie);
});

// ── by a link ───────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * `esign sandbox open` and `mailbox open` create the link with the control secret. It signs in once, shortly after, and only from this
 * machine. The request that follows it uses it up, so one that is merely fetched in advance is refused.
 */
export async function signInByLink(request: PageRequest): Promise<Reply> {
  const { call, now, store } = request;
  const refused = (status: number, title: string, text: HtmlValue) =>
    errorPage(request, { status, title, text, link: html`<a href="/sign-in">Sign in with a password</a>` });
  if (call.method === 'HEAD' || isInAdvance(call.headers))
    return refused(
      400,
      'This link was not opened',
      'It signs in when a person opens it, not in advance. Open it again.',
    );
  if (!isFromThisMachine(call))
    return refused(
      403,
      'This link works on one machine only',
      'Open it on the machine that the sandbox runs on.',
    );
  const token = request.url.searchParams.get('token') ?? '';
  const cookie = request.newCookie();
  const path = await store.database.write(async (db) => {
    const link = await consumeSignInLink(db, token, now);
    if (!link) return undefined;
    await deleteSession(db, request.cookieHash);
    await insertSession(db, cookie.hash, link.user_id, now);
    return link.path;
  });
  return path === undefined
    ? refused(
        410,
        'This link no longer works',
        html`A link signs in once, within two minutes. To get another one, run <code>esign sandbox open</code>.`,
      )
    : sendTo(path, cookie.header);
}

/** A browser may fetch a page before a person wants to see it. */
const isInAdvance = (headers: Record<string, string>): boolean =>
  /prefetch|prerender|preview/i.test(`${headers['sec-purpose']} ${headers.purpose} ${headers['x-moz']}`);

const personName = line(1, LIMITS.personNameLength);

/** Messages do not repeat what was entered, above all no password. */
const form = formPage({
  find: withoutSubject,
  fields: {
    name: { label: 'Your name', autocomplete: 'name', check: required('Enter your name', personName) },
    company: {
      label: 'Company',
      autocomplete: 'organization',
      check: required('Enter the name of your company', personName),
    },
    email: {
      label: 'Email',
      type: 'email',
      autocomplete: 'username',
      check: required('Enter an email address, such as ada@example.com', emailAddress),
    },
    password: {
      label: 'Password',
      type: 'password',
      autocomplete: 'new-password',
      hint: `At least ${LIMITS.passwordLengthMin} characters. Several words are easier to remember than special characters.`,
      check: checkedBy(newPasswordText, 'The password'),
    },
  },
  page: (request: PageRequest, _, fields, wrong) =>
    show(request, {
      title: 'Register',
      isNarrow: true,
      wrong,
      body: html`<h1>Register</h1>
<p class="lead">Creates your account and your company.</p>
${sheetForm(request, { action: withReturnTo(request, '/register'), fields, buttons: html`<button>Register</button>` })}
<p>Registered already? <a href="${withReturnTo(request, '/sign-in')}">Sign in</a></p>`,
    }),
  async run(request: PageRequest, _, { password, ...entry }) {
    // This form shows whether an email address or a company is known, so attempts are limited.
    const attempt = await countAttempt(request, []);
    if ('until' in attempt) return tooMany(request, attempt.until);
    const hash = await request.passwords.hash(password);
    const user_id = request.newId();
    const company_id = request.newId();
    const cookie = request.newCookie();
    const wrong = await request.store.database.write(async (db): Promise<WrongField[]> => {
      if (await findUser(db, entry.email))
        return [{ field: 'email', message: 'An account with this email address already exists' }];
      if (await findCompany(db, entry.company))
        return [
          { field: 'company', message: 'A company with this name already exists. Choose another name' },
        ];
      await findOrCreateCompany(db, entry.company, { newId: () => company_id, now: request.now });
      await insertUser(db, { id: user_id, company_id, name: entry.name, email: entry.email }, request.now);
      await setPassword(db, user_id, hash, request.now);
      await deleteSession(db, request.cookieHash);
      await insertSession(db, cookie.hash, user_id, request.now);
      return [];
    });
    return wrong.length > 0 ? wrong : sendTo(returnPathOf(request) ?? '/', cookie.header);
  },
});

export function showRegistration(request: PageRequest): Reply | Promise<Reply> {
  if (request.user) return sendTo(returnPathOf(request) ?? '/');
  return request.context.isFromOwner ? form.GET(request) : closed(request);
}

export const register = (request: PageRequest): Reply | Promise<Reply> =>
  request.context.isFromOwner ? form.POST(request) : closed(request);

const ADDED_BY = {
  sandbox: html`You can register only on the machine that this service runs on. Ask its owner for an account: <code>esign sandbox users add</code> creates one.`,
  server: html`Ask the administrator of this service for an account: <code>esign serve user add</code> creates one.`,
};

/** A stranger who can register can have the service send email and make requests (decision 0038). */
const closed = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 403,
    title: 'Registration is closed',
    text: request.context.isSandbox ? ADDED_BY.sandbox : ADDED_BY.server,
    link: html`<a href="${withReturnTo(request, '/sign-in')}">Sign in</a>`,
  });
