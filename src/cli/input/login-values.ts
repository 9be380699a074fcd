// What a login is told: checked before a browser is opened.
import { LIMITS } from '../../api/contract/limits.ts';
import { ALL_SCOPES, type Scope } from '../../api/contract/scopes.ts';
import { usageError } from '../command/errors.ts';
import { nearest } from './nearest.ts';

/** Where a browser comes back to when nothing else is registered. */
export const DEFAULT_CALLBACK = 'http://127.0.0.1:8976/callback';

/** @param name what it was given as, for the error */
export function callbackAddress(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.hash !== '' || url.username !== '' || url.password !== '')
    throw usageError(
      'callback_invalid',
      `${name} "${text}" is not a Callback URL.`,
      'Give it as it is registered, for example http://127.0.0.1:8976/callback.',
    );
  return url;
}

/** Scopes with spaces or commas between them. */
export function scopesIn(text: string, name: string): Scope[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 0)
    throw usageError('scope_missing', `${name} names no scope.`, `Use some of ${ALL_SCOPES.join(', ')}.`);
  for (const word of words)
    if (!(ALL_SCOPES as readonly string[]).includes(word))
      throw usageError(
        'scope_unknown',
        `${name} "${word}" is not a scope.`,
        `Did you mean ${nearest(word.slice(0, LIMITS.tokenLength), ALL_SCOPES)}?`,
      );
  return ALL_SCOPES.filter((scope) => words.includes(scope));
}

export function clientIdIn(text: string, name: string): string {
  if (/^[\x21-\x7e]{1,512}$/.test(text)) return text;
  throw usageError(
    'client_id_invalid',
    `${name} "${text}" is not a client id.`,
    'Copy the Client Application ID from the OAuth settings of the dashboard.',
  );
}
