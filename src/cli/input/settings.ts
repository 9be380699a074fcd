// Parses a setting of `esign config`, and checks its value; a login takes some of the same values. A secret cannot be a setting, because
// the file of profiles is shown, copied and kept in repositories.

import { parseRoute } from '../../api/codec.ts';
import { ALL_SCOPES, type Scope } from '../../api/contract/operation.ts';
import { API_OPERATIONS } from '../../api/contract/operations.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import { parseUrl } from '../../common/parse-url.ts';
import { SWITCHES, TEXTS } from '../../config/config-file.ts';
import { makesRecipientIds, serviceAddress } from '../../config/profile.ts';
import { checkMailSetting, MAIL_KEYS, SEALING_KEYS } from '../../config/sealing-and-mail.ts';
import { type CliError, cliError } from '../command/errors.ts';
import { invalidValue } from '../command/wrong-input.ts';
import { parsePerson } from './person.ts';

export const ADDRESS_KEYS: readonly string[] = ['base_url', 'dashboard_url', 'app_url'];

const ALIASES = 'aliases.';
const ROUTES = 'routes.';
const SEALING = 'sealing.';
const MAIL = 'mail.';
/** Every key, as it is written within a profile. */
export const SETTING_KEYS: readonly string[] = [
  'profile',
  ...TEXTS,
  ...SWITCHES,
  ...SEALING_KEYS.map((key) => `${SEALING}${key}`),
  ...MAIL_KEYS.map((key) => `${MAIL}${key}`),
  ...Object.keys(API_OPERATIONS).map((id) => `${ROUTES}${id}`),
];

const SECRET = /token|secret|passw|passphrase|credential|bearer|authorization|(api|private|access)[-_.]?key/i;

type Setting = {
  /** As it is written within a profile: `base_url`, `routes.transaction.cancel`; or `profile` and `aliases.NAME`, which are of the file. */
  key: string;
  /** The profile that the key names: `profiles.acme.base_url`. */
  profile: string | undefined;
};

/** Parses a key. @throws CliError with exit 2 for an unknown key, or a secret */
export function parseSetting(text: string): Setting {
  // Any name is accepted here; whether it hides a command is checked when it is set.
  if (text.startsWith(ALIASES) && text.length > ALIASES.length) return { key: text, profile: undefined };
  const [, profile, within = text] = /^profiles\.([^.]+)\.(.+)$/s.exec(text) ?? [];
  if (SETTING_KEYS.includes(within) && !(profile !== undefined && within === 'profile'))
    return { key: within, profile };
  if (SECRET.test(within))
    throw cliError('key_is_secret', {
      sentence: `"${within}" looks like a secret. The configuration stores no secrets.`,
      hint: 'Store tokens with `esign login`. In CI, set ESIGN_ACCESS_TOKEN.',
    });
  throw cliError('key_unknown', {
    sentence: `Unknown setting "${text}".`,
    hint: didYouMean(nearest(within, SETTING_KEYS), 'See `esign config set --help` for all settings.'),
  });
}

/** The path of a key within a profile. The id of an operation is one element. */
export function pathWithin(key: string): string[] {
  const prefix = [ROUTES, SEALING, MAIL].find((candidate) => key.startsWith(candidate));
  return prefix === undefined ? [key] : [prefix.slice(0, -1), key.slice(prefix.length)];
}

/** The name of the alias that a key sets. */
export const aliasNameIn = (key: string): string | undefined =>
  key.startsWith(ALIASES) ? key.slice(ALIASES.length) : undefined;

/** Whether only the sandbox has the setting. */
export const isOfSandbox = (key: string): boolean => key.startsWith(SEALING) || key.startsWith(MAIL);

/** Parses the value of a setting. @throws CliError or ConfigError with exit 2 */
export function settingValue(key: string, text: string): string | boolean {
  if (ADDRESS_KEYS.includes(key)) return serviceAddress(key, text);
  if (SWITCHES.some((name) => name === key)) return truth(key, text);
  if (key === 'callback_url') return callbackAddress(key, text).href;
  if (key === 'scopes') return scopesIn(text, key).join(' ');
  if (key === 'client_id') return clientIdIn(text, key);
  if (key === 'sealing.level') return sealLevel(text);
  if (key.startsWith(MAIL)) checkMailSetting(key.slice(MAIL.length), text);
  if (key.startsWith(ROUTES)) return routeOf(key.slice(ROUTES.length), text);
  if (key === 'recipient_ids') makesRecipientIds(text);
  if (key === 'sender') parsePerson(text, 'sender');
  return text;
}

function sealLevel(text: string): string {
  const level = text.toUpperCase();
  if (['B', 'T', 'LT', 'LTA'].includes(level)) return level;
  throw invalidValue({ name: 'sealing.level', value: text, use: 'B, T, LT or LTA' });
}

function truth(key: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidValue({ name: key, value: text, use: 'true or false' });
}

const placeholders = (path: string): string[] => path.match(/\{[^}]*\}/g) ?? [];

function routeOf(id: string, text: string): string {
  const { method, path } = API_OPERATIONS[id as keyof typeof API_OPERATIONS];
  const route = parseRoute(text);
  if (!route)
    throw cliError('route_invalid', {
      sentence: `"${text}" is not a valid route.`,
      hint: `Use a method and a path, as in "${method} ${path}".`,
    });
  const allowed = placeholders(path);
  const stray = placeholders(route.path).find((candidate) => !allowed.includes(candidate));
  if (stray !== undefined)
    throw cliError('route_invalid', {
      sentence: `The operation ${id} has no value for ${stray}.`,
      hint: allowed.length > 0 ? `Use ${allowed.join(', ')}.` : `Leave out ${stray}.`,
    });
  return text;
}

/** The Callback URL when no other is registered. */
export const DEFAULT_CALLBACK = 'http://127.0.0.1:8976/callback';

/** Parses a Callback URL. @param name what it was given as, for the error */
export function callbackAddress(name: string, text: string): URL {
  const url = parseUrl(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.hash !== '' || url.username !== '' || url.password !== '')
    throw cliError('callback_invalid', {
      sentence: `"${text}" is not a valid callback URL for ${name}.`,
      hint: 'Use the callback URL as it is registered, for example http://127.0.0.1:8976/callback.',
    });
  return url;
}

/** Parses scopes with spaces or commas between them. */
export function scopesIn(text: string, name: string): Scope[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 0)
    throw cliError('scope_missing', {
      sentence: `${name} contains no scope.`,
      hint: `Use one or more of ${ALL_SCOPES.join(', ')}.`,
    });
  for (const word of words)
    if (!(ALL_SCOPES as readonly string[]).includes(word))
      throw cliError('scope_unknown', {
        sentence: `"${word}" is not a valid scope (${name}).`,
        hint: didYouMean(nearest(word, ALL_SCOPES), `Use one or more of ${ALL_SCOPES.join(', ')}.`, ''),
      });
  return ALL_SCOPES.filter((scope) => words.includes(scope));
}

export function clientIdIn(text: string, name: string): string {
  if (/^[\x21-\x7e]{1,512}$/.test(text)) return text;
  throw cliError('client_id_invalid', {
    sentence: `"${text}" is not a valid client ID for ${name}.`,
    hint: 'Copy the client ID of the OAuth application from the dashboard.',
  });
}

export const invalidProfileName = (name: string): CliError =>
  cliError('profile_name_invalid', {
    sentence: `"${name}" is not a valid profile name.`,
    hint: 'Use up to 64 letters, digits, - and _. The name "sandbox" is reserved.',
  });
