import type { Client } from '../../api/client.ts';
import { epochMsOf } from '../../common/instant.ts';
import { loadProfile, type Profile } from '../../config/profile.ts';
import { secretVariable } from '../../config/secret-variable.ts';
import type { LoginInfo } from '../../credentials/store.ts';
import { defineCommand } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import {
  boolean,
  list,
  nameOnly,
  nullable,
  number,
  object,
  only,
  prints,
  text,
} from '../command/json-output.ts';
import { type Entry, moment, type Outcome } from '../command/outcome.ts';
import { PERSON } from '../command/shared-json.ts';
import { environmentSource, notLoggedIn, personText, userOfToken } from '../connection/access-token.ts';
import type { Person } from '../input/person.ts';
import { wallClockMs } from '../process/edges.ts';

export const command = defineCommand({
  summary: 'Show the active profile, account and credentials',
  details:
    'Shows the active profile, where its credentials come from and are stored, the scopes that were ' +
    'requested, and the age of the access token. No request is sent, except with --check.',
  arguments: [],
  options: { check: { summary: 'Ask the service whether it accepts the access token, and whose it is' } },
  json: prints(
    object({
      profile: text,
      service: nullable(text),
      source: nullable(text),
      variable: nullable(text),
      file: nullable(text),
      client_id: nullable(text),
      scopes: nameOnly(nullable(list(text))),
      linked_at: nullable(text),
      token_obtained_at: nullable(text),
      token_age_seconds: nullable(number),
      sender: nullable(text),
      'is_accepted?': boolean,
      'user?': PERSON,
    }),
    '; in the sandbox ',
    object({
      profile: text,
      service: nameOnly(only('sandbox')),
      user: nameOnly(object({ email: text, name: text })),
      source: nameOnly(only(null)),
    }),
  ),
  examples: [{ line: 'esign whoami', about: 'Show the profile and account that commands use' }],
  async run(context, { options }) {
    return whoami(context, options.check);
  },
});

/** Where the access token comes from. */
type Source = 'environment' | 'keyring' | 'file';

async function whoami(
  context: Uses<'config' | 'connections' | 'process' | 'settings'>,
  check: boolean,
): Promise<Outcome> {
  const profile = await loadProfile(
    context.settings,
    context.process.environment.variables,
    context.config.file,
  );
  if (!profile.remote) return describeSandbox(context);
  const { environment } = context.process;
  const source = environmentSource(environment, profile.remote.baseUrl);
  if (source !== undefined) await secretVariable(environment.variables, source.replace(/_FILE$/, ''));
  const look = source === undefined ? await loginOf(context, profile, profile.remote.baseUrl) : undefined;
  const checked = check ? await checkAccess(context) : undefined;
  return remoteOutcome(context, profile, { source, look, checked });
}

async function describeSandbox(context: Uses<'connections'>): Promise<Outcome> {
  const { ownUser, profile } = await context.connections.sandbox();
  const { name, email } = ownUser ?? { name: '', email: '' };
  return {
    kind: 'record',
    headline: 'Commands use the offline sandbox on this machine.',
    json: { profile, service: 'sandbox', user: { name, email }, source: null },
    entries: [
      { key: 'profile', label: 'Profile', value: profile },
      { key: 'user', label: 'User', value: `${name} <${email}>` },
    ],
    notes: ['No login is needed. To use a real service, run `esign login`.'],
  };
}

async function loginOf(context: Uses<'connections'>, { name }: Profile, service: string): Promise<LoginInfo> {
  const look = await (await context.connections.logins()).inspect(name);
  if (look?.details.service === service) return look;
  throw notLoggedIn(
    name,
    look
      ? `The login of the profile "${name}" is for ${look.details.service}, not for ${service}.`
      : `You are not logged in to ${service}.`,
  );
}

/** @property user undefined where the service does not tell */
type TokenCheck = { isLive: boolean; user: Person | undefined };

async function checkAccess(context: Uses<'connections' | 'process'>): Promise<TokenCheck> {
  const { client } = await context.connections.connect();
  const isLive = await isAccepted(client);
  const user = await userOfToken(client);
  context.process.checkpoint();
  return { isLive, user };
}

/** Sends the cheapest request that needs a token. A missing permission shows that the token is valid as well. */
async function isAccepted(client: Client): Promise<boolean> {
  try {
    await client['template.list']({ query: { limit: '1', page: '1' } });
    return true;
  } catch (error) {
    const status = (error as { status?: number }).status;
    if (status === 403 || status === 404 || status === 405) return true;
    throw error;
  }
}

type AccountFacts = {
  source: string | undefined;
  look: LoginInfo | undefined;
  checked: TokenCheck | undefined;
};

async function remoteOutcome(
  context: Uses<'connections'>,
  profile: Profile,
  { source, look, checked }: AccountFacts,
): Promise<Outcome> {
  const facts = look?.details;
  const place: Source = look?.place ?? 'environment';
  const file = look && (await context.connections.logins()).fileOf(profile.name);
  const ageSeconds = facts && Math.max(0, Math.round((wallClockMs() - epochMsOf(facts.obtained_at)) / 1000));
  const entry = (key: string, label: string, value: Entry['value'], shown?: string): Entry => ({
    key,
    label,
    value,
    shown,
  });
  const where =
    place === 'environment' ? source : place === 'keyring' ? 'the keyring' : `${file}, readable by you only`;
  return {
    kind: 'record',
    json: {
      profile: profile.name,
      service: profile.remote?.baseUrl ?? null,
      source: place,
      variable: source ?? null,
      file: file ?? null,
      client_id: facts?.client_id ?? null,
      scopes: facts?.scopes ?? null,
      linked_at: facts?.linked_at ?? null,
      token_obtained_at: facts?.obtained_at ?? null,
      token_age_seconds: ageSeconds ?? null,
      sender: profile.sender ?? null,
      ...(checked && { is_accepted: checked.isLive, user: checked.user ?? null }),
    },
    entries: [
      entry('profile', 'Profile', profile.name),
      entry('service', 'Service', profile.remote?.baseUrl),
      entry('source', 'Credentials', place, where),
      entry('client_id', 'Application', facts?.client_id),
      entry('scopes', 'Requested scopes', facts?.scopes?.join(' ')),
      entry('linked_at', 'Linked', moment(facts?.linked_at)),
      entry('token_obtained_at', 'Token issued', moment(facts?.obtained_at)),
      entry('sender', 'Sender', profile.sender),
      entry(
        'is_accepted',
        'Accepted',
        checked?.isLive,
        checked?.isLive ? 'yes, the service accepts the token' : undefined,
      ),
      entry('user', 'User', checked?.user && personText(checked.user)),
    ],
  };
}
