// Edits what recipients see about the user's company: its imprint and its privacy notice, linked on every signing page. They
// are shown to strangers under the name of this service, so an address is an HTTPS page or an email address, and nothing else.
import { LIMITS } from '../../../api/contract/limits.ts';
import { parseUrl } from '../../../api/contract/parse-url.ts';
import { isEmail } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { type Html, html } from '../../rendering/html.ts';
import { findCompanyById, saveCompanyAddresses } from '../../store/accounts/accounts.ts';
import { readPageForm } from './forms.ts';
import { formTokenField, labelledInput, show, type WrongField } from './layout.ts';
import type { PageRequest } from './request.ts';
import { redirectToSignIn } from './response.ts';

type Entry = { imprint_url: string; privacy_url: string };

export async function showCompany(request: PageRequest): Promise<Reply> {
  const { user } = request;
  if (!user) return redirectToSignIn(request);
  const company = await request.store.database.read((db) => findCompanyById(db, user.company_id));
  const { imprint_url, privacy_url } = company ?? { imprint_url: null, privacy_url: null };
  return companyPage(request, user.company, {
    imprint_url: imprint_url ?? '',
    privacy_url: privacy_url ?? '',
  });
}

function companyPage(
  request: PageRequest,
  company: string,
  entry: Entry,
  wrong: readonly WrongField[] = [],
  isSaved = false,
): Reply {
  const body = html`<h1><bdi>${company}</bdi></h1>
<p class="lead">Recipients see the name of your company, and these links, on every page where they sign. Invitations name them as well.</p>
${isSaved && html`<div class="done" role="status"><p>The links were saved.</p></div>`}
<form class="sheet" method="post" action="/company" novalidate>
${formTokenField(request)}
${labelledInput({ name: 'imprint_url', label: 'Imprint', type: 'url', isOptional: true, hint: 'Who you are, for example https://example.com/imprint.', value: entry.imprint_url, wrong })}
${labelledInput({ name: 'privacy_url', label: 'Privacy notice', type: 'url', isOptional: true, hint: 'What you do with personal data, or whom to ask: an HTTPS URL or an email address.', value: entry.privacy_url, wrong })}
<button>Save</button>
</form>`;
  return show(request, { title: 'Company', wrong, body }, { status: wrong.length > 0 ? 422 : 200 });
}

export async function saveCompany(request: PageRequest): Promise<Reply> {
  const { user } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const entry = {
    imprint_url: sent.form.get('imprint_url').trim(),
    privacy_url: sent.form.get('privacy_url').trim(),
  };
  const wrong = (['imprint_url', 'privacy_url'] as const)
    .filter((name) => entry[name] !== '' && companyAddress(entry[name]) === undefined)
    .map((name) => ({ field: name, message: MESSAGES[name] }));
  if (wrong.length > 0) return companyPage(request, user.company, entry, wrong);
  const addresses = {
    imprint_url: companyAddress(entry.imprint_url) ?? null,
    privacy_url: companyAddress(entry.privacy_url) ?? null,
  };
  await request.store.database.write((db) => saveCompanyAddresses(db, user.company_id, addresses));
  const saved = { imprint_url: addresses.imprint_url ?? '', privacy_url: addresses.privacy_url ?? '' };
  return companyPage(request, user.company, saved, [], true);
}

const MESSAGES: Record<keyof Entry, string> = {
  imprint_url: 'The imprint must be a URL that begins with https://, or an email address',
  privacy_url: 'The privacy notice must be a URL that begins with https://, or an email address',
};

/** @returns the address as it is stored; undefined for what is no such address */
function companyAddress(given: string): string | undefined {
  const text = given.trim();
  if (text.length > LIMITS.urlLength) return undefined;
  const email = text.replace(/^mailto:/i, '');
  if (isEmail(email) && !/[?&%#]/.test(email)) return `mailto:${email}`;
  const url = parseUrl(text);
  const isPage = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPage && url.hostname !== '' ? url.href : undefined;
}

type CompanyAddresses = { imprint_url: string | null; privacy_url: string | null };

/** Checked again: what a store holds may be older than the rule. */
export function companyLinks(
  { imprint_url, privacy_url }: CompanyAddresses,
  labels: { imprint: string; privacy: string },
): Html[] {
  const link = (address: string | null, label: string) => {
    const href = companyAddress(address ?? '');
    return href === undefined
      ? []
      : [html`<a href="${href}" target="_blank" rel="noopener noreferrer">${label}</a>`];
  };
  return [...link(imprint_url, labels.imprint), ...link(privacy_url, labels.privacy)];
}
