// Reads what this machine knows for TAB: names of profiles, and what it has seen of the service of the profile in use.
// It reads two small files. It must never open a store, connect to a service, or fail.

import { readConfigFile, type StoredConfig } from '../../config/config-file.ts';
import type { Environment, Variables } from '../../config/environment.ts';
import { pathsOf } from '../../config/paths.ts';
import { chooseProfile, SANDBOX } from '../../config/profile.ts';
import { readSeen, type SeenItem, seenFileOf } from '../recent/store.ts';
import type { KnownKind, KnownOffers } from './complete.ts';
import type { Offer } from './data.ts';
import type { CompletionLine } from './words.ts';

export function createKnownOffers(environment: () => Promise<Environment>): KnownOffers {
  return async (kind, line) => {
    try {
      const offers = await offersOf(kind, line, await environment());
      // What begins with a dash would be taken for an option.
      return offers.filter(({ value }) => !value.startsWith('-'));
    } catch {
      return [];
    }
  };
}

async function offersOf(kind: KnownKind, line: CompletionLine, environment: Environment): Promise<Offer[]> {
  const { configFile, seenDir } = pathsOf(environment);
  const config = await readConfigFile(configFile).catch((): StoredConfig => ({ profiles: {} }));
  if (kind === 'profile') return profiles(config);
  if (kind === 'alias')
    return Object.entries(config.aliases ?? {}).map(([value, about]) => ({ value, about }));
  const { name, service } = serviceInUse(line, environment.variables, config);
  const seen = (await readSeen(seenFileOf(seenDir, name))).filter((one) => one.service === service);
  return kind === 'recipient' ? recipients(seen, line) : things(seen, kind);
}

function profiles(config: StoredConfig): Offer[] {
  const stored = Object.entries(config.profiles).map(([value, { base_url = '' }]) => ({
    value,
    about: base_url,
  }));
  return Object.hasOwn(config.profiles, SANDBOX)
    ? stored
    : [...stored, { value: SANDBOX, about: 'the offline sandbox' }];
}

/** Chooses the service as the command would. Commands under `sandbox` use the sandbox, whatever the profile. */
function serviceInUse({ path, given }: CompletionLine, variables: Variables, config: StoredConfig) {
  if (path[0] === 'sandbox') return { name: SANDBOX, service: SANDBOX };
  const flags = { profile: given.get('profile')?.at(-1), sandbox: given.has('sandbox') };
  const { name, remote } = chooseProfile(flags, variables, config);
  return { name, service: remote?.baseUrl ?? SANDBOX };
}

const things = (seen: readonly SeenItem[], wanted: KnownKind): Offer[] =>
  seen
    .filter(({ kind }) => kind === wanted)
    .map(({ id, name, outcome }) => ({
      value: id,
      about: [name, outcome].filter((part) => typeof part === 'string' && part !== '').join(' · '),
    }));

/** Lists the recipients of the transaction on the line, or of all. */
function recipients(seen: readonly SeenItem[], { args }: CompletionLine): Offer[] {
  const transactions = seen.filter(({ kind, people }) => kind === 'transaction' && Array.isArray(people));
  const named = transactions.filter(({ id }) => args.includes(id));
  const offers = new Map<string, Offer>();
  for (const { people, name } of named.length > 0 ? named : transactions)
    for (const email of people ?? [])
      if (!offers.has(email)) offers.set(email, { value: email, about: String(name ?? '') });
  return [...offers.values()];
}
