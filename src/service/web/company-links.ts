// The addresses of a company's imprint and privacy notice: what may be stored, and links to them. They are shown to strangers
// under the name of this service, so an address is an HTTPS page or an email address, and nothing else.
import { LIMITS } from '../../api/contract/limits.ts';
import { parseUrl } from '../../api/contract/parse-url.ts';
import { isEmail } from '../../api/contract/values.ts';
import { type Html, html } from '../rendering/html.ts';

/** @returns the address as it is stored; undefined for what is no such address */
export function companyAddress(given: string): string | undefined {
  const text = given.trim();
  if (text.length > LIMITS.urlLength) return undefined;
  const email = text.replace(/^mailto:/i, '');
  if (isEmail(email) && !/[?&%#]/.test(email)) return `mailto:${email}`;
  const url = parseUrl(text);
  const isPage = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPage && url.hostname !== '' ? url.href : undefined;
}

export type CompanyAddresses = { imprint_url: string | null; privacy_url: string | null };

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
