// Reads proxies: the one of the command line for an address, from the usual variables, and the one that events are sent through. It returns the
// password in a variable as a header, so that no address that could be shown contains it.
import { decodedPart, parseUrl } from '../common/parse-url.ts';
import { ConfigError, type Variables, variable } from './environment.ts';

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
 * Chooses HTTPS_PROXY for https and HTTP_PROXY for http, except for hosts in NO_PROXY. The name in lower case wins, as with
 * curl; an empty variable counts as unset. It never chooses a proxy for this machine, because the proxy would connect to itself.
 * @throws ConfigError for a variable that names no proxy
 */
export function proxyFor(url: URL, variables: Variables): ProxyInUse | undefined {
  if (LOOPBACK.test(url.hostname)) return undefined;
  const from = named(variables, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  const value = from && variables[from];
  if (!from || !value || isExempt(url, variables)) return undefined;
  return { ...parsed(from, value), from };
}

/** Reads a variable in lower or upper case. */
const named = (variables: Variables, name: string): string | undefined =>
  [name, name.toUpperCase()].find((item) => variable(variables, item) !== undefined);

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

/** Reads NO_PROXY: `*`, or names separated by commas or spaces. Each covers its subdomains, with `:PORT` one port only. */
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

const DELIVERY_PROXY = 'ESIGN_DELIVERY_PROXY';

/** Reads ESIGN_DELIVERY_PROXY. Events are sent through a proxy only if it is set; HTTPS_PROXY is for requests of the command line. */
export function readDeliveryProxy(variables: Variables): string | undefined {
  const proxy = variable(variables, DELIVERY_PROXY);
  if (proxy === undefined || /^http:\/\/[^/?#\s]+\/?$/i.test(proxy)) return proxy;
  throw new ConfigError(
    'value_invalid',
    `The value of ${DELIVERY_PROXY} is not a valid proxy URL.`,
    'Use a URL such as http://proxy.example.com:3128.',
  );
}
