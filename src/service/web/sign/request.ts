// Reads one request to a signing page: which recipient, by which cookie, in which language. The token of the address becomes a
// cookie that is bound to the pages of one recipient, so that two tabs of two recipients do not mix. It is in no address after
// that, and never in a page.

import { isLanguage, type Language } from '../../../api/contract/languages.ts';
import type { Call } from '../../../api/transport.ts';
import type { RequestContext } from '../../context.ts';
import { type LinkDetails, linkDetailsOf } from '../../signing/record.ts';
import type { RecipientSession } from '../../signing/signing-session.ts';
import { hashSecret, isSameSecret } from '../../store/keys.ts';
import { preferredLanguage } from './language.ts';
import { loadWords, type Words } from './words.ts';

export type SignRequest = {
  call: Call;
  url: URL;
  context: RequestContext;
  /** The browser sees this origin. */
  origin: string;
  language: Language;
  words: Words;
};

/** The link of the request is or was valid. */
export type Guest = SignRequest & {
  token: string;
  /** The record says how the recipient got the link; it is empty where the link has no mark. */
  link: LinkDetails;
  visit: RecipientSession;
  /** Makes the address `/sign/RECIPIENT/page`. */
  at(page?: string): string;
  formToken: string;
  isFormToken(text: string): boolean;
};

/**
 * The `mark` says how the recipient got the link, as the link states it (`mail/links.ts`); it is checked when it is used.
 */
export type SigningLink = { token: string; mark: string | undefined };

/** The cookie has a token, and the mark of the link after a dot. */
const COOKIE = /^([\w-]{20,200})(?:\.([\w.-]{1,120}))?$/;

export async function signRequestOf(call: Call, url: URL, context: RequestContext): Promise<SignRequest> {
  const language = preferredLanguage(call.headers['accept-language']);
  const protocol = isSecure(context) ? 'https' : 'http';
  return {
    call,
    url,
    context,
    origin: `${protocol}://${url.host}`,
    language,
    words: await loadWords(language),
  };
}

/** The language that the recipient has chosen comes before that of the browser. */
export async function findGuest(
  request: SignRequest,
  { token, mark }: SigningLink,
  visit: RecipientSession,
): Promise<Guest> {
  const { keys } = request.context.store;
  const chosen = visit.signing.language;
  const language = isLanguage(chosen) ? chosen : request.language;
  const formToken = keys.derive(`signing form of ${hashSecret(token)}`);
  return {
    ...request,
    language,
    words: await loadWords(language),
    token,
    link: await linkDetailsOf(request.context, token, mark),
    visit,
    at: (page) => requestPath(visit.recipient.id, page),
    formToken,
    isFormToken: (text) => isSameSecret(text, formToken),
  };
}

export const requestPath = (recipientId: string, page?: string): string =>
  `/sign/${recipientId}${page === undefined ? '' : `/${page}`}`;

const KINDS = ['for', 'check', 'page'];

/** @returns the part of a query that says which kind of a page it is, such as `?for=initials` */
export function kindOfPage({ searchParams }: URL): string {
  const parameters = new URLSearchParams([...searchParams].filter(([name]) => KINDS.includes(name)));
  return parameters.size > 0 ? `?${parameters}` : '';
}

const isSecure = ({ origin }: RequestContext): boolean => new URL(origin).protocol === 'https:';

/** Browsers keep cookies of all ports of a host together: two services on one machine need two names. */
const cookieName = ({ url, context }: SignRequest): string =>
  isSecure(context) ? '__Secure-esign-sign' : `esign-sign-${url.port || '80'}`;

export const cookieFor = (request: SignRequest, recipientId: string, { token, mark }: SigningLink): string =>
  `${cookieName(request)}=${token}${mark === undefined ? '' : `.${mark}`}; Path=${requestPath(recipientId)}; HttpOnly; SameSite=Lax${isSecure(request.context) ? '; Secure' : ''}`;

/**
 * Reads the cookie. Of two with the same name, another site has set one, and nothing tells which: neither is accepted.
 */
export function linkIn(request: SignRequest): SigningLink | undefined {
  const name = cookieName(request);
  const values = (request.call.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value = ''] = values;
  const [, token, mark] = COOKIE.exec(value) ?? [];
  return values.length === 1 && token !== undefined ? { token, mark } : undefined;
}
