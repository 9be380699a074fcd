// `esign doctor`: looks at everything that has to be right, at the same time, and says what is not and what to do.
import type { Profile } from '../../../config/profile.ts';
import type { Uses } from '../../command/context.ts';
import type { Outcome } from '../../command/outcome.ts';
import { type Check, check, ok } from './check.ts';
import {
  checkAuthorities,
  checkCallback,
  checkFolders,
  checkKeyring,
  checkNode,
  checkOffice,
  checkSandbox,
  checkSealing,
} from './machine.ts';
import { checkStore } from './store.ts';

/** Two rounds, one after the other, stay under ten seconds. */
const LIMIT_MS = 4000;

/** Every byte of a large sandbox is read at the speed of its disk. */
const DEEP_LIMIT_MS = 60 * 60 * 1000;

export async function doctor(
  context: Uses<'config' | 'connections' | 'process'>,
  { deep }: { deep: boolean },
): Promise<Outcome> {
  const profiled = await profileOf(context);
  const local = [
    check('node', LIMIT_MS, () => checkNode()),
    check('folders', LIMIT_MS, () => checkFolders(context.process.paths)),
    Promise.resolve(profiled.check),
    check('keyring', LIMIT_MS, () => checkKeyring(context.process.environment.variables)),
    check('callback', LIMIT_MS, () => checkCallback(profiled.profile)),
    check('authorities', LIMIT_MS, () => checkAuthorities(context.process.environment)),
    check('libreoffice', LIMIT_MS, () => checkOffice(context.process.environment.variables)),
  ];
  const { profile } = profiled;
  const ofFiles = () => checkStore(context, { deep, limitMs: deep ? DEEP_LIMIT_MS : LIMIT_MS });
  const ofService: Promise<Check | Check[]>[] = [];
  if (profile?.remote) {
    ofService.push(...remoteChecks(context, profile, profile.remote.baseUrl));
    // Whoever speaks to a remote service has the files of the sandbox looked at when they ask for it.
    if (deep) ofService.push(ofFiles());
  } else if (profile) {
    // Opening a sandbox of an older version brings its tables up to date: its files are looked at after that.
    const opening = check('sandbox', LIMIT_MS, () => checkSandbox(context));
    const sealing = () => check('sealing', 2 * LIMIT_MS, () => checkSealing(context));
    ofService.push(opening, opening.then(ofFiles), opening.then(sealing));
  }
  return outcomeOf(
    (await Promise.all([...local, ...ofService].map(async (one) => [await one].flat()))).flat(),
  );
}

async function profileOf(
  context: Uses<'config' | 'connections'>,
): Promise<{ check: Check; profile: Profile | undefined }> {
  let profile: Profile | undefined;
  const found = await check('profile', LIMIT_MS, async () => {
    const { name, by } = context.config.profileInUse(await context.config.read());
    profile = await context.connections.profile();
    return ok(`The profile "${name}" is in use: ${WHY[by]}.`);
  });
  return { check: found, profile };
}

const WHY = {
  flag: 'a flag names it',
  address: 'ESIGN_BASE_URL describes its service',
  choice: 'ESIGN_PROFILE or the configuration names it',
  default: 'nothing else is configured, and nothing leaves this machine',
};

function remoteChecks(
  context: Uses<'connections' | 'process'>,
  profile: Profile,
  baseUrl: string,
): Promise<Check | Check[]>[] {
  const service = import('./service.ts');
  const reaching = service.then(({ reach }) => reach(context, baseUrl, LIMIT_MS));
  reaching.catch(() => undefined);
  const afterwards = async (): Promise<Check[]> => {
    const { reply } = await reaching.catch(() => ({ reply: undefined }));
    const { checkAccess, checkClock } = await service;
    const clock = await check('clock', LIMIT_MS, () => checkClock(reply));
    if (!reply) return [clock];
    const asking = checkAccess(context.connections.connect, profile);
    asking.catch(() => undefined);
    return [
      clock,
      ...(await Promise.all([
        check('access', LIMIT_MS, async () => (await asking).access),
        check('routes', LIMIT_MS, async () => (await asking).routes),
      ])),
    ];
  };
  return [
    check('proxy', LIMIT_MS, async () => (await service).checkProxy(context, baseUrl)),
    check('service', 2 * LIMIT_MS, async () => (await reaching).finding),
    check('certificate', LIMIT_MS, async () => (await service).checkCertificate(context, baseUrl)),
    afterwards(),
  ];
}

function outcomeOf(checks: readonly Check[]): Outcome {
  const failure = checks.find(({ state }) => state === 'fail');
  return {
    kind: 'list',
    json: {
      ok: failure === undefined,
      checks: checks.map(({ name, state, says, hint }) => ({
        name,
        state,
        message: says,
        hint: hint ?? null,
      })),
    },
    empty: '',
    table: {
      columns: ['', 'CHECK', '', ''],
      rows: checks.map(({ name, state, says, hint }) => [state, name, says, hint]),
    },
    ...(failure?.exit !== undefined && { exit: failure.exit }),
  };
}
