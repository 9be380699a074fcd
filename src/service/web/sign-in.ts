// Signing in: who somebody is, by e-mail and password. Whether an e-mail address is known can be told neither from the
// answer nor from the time it takes.
import { epochMsOf, type Instant } from '../../api/contract/instant.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { Reply } from '../../api/transport.ts';
import { findUser } from '../store/accounts.ts';
import {
  accountSubject,
  addressSubject,
  deleteSession,
  findPassword,
  forgetAttempts,
  insertSession,
  type Subject,
  takeAttempt,
} from '../store/sessions.ts';
import { OWN_USER } from '../store/store.ts';
import { readForm } from './forms.ts';
import { goalOf, onTheWay } from './going-on.ts';
import { html } from './html.ts';
import { errorPage, field, show, tokenField, type Wrong } from './layout.ts';
import { sendTo } from './replies.ts';
import type { Visit } from './visit.ts';

export const showSignIn = (visit: Visit): Reply =>
  visit.user ? sendTo(goalOf(visit) ?? '/') : signInPage(visit, '', []);

function signInPage(visit: Visit, email: string, wrong: Wrong[]): Reply {
  const parts = {
    title: 'Sign in',
    isNarrow: true,
    wrong,
    body: html`<h1>Sign in</h1>
${goalOf(visit)?.startsWith('/oauth/') && html`<p class="lead">An application asks for your consent. Sign in to see what it wants to do.</p>`}
<form class="sheet" method="post" action="${onTheWay(visit, '/sign-in')}" novalidate>
${tokenField(visit)}
${field({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username', wrong })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', wrong })}
<button>Sign in</button>
</form>
<p>Not registered yet? <a href="${onTheWay(visit, '/register')}">Register</a></p>
<p class="quiet">The sandbox has a user of its own, ${OWN_USER.email}: <code>esign sandbox users password</code> gives it a password.</p>`,
  };
  return show(visit, parts, { status: wrong.length > 0 ? 422 : 200 });
}

export async function signIn(visit: Visit): Promise<Reply> {
  const sent = await readForm(visit);
  if (!sent.ok) return sent.reply;
  const [email, password] = [sent.form.get('email').trim(), sent.form.get('password')];
  const wrong = [
    ...(email === '' ? [{ field: 'email', message: 'Enter your e-mail address' }] : []),
    ...(password === '' ? [{ field: 'password', message: 'Enter your password' }] : []),
  ];
  if (wrong.length > 0) return signInPage(visit, email, wrong);
  const account = accountSubject(email);
  const attempt = await attempted(visit, [{ hash: account, limit: LIMITS.signInsPerEmail }]);
  if ('until' in attempt) return tooMany(visit, attempt.until);
  const { database } = visit.store;
  const known = await database.read(async (db) => {
    const user = await findUser(db, email);
    return user && { user, hash: await findPassword(db, user.id) };
  });
  const isRight = await visit.passwords.matches(password, known?.hash);
  const cookie = visit.newCookie();
  const isIn =
    isRight &&
    (await database.write(async (db) => {
      // The password may have been changed meanwhile.
      if (!known || (await findPassword(db, known.user.id)) !== known.hash) return false;
      await forgetAttempts(db, account, attempt.ids);
      await deleteSession(db, visit.cookieHash);
      await insertSession(db, cookie.hash, known.user.id, visit.now);
      return true;
    }));
  if (!isIn)
    return signInPage(visit, email, [
      { field: 'email', message: 'The e-mail address or the password is wrong' },
    ]);
  return sendTo(goalOf(visit) ?? '/', cookie.header);
}

/** Counts an attempt for the address it comes from, and for whatever else is named. */
export const attempted = (visit: Visit, subjects: Subject[]) => {
  const address = addressSubject(visit.call.from ?? 'in process');
  return visit.store.database.write((db) =>
    takeAttempt(
      db,
      { subjects: [...subjects, { hash: address, limit: LIMITS.signInsPerAddress }], newId: visit.newId },
      visit.now,
    ),
  );
};

const MINUTE_MS = 60_000;

/** Said of any e-mail address alike, known or not. */
export function tooMany(visit: Visit, until: Instant): Reply {
  const waitMs = Math.max(1, epochMsOf(until) - epochMsOf(visit.now));
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  return errorPage(visit, {
    status: 429,
    title: 'Too many attempts',
    text: `For your protection no more are taken for now, not even with the right password. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}
