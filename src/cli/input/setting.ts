// A setting as `esign config` takes it: which key it is, and whether the value may stand there. What is secret is no
// setting: the file of profiles is shown, copied and kept in repositories.
import { parseRoute } from '../../api/client.ts';
import { API_OPERATIONS } from '../../api/contract/operations.ts';
import { SEALING_KEYS } from '../../config/config-file.ts';
import { makesRecipientIds, serviceAddress } from '../../config/profile.ts';
import { usageError } from '../command/errors.ts';
import { callbackAddress, clientIdIn, scopesIn } from './login-values.ts';
import { nearest } from './nearest.ts';
import { parsePerson } from './person.ts';

export const ADDRESS_KEYS: readonly string[] = ['base_url', 'dashboard_url', 'app_url'];

const ROUTES = 'routes.';
const SEALING = 'sealing.';
/** Every key, as it is written within a profile. */
export const SETTING_KEYS: readonly string[] = [
  'profile',
  ...ADDRESS_KEYS,
  'sender',
  'client_id',
  'callback_url',
  'scopes',
  'idempotency',
  'recipient_ids',
  'redirect_uri',
  'echoes_state',
  ...SEALING_KEYS.map((key) => `${SEALING}${key}`),
  ...Object.keys(API_OPERATIONS).map((id) => `${ROUTES}${id}`),
];

const SECRET = /token|secret|passw|passphrase|credential|bearer|authorization|(api|private|access)[-_.]?key/i;

/** The longest key and name that are worth comparing. */
const KEY_LENGTH = 200;

export type Setting = {
  /** As it is written within a profile: `base_url`, `routes.transaction.cancel`; or `profile`, which is of the file. */
  key: string;
  /** The profile that the key names: `profiles.acme.base_url`. */
  profile: string | undefined;
};

/** @throws CliError with exit 2 for a key that is not known, or is a secret */
export function parseSetting(text: string): Setting {
  const [, profile, within = text] = /^profiles\.([^.]+)\.(.+)$/s.exec(text) ?? [];
  if (SETTING_KEYS.includes(within) && !(profile !== undefined && within === 'profile'))
    return { key: within, profile };
  if (SECRET.test(within))
    throw usageError(
      'key_is_secret',
      'Secrets are not kept in the configuration.',
      '`esign login` keeps tokens where they belong; in CI set ESIGN_ACCESS_TOKEN.',
    );
  throw usageError(
    'key_unknown',
    `There is no setting "${text}".`,
    `Did you mean "${nearest(within.slice(0, KEY_LENGTH), SETTING_KEYS)}"? \`esign config set --help\` says which there are.`,
  );
}

/** Within a profile. An id of an operation is one step. */
export function pathWithin(key: string): string[] {
  const prefix = [ROUTES, SEALING].find((one) => key.startsWith(one));
  return prefix === undefined ? [key] : [prefix.slice(0, -1), key.slice(prefix.length)];
}

export const isSealingKey = (key: string): boolean => key.startsWith(SEALING);

/** @throws CliError or ConfigError with exit 2 */
export function settingValue(key: string, text: string): string | boolean {
  if (ADDRESS_KEYS.includes(key)) return serviceAddress(key, text);
  if (key === 'idempotency' || key === 'redirect_uri' || key === 'echoes_state') return truth(key, text);
  if (key === 'callback_url') return callbackAddress(key, text).href;
  if (key === 'scopes') return scopesIn(text, key).join(' ');
  if (key === 'client_id') return clientIdIn(text, key);
  if (key === 'sealing.level') return sealLevel(text);
  if (key.startsWith(ROUTES)) return routeOf(key.slice(ROUTES.length), text);
  if (key === 'recipient_ids') makesRecipientIds(text);
  if (key === 'sender') parsePerson(text, 'sender');
  return text;
}

function sealLevel(text: string): string {
  const level = text.toUpperCase();
  if (['B', 'T', 'LT', 'LTA'].includes(level)) return level;
  throw usageError(
    'value_invalid',
    `sealing.level "${text}" is not a level of seals.`,
    'Use B, T, LT or LTA.',
  );
}

function truth(key: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw usageError('value_invalid', `${key} "${text}" is not true or false.`, 'Write true or false.');
}

const placeholders = (path: string): string[] => path.match(/\{[^}]*\}/g) ?? [];

function routeOf(id: string, text: string): string {
  const { method, path } = API_OPERATIONS[id as keyof typeof API_OPERATIONS];
  const route = parseRoute(text);
  if (!route)
    throw usageError(
      'route_invalid',
      `"${text}" is not a method and a path.`,
      `Write it as in "${method} ${path}".`,
    );
  const known = placeholders(path);
  const stray = placeholders(route.path).find((one) => !known.includes(one));
  if (stray !== undefined)
    throw usageError(
      'route_invalid',
      `${id} has nothing to put in the place of ${stray}.`,
      known.length > 0 ? `It knows ${known.join(', ')}.` : 'Leave it out.',
    );
  return text;
}
