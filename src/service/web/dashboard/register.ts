// Registers a new user in a new company. Joining an existing company is not for strangers to decide.
import { LIMITS } from '../../../api/contract/limits.ts';
import { email as emailAddress, line, newPasswordText } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { html } from '../../rendering/html.ts';
import { findCompany, findOrCreateCompany, findUser, insertUser } from '../../store/accounts/accounts.ts';
import { deleteSession, insertSession, setPassword } from '../../store/accounts/sessions.ts';
import { readPageForm } from './forms.ts';
import { errorPage, formTokenField, labelledInput, show, type WrongField } from './layout.ts';
import type { PageRequest } from './request.ts';
import { returnPathOf, sendTo, withReturnTo } from './response.ts';
import { countAttempt, tooMany } from './sign-in.ts';

type Entry = { name: string; company: string; email: string };

const NOTHING: Entry = { name: '', company: '', email: '' };

export function showRegistration(request: PageRequest): Reply {
  if (request.user) return sendTo(returnPathOf(request) ?? '/');
  return request.context.isFromOwner ? registrationPage(request, NOTHING, []) : closed(request);
}

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

function registrationPage(request: PageRequest, { name, company, email }: Entry, wrong: WrongField[]): Reply {
  const parts = {
    title: 'Register',
    isNarrow: true,
    wrong,
    body: html`<h1>Register</h1>
<p class="lead">Creates your account and your company.</p>
<form class="sheet" method="post" action="${withReturnTo(request, '/register')}" novalidate>
${formTokenField(request)}
${labelledInput({ name: 'name', label: 'Your name', value: name, autocomplete: 'name', wrong })}
${labelledInput({ name: 'company', label: 'Company', value: company, autocomplete: 'organization', wrong })}
${labelledInput({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username', wrong })}
${labelledInput({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: `At least ${LIMITS.passwordLengthMin} characters. Several words are easier to remember than special characters.`, wrong })}
<button>Register</button>
</form>
<p>Registered already? <a href="${withReturnTo(request, '/sign-in')}">Sign in</a></p>`,
  };
  return show(request, parts, { status: wrong.length > 0 ? 422 : 200 });
}

const personName = line(1, LIMITS.personNameLength);

export async function register(request: PageRequest): Promise<Reply> {
  if (!request.context.isFromOwner) return closed(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const entry = {
    name: sent.form.get('name').trim(),
    company: sent.form.get('company').trim(),
    email: sent.form.get('email').trim(),
  };
  const password = sent.form.get('password');
  const wrong = wrongIn(entry, password);
  if (wrong.length > 0) return registrationPage(request, entry, wrong);
  // This form shows whether an email address or a company is known, so attempts are limited.
  const attempt = await countAttempt(request, []);
  if ('until' in attempt) return tooMany(request, attempt.until);
  const hash = await request.passwords.hash(password);
  const user_id = request.newId();
  const company_id = request.newId();
  const cookie = request.newCookie();
  const taken = await request.store.database.write(async (db): Promise<WrongField[]> => {
    if (await findUser(db, entry.email))
      return [{ field: 'email', message: 'An account with this email address already exists' }];
    if (await findCompany(db, entry.company))
      return [{ field: 'company', message: 'A company with this name already exists. Choose another name' }];
    await findOrCreateCompany(db, entry.company, { newId: () => company_id, now: request.now });
    await insertUser(db, { id: user_id, company_id, name: entry.name, email: entry.email }, request.now);
    await setPassword(db, user_id, hash, request.now);
    await deleteSession(db, request.cookieHash);
    await insertSession(db, cookie.hash, user_id, request.now);
    return [];
  });
  if (taken.length > 0) return registrationPage(request, entry, taken);
  return sendTo(returnPathOf(request) ?? '/', cookie.header);
}

/** Checks by the rules of the contract. Messages do not repeat what was entered, above all no password. */
function wrongIn({ name, company, email }: Entry, password: string): WrongField[] {
  const wrong: WrongField[] = [];
  if (!personName.safeParse(name).success) wrong.push({ field: 'name', message: 'Enter your name' });
  if (!personName.safeParse(company).success)
    wrong.push({ field: 'company', message: 'Enter the name of your company' });
  if (!emailAddress.safeParse(email).success)
    wrong.push({ field: 'email', message: 'Enter an email address, such as ada@example.com' });
  const checked = newPasswordText.safeParse(password);
  if (!checked.success)
    wrong.push({ field: 'password', message: `The password ${checked.error.issues[0]?.message}` });
  return wrong;
}
