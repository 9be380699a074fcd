// Which proxy an address is reached through, from the variables that everybody else reads for it. The password in
// one is handed on as a header and never stands in an address that could be shown.
import { decodedPart, parseUrl } from '../api/contract/parse-url.ts';
import { ConfigError } from './config-error.ts';
import { type Variables, variable } from './environment.ts';

export type ProxyInUse = {
  /** Without name and password. */
  address: string;
  /** The value of `Proxy-Authorization` (RFC 7617). */
  authorization: string | undefined;
  /** The variable that names it. */
  from: string;
};

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * HTTPS_PROXY for https, HTTP_PROXY for http, but for what NO_PROXY names. The name in lower case wins, as with curl;
 * an empty variable counts as unset. This machine is never reached through a proxy, which would reach itself.
 * @throws ConfigError for a variable that names no proxy
 */
export function proxyFor(url: URL, variables: Variables): ProxyInUse | undefined {
  if (LOOPBACK.test(url.hostname)) return undefined;
  const from = named(variables, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  const value = from && variables[from];
  if (!from || !value || isExempt(url, variables)) return undefined;
  return { ...parsed(from, value), from };
}

/** The variable that counts, in lower or upper case. */
const named = (variables: Variables, name: string): string | undefined =>
  [name, name.toUpperCase()].find((one) => variable(variables, one) !== undefined);

function parsed(from: string, value: string): Omit<ProxyInUse, 'from'> {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = parseUrl(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw new ConfigError(
      'variable_invalid',
      `The value of ${from} is not a valid proxy URL.`,
      'Use http://HOST:PORT or https://HOST:PORT. If the proxy needs a login, add NAME:PASSWORD@ before the host.',
    );
  const [user, password] = [decodedPart(url.username), decodedPart(url.password)];
  const hasCredentials = user !== '' || password !== '';
  return {
    address: url.origin,
    authorization: hasCredentials
      ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
      : undefined,
  };
}

/** `*`, or names separated by commas or spaces: each stands for itself and what is below it, with `:PORT` for one port. */
function isExempt({ hostname, port, protocol }: URL, variables: Variables): boolean {
  const name = named(variables, 'no_proxy');
  const host = hostname.toLowerCase();
  const at = port || (protocol === 'https:' ? '443' : '80');
  return (name ? (variables[name] ?? '') : '')
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [, pattern = '', onlyPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (pattern === '' || (onlyPort !== undefined && onlyPort !== at)) return false;
      return host === pattern || host === `[${pattern}]` || host.endsWith(`.${pattern}`);
    });
}
