// Tries a sender's regular expression on a recipient's value. Both come from outside, so the attempt has a time
// limit: an expression that takes for ever matches nothing.
import { createContext, runInContext } from 'node:vm';
import { LIMITS } from '../api/contract/limits.ts';

export function matches(pattern: string, value: string): boolean {
  const context = createContext({ pattern, value });
  try {
    return (
      runInContext('new RegExp("^(?:" + pattern + ")$", "u").test(value)', context, {
        timeout: LIMITS.regexTimeMs,
      }) === true
    );
  } catch {
    return false;
  }
}
