// Decides where a browser is sent after consent: only to a registered address (spec §5), with the answer added to the
// parameters of that address.

import { parseUrl } from '../../api/contract/parse-url.ts';

/** RFC 8252 §7.3: a program on the user's computer takes any free port. Names, `localhost` too, stay exact. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?=[/?]|$)/;

/**
 * assumed: A23. Compared as text, so that no two programs can read one address differently.
 * @param given the extension `redirect_uri` of the link
 * @returns the address to go to, or undefined when it is not the registered one
 */
export function callbackOf(registered: string, given: string | undefined): string | undefined {
  if (given === undefined || given === registered) return registered;
  const [known, asked] = [LOOPBACK.exec(registered), LOOPBACK.exec(given)];
  if (!known || !asked || !parseUrl(given)) return undefined;
  const withoutPort = (address: string, [start, port]: RegExpExecArray) =>
    (port === undefined ? start : start.slice(0, -port.length - 1)) + address.slice(start.length);
  return withoutPort(registered, known) === withoutPort(given, asked) ? given : undefined;
}

export type ConsentAnswer = { code: string } | { error: 'access_denied' };

/** @param state as it stood in the link, still encoded: it goes back byte for byte */
export function addressWith(callback: string, answer: ConsentAnswer, state: string | undefined): string {
  const url = new URL(callback);
  const [[name, value] = ['', '']] = Object.entries(answer);
  const echoed = state === undefined ? '' : `&state=${state}`;
  url.search = `${url.search === '' ? '?' : `${url.search}&`}${name}=${encodeURIComponent(value)}${echoed}`;
  return url.href;
}
