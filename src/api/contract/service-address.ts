// Decides which URL may be the address of a service. It must be https or this machine, because an access token is sent there.
import { parseUrl } from './parse-url.ts';

export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** How a person corrects an address that is refused. */
export const SERVICE_ADDRESS_HINT =
  'Use https://HOST[/PATH]. For this machine (127.0.0.1, [::1], localhost), http:// is accepted too.';

/** @returns the address without a slash at its end; undefined where it is none */
export function parseServiceAddress(text: string): string | undefined {
  const url = parseUrl(text);
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_NAMES.has(url.hostname));
  if (!url || !isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return undefined;
  return text.replace(/\/+$/, '');
}
