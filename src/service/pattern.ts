// Tries senders' regular expressions on a recipient's values. Both come from outside, so an attempt has a time limit,
// and so have all attempts of a request together: an expression that takes for ever matches nothing.
import { type Context, createContext, Script } from 'node:vm';
import { LIMITS } from '../api/contract/limits.ts';

const ATTEMPT = new Script('new RegExp("^(?:" + pattern + ")$", "u").test(value)');

/** For one request. @param totalMs once it is spent, nothing matches any more */
export function createMatcher(
  totalMs: number = LIMITS.regexTotalMs,
): (pattern: string, value: string) => boolean {
  let leftMs = totalMs;
  let context: Context | undefined;
  return (pattern, value) => {
    const timeout = Math.floor(Math.min(leftMs, LIMITS.regexTimeMs));
    if (timeout <= 0) return false;
    context ??= createContext({});
    Object.assign(context, { pattern, value });
    const startedMs = performance.now();
    try {
      return ATTEMPT.runInContext(context, { timeout }) === true;
    } catch {
      return false;
    } finally {
      leftMs -= performance.now() - startedMs;
    }
  };
}
