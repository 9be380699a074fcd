// The first stage: refuses requests whose Host header names another host. A foreign page whose domain resolves to this machine must not
// be answered (DNS rebinding).
import { isIP } from 'node:net';
import type { Call } from '../../api/transport.ts';
import { ok, type Result, refuse } from '../context.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** A service that listens on all addresses is reached under any of them. Only a name can be made to resolve to this machine. */
const UNSPECIFIED = new Set(['0.0.0.0', '[::]']);

/**
 * Reads the address of a call.
 * @param origin the address that the service is reached at
 * @param allowedHosts other names under which it is reached
 */
export function readAddress(
  { url: text }: Call,
  origin: string,
  allowedHosts: readonly string[],
): Result<URL> {
  const url = parsedUrl(text);
  if (!url) return refuse('malformed_path');
  const served = new URL(origin).hostname;
  const isOurs =
    LOOPBACK.has(url.hostname) ||
    url.hostname === served ||
    allowedHosts.includes(url.hostname) ||
    (UNSPECIFIED.has(served) && isIP(url.hostname.replace(/[[\]]/g, '')) !== 0);
  return isOurs ? ok(url) : refuse('host_not_allowed', { host: url.host });
}

/** Parses once instead of testing first, because it runs for every request. */
export function parsedUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
