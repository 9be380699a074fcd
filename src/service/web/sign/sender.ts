// Shows who asks for the signature: named at the top of every step, with the company and its pages about itself at the foot. A
// stranger who opens the link sees at once who the sender is.
import { type Html, html } from '../../rendering/html.ts';
import { companyLinks } from '../company-links.ts';
import type { Guest } from './sign-request.ts';

/** @returns `alias` where the sender has given another name for this transaction */
export const shownSenderOf = ({ visit }: Guest): { name: string; email: string; alias: string | null } => {
  const { content } = visit.transaction;
  const sender = content.recipients.find(({ role }) => role === 'sender');
  const alias = content.email_alias || null;
  return { name: sender?.name ?? '', email: sender?.email ?? '', alias };
};

/** As sentences call the sender. */
export const senderNameOf = (guest: Guest): string => {
  const { alias, name } = shownSenderOf(guest);
  return alias ?? name;
};

export function senderLine(guest: Guest): Html {
  const { alias, name, email } = shownSenderOf(guest);
  const parts = [alias, name, guest.visit.company.name, email].filter((part) => part);
  const [first, ...rest] = [...new Set(parts)];
  return html`<p class="sender">${guest.words.from} <b><bdi>${first}</bdi></b>${rest.map((part) => html` · <bdi>${part}</bdi>`)}</p>`;
}

/** @returns nothing, where the company names no such page */
export function companyFoot({ words, visit }: Guest): Html | false {
  const { name } = visit.company;
  const links = companyLinks(visit.company, { imprint: words.imprint, privacy: words.privacy });
  return (
    links.length > 0 &&
    html`<footer class="foot"><p><bdi>${name}</bdi>${links.map((link) => html` · ${link}`)}</p></footer>`
  );
}
