// One request to a page: who is there, what was asked, and the way to the store. There is one cookie. Before somebody
// signs in it only ties forms to a browser; signing in and out replaces it, so that a cookie known before is worth
// nothing after.
import type { Instant } from '../../api/contract/instant.ts';
import type { Call } from '../../api/transport.ts';
import type { RequestContext } from '../context.ts';
import type { Passwords } from '../password.ts';
import { hashOf, isSameSecret } from '../store/keys.ts';
import { findSession, type SignedIn } from '../store/sessions.ts';
import type { Store } from '../store/store.ts';

export type PageRequest = {
  call: Call;
  url: URL;
  context: RequestContext;
  now: Instant;
  store: Store;
  /** As the browser sees it. */
  origin: string;
  user: SignedIn | undefined;
  newId: () => string;
  newSecret: () => string;
  passwords: Passwords;
  /** Of the cookie that the browser sent, or is going to get with this page. */
  cookieHash: string;
  /** What a form of this page carries. Asked for, it makes sure that the browser has the cookie it belongs to. */
  formToken(): string;
  isFormToken(given: string): boolean;
  /** The cookie a page has to set, when its form needs one that the browser does not have. */
  owedCookie(): string | undefined;
  /** A new cookie, for the browser of a user who has just signed in. */
  newCookie(): { header: string; hash: string };
  /** Takes the cookie away. */
  noCookie: string;
};

const SECRET = /^[\w-]{43}$/;

/** @param url of the call, its host known to be ours */
export async function pageRequestOf(call: Call, url: URL, context: RequestContext): Promise<PageRequest> {
  const { store, now, facts } = context;
  const isSecure = new URL(context.origin).protocol === 'https:';
  const name = cookieName(url, isSecure);
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const sent = cookieIn(call.headers.cookie ?? '', name);
  const cookie = sent ?? facts.newToken();
  const cookieHash = hashOf(cookie);
  const user = sent && (await store.database.read((db) => findSession(db, cookieHash, now)));
  const token = store.keys.derive(`form of ${cookieHash}`);
  let isOwed = false;
  return {
    call,
    url,
    context,
    now,
    store,
    origin: `${isSecure ? 'https' : 'http'}://${url.host}`,
    user: user || undefined,
    newId: facts.newId,
    newSecret: facts.newToken,
    passwords: context.passwords,
    cookieHash,
    formToken() {
      isOwed = sent === undefined;
      return token;
    },
    isFormToken: (given) => sent !== undefined && isSameSecret(given, token),
    owedCookie: () => (isOwed ? `${name}=${cookie}${attributes}` : undefined),
    newCookie() {
      const fresh = facts.newToken();
      return { header: `${name}=${fresh}${attributes}`, hash: hashOf(fresh) };
    },
    noCookie: `${name}=${attributes}; Max-Age=0`,
  };
}

/** Browsers keep cookies of all ports of a host together: two services on one machine need two names. */
const cookieName = (url: URL, isSecure: boolean): string =>
  isSecure ? '__Host-esign' : `esign-${url.port || '80'}`;

/** Two cookies with the same name: one was set by another site, and it is unknown which. Neither is accepted. */
function cookieIn(header: string, name: string): string | undefined {
  const found = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value = ''] = found;
  return found.length === 1 && SECRET.test(value) ? value : undefined;
}
