// Edits what recipients see about the user's company: its imprint and its privacy notice, linked on every signing page. They
// are shown to strangers under the name of this service, so an address is an HTTPS page or an email address, and nothing else.
import { LIMITS } from '../../../api/contract/limits.ts';
import { isEmail } from '../../../api/contract/values.ts';
import { parseUrl } from '../../../common/parse-url.ts';
import { type Html, html } from '../../rendering/html.ts';
import { findCompanyById, saveCompanyAddresses } from '../../store/accounts/accounts.ts';
import { formPage, type TextField } from './forms.ts';
import { sheetForm, show } from './layout.ts';
import type { UserRequest } from './request.ts';

type CompanyAddresses = { imprint_url: string | null; privacy_url: string | null };

const addressField = (label: string, hint: string): TextField => ({
  label,
  type: 'url',
  isOptional: true,
  hint,
  check: (address) =>
    address === '' || companyAddress(address) !== undefined
      ? undefined
      : `The ${label.toLowerCase()} must be a URL that begins with https://, or an email address`,
});

export const company = formPage({
  find: async (request) => ({
    ok: true,
    output: { addresses: await readAddresses(request), isSaved: false },
  }),
  fields: {
    imprint_url: addressField('Imprint', 'Who you are, for example https://example.com/imprint.'),
    privacy_url: addressField(
      'Privacy notice',
      'What you do with personal data, or whom to ask: an HTTPS URL or an email address.',
    ),
  },
  initial: ({ addresses: { imprint_url, privacy_url } }) => ({
    imprint_url: imprint_url ?? '',
    privacy_url: privacy_url ?? '',
  }),
  page: (request, { isSaved }, fields, wrong) =>
    show(request, {
      title: 'Company',
      wrong,
      body: html`<h1><bdi>${request.user.company}</bdi></h1>
<p class="lead">Recipients see the name of your company, and these links, on every page where they sign. Invitations name them as well.</p>
${isSaved && html`<div class="done" role="status"><p>The links were saved.</p></div>`}
${sheetForm(request, { action: '/company', fields, buttons: html`<button>Save</button>` })}`,
    }),
  async run(request, _, entry, showAgain) {
    const addresses = {
      imprint_url: companyAddress(entry.imprint_url) ?? null,
      privacy_url: companyAddress(entry.privacy_url) ?? null,
    };
    await request.store.database.write((db) => saveCompanyAddresses(db, request.user.company_id, addresses));
    return showAgain({ addresses, isSaved: true });
  },
});

async function readAddresses({ store, user }: UserRequest): Promise<CompanyAddresses> {
  const stored = await store.database.read((db) => findCompanyById(db, user.company_id));
  return stored ?? { imprint_url: null, privacy_url: null };
}

/** @returns the address as it is stored; undefined for what is no such address */
function companyAddress(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LIMITS.urlLength) return undefined;
  const email = trimmed.replace(/^mailto:/i, '');
  if (isEmail(email) && !/[?&%#]/.test(email)) return `mailto:${email}`;
  const url = parseUrl(trimmed);
  const isPage = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPage && url.hostname !== '' ? url.href : undefined;
}

/** Renders the links of signing pages. An address is checked again: what a store holds may be older than the rule. */
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
