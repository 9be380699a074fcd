// Checks the errors that stories cause: what a person reads is sentences, and says what to do next.
import { PROBLEMS } from '../../../src/api/contract/problems.ts';
import { ERROR_CODES } from '../../../src/cli/command/error-codes.ts';

/** Nothing is to be done, or the sentence says it already, as those of the service do. */
const WITHOUT_HINT = new Set([
  'interrupted',
  'not_confirmed',
  'seed_invalid',
  'value_invalid',
  ...Object.keys(PROBLEMS),
]);

const SENTENCE = /[.?…]$/;

/** @param err what a command printed on stderr @returns what is wrong with its error; undefined where all is well, or there is none */
export function unexplainedError(err: string): string | undefined {
  const [, sentence = '', code = ''] = /^error: (.+) \((\w+)\)$/m.exec(err) ?? [];
  if (!Object.hasOwn(ERROR_CODES, code) || code === 'unexpected') return undefined;
  if (!SENTENCE.test(sentence)) return 'its error does not end with a full stop';
  const hints = [...err.matchAll(/^hint: (.+)$/gm)].map(([, hint = '']) => hint);
  if (hints.some((hint) => !SENTENCE.test(hint))) return 'its hint does not end with a full stop';
  const isExplained = hints.length > 0 || /^next: /m.test(err) || WITHOUT_HINT.has(code);
  return isExplained ? undefined : 'its error says nothing of what to do next';
}
