// The first stage: whether the request is for this service at all. A page of somebody else's that resolves its name to
// this machine must not be answered (DNS rebinding).
import type { Call } from '../../api/transport.ts';
import { ok, type Result, refuse } from '../context.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** @param origin the address that the service is reached at */
export function readAddress({ url: text }: Call, origin: string): Result<URL> {
  const url = parsedUrl(text);
  if (!url) return refuse('malformed_path');
  const isOurs = LOOPBACK.has(url.hostname) || url.hostname === new URL(origin).hostname;
  return isOurs ? ok(url) : refuse('host_not_allowed', { host: url.host });
}

/** One attempt instead of asking first: it is made for every request. */
export function parsedUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
