// Checks the values that a login takes before a browser is opened.
import { parseUrl } from '../../api/contract/parse-url.ts';
import { ALL_SCOPES, type Scope } from '../../api/contract/scopes.ts';
import { nearest } from '../../common/nearest.ts';
import { cliError } from '../command/errors.ts';

/** The Callback URL when no other is registered. */
export const DEFAULT_CALLBACK = 'http://127.0.0.1:8976/callback';

/** Parses a Callback URL. @param name what it was given as, for the error */
export function callbackAddress(name: string, text: string): URL {
  const url = parseUrl(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.hash !== '' || url.username !== '' || url.password !== '')
    throw cliError('callback_invalid', { name, value: text });
  return url;
}

/** Parses scopes with spaces or commas between them. */
export function scopesIn(text: string, name: string): Scope[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 0) throw cliError('scope_missing', { name, known: ALL_SCOPES });
  for (const word of words)
    if (!(ALL_SCOPES as readonly string[]).includes(word))
      throw cliError('scope_unknown', {
        name,
        scope: word,
        meant: nearest(word, ALL_SCOPES),
        known: ALL_SCOPES,
      });
  return ALL_SCOPES.filter((scope) => words.includes(scope));
}

export function clientIdIn(text: string, name: string): string {
  if (/^[\x21-\x7e]{1,512}$/.test(text)) return text;
  throw cliError('client_id_invalid', { name, value: text });
}
