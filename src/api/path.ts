// Path templates of the operation table: filling in ids and recognising them again.
// An id can never reach another path: it is encoded, and dot segments are refused.

import { LONE_SURROGATE } from '../common/text.ts';

/** Thrown by {@link fillPath}: a value cannot be part of a path. */
export class PathError extends Error {
  override name = 'PathError';
}

/** @param template `/v1/transaction/{transactionId}` */
export function fillPath(template: string, params: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new PathError('An ID must not be empty.');
    if (value === '.' || value === '..' || LONE_SURROGATE.test(value))
      throw new PathError(`"${value}" is not a valid ID.`);
    return encodeURIComponent(value);
  });
}

/** Decodes the ids when `path` matches `template`; undefined when it does not. Throws URIError. */
export const matchPath = (template: string, path: string): Record<string, string> | undefined =>
  matchSegments(template.split('/'), path.split('/'));

/** The same for paths that were split at their slashes before. */
export function matchSegments(
  wanted: readonly string[],
  given: readonly string[],
): Record<string, string> | undefined {
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (let index = 0; index < wanted.length; index += 1) {
    const part = wanted[index] ?? '';
    const segment = given[index] ?? '';
    if (part.startsWith('{')) {
      if (segment === '') return undefined;
      params[part.slice(1, -1)] = decodeURIComponent(segment);
    } else if (part !== segment) return undefined;
  }
  return params;
}

/** Parses `METHOD /path` as a profile has it; undefined when the text has another form. */
export function parseRoute(text: string): { method: string; path: string } | undefined {
  const match = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(text);
  return match ? { method: match[1] ?? '', path: match[2] ?? '' } : undefined;
}
