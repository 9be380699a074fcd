// Reads one request to a page: the user, the path, and the way to the store. The cookie of the session only ties forms to a
// browser until a user signs in; signing in and out replaces it, so that a cookie known before is worth nothing after. A second
// cookie stays and gives no access: it distinguishes a browser that has been signed in from one that guesses (decision 0006).
import { LIMITS } from '../../../api/contract/limits.ts';
import type { Call } from '../../../api/transport.ts';
import type { Instant } from '../../../common/instant.ts';
import type { RequestContext } from '../../context.ts';
import type { Passwords } from '../../store/accounts/passwords.ts';
import { accountSubject, findSession, type SignedIn } from '../../store/accounts/sessions.ts';
import { hashSecret, isSameSecret, type Keys } from '../../store/keys.ts';
import type { Store } from '../../store/store.ts';

export type PageRequest = {
  call: Call;
  url: URL;
  context: RequestContext;
  now: Instant;
  store: Store;
  /** The browser sees this origin. */
  origin: string;
  user: SignedIn | undefined;
  newId: () => string;
  newSecret: () => string;
  passwords: Passwords;
  /** A browser without a cookie gets the one with this hash together with the page. */
  cookieHash: string;
  /** Every form of the page carries it. The call makes sure that the browser gets the cookie that it belongs to. */
  formToken(): string;
  isFormToken(text: string): boolean;
  /** A page has to set it: for its form, or for a user whose browser is not known yet. */
  owedCookie(): string | undefined;
  /** A browser is counted by it when it tries to sign in to an account that it has been signed in to before. */
  knownBrowser(email: string): string | undefined;
  /** Makes a cookie for the browser of a user who has just signed in. */
  newCookie(): { header: string; hash: string };
  /** This header deletes the cookie. */
  noCookie: string;
};

export type UserRequest = PageRequest & { user: SignedIn };

export const isSignedIn = (request: PageRequest): request is UserRequest => request.user !== undefined;

/** Every form carries a hidden field with this name. */
export const FORM_TOKEN = 'form_token';

const SECRET = /^[\w-]{43}$/;

/** @param url of the call, its host known to be ours */
export async function readPageRequest(call: Call, url: URL, context: RequestContext): Promise<PageRequest> {
  const { store, now, newId, newToken } = context;
  const isSecure = new URL(context.origin).protocol === 'https:';
  const name = cookieName(url, isSecure);
  const browser = knownBrowserOf(call.headers.cookie ?? '', `${name}-known`, store.keys);
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const sent = cookieIn(call.headers.cookie ?? '', name);
  const cookie = sent ?? newToken();
  const cookieHash = hashSecret(cookie);
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
    newId,
    newSecret: newToken,
    passwords: context.passwords,
    cookieHash,
    formToken() {
      isOwed = sent === undefined;
      return token;
    },
    isFormToken: (text) => sent !== undefined && isSameSecret(text, token),
    owedCookie() {
      if (isOwed) return `${name}=${cookie}${attributes}`;
      if (!user || browser.nonceFor(user.email) !== undefined) return undefined;
      return `${name}-known=${browser.newFor(user.email, newToken())}${attributes}; Max-Age=${KNOWN_SECONDS}`;
    },
    knownBrowser: browser.nonceFor,
    newCookie() {
      const fresh = newToken();
      return { header: `${name}=${fresh}${attributes}`, hash: hashSecret(fresh) };
    },
    noCookie: `${name}=${attributes}; Max-Age=0`,
  };
}

/** Browsers keep cookies of all ports of a host together: two services on one machine need two names. */
const cookieName = (url: URL, isSecure: boolean): string =>
  isSecure ? '__Host-esign' : `esign-${url.port || '80'}`;

/**
 * Reads the cookie. Of two with the same name, another site has set one, and nothing tells which. Neither is accepted.
 */
function cookieIn(header: string, name: string, shape: RegExp = SECRET): string | undefined {
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value = ''] = values;
  return values.length === 1 && shape.test(value) ? value : undefined;
}

const KNOWN_SECONDS = LIMITS.knownBrowserLifetimeMs / 1000;
const NONCE_AND_MAC = /^[\w-]{43}\.[\w-]{43}$/;

/**
 * Reads and makes the cookie of a browser that has been signed in. It is a nonce with a MAC that ties it to one account,
 * and the store keeps nothing of it.
 */
function knownBrowserOf(header: string, name: string, keys: Keys) {
  const [nonce = '', mac = ''] = cookieIn(header, name, NONCE_AND_MAC)?.split('.') ?? [];
  const macOf = (email: string, of: string) => keys.derive(`browser ${of} of ${accountSubject(email)}`);
  return {
    nonceFor: (email: string): string | undefined =>
      nonce !== '' && isSameSecret(mac, macOf(email, nonce)) ? nonce : undefined,
    newFor: (email: string, fresh: string): string => `${fresh}.${macOf(email, fresh)}`,
  };
}
