// `esign doctor`: looks at everything that has to be right, at the same time, and says what is not and what to do.
import type { Profile } from '../../../config/profile.ts';
import type { App } from '../../app.ts';
import type { Outcome } from '../../outcome.ts';
import { type Check, check, ok } from './check.ts';
import {
  checkAuthorities,
  checkCallback,
  checkFolders,
  checkKeyring,
  checkNode,
  checkSandbox,
} from './machine.ts';

/** Two rounds, one after the other, stay under ten seconds. */
const LIMIT_MS = 4000;

export async function doctor(app: App): Promise<Outcome> {
  const profiled = await profileOf(app);
  const local = [
    check('node', LIMIT_MS, () => checkNode()),
    check('folders', LIMIT_MS, () => checkFolders(app.paths)),
    Promise.resolve(profiled.check),
    check('keyring', LIMIT_MS, () => checkKeyring(app.environment.variables)),
    check('callback', LIMIT_MS, () => checkCallback(profiled.profile)),
    check('authorities', LIMIT_MS, () => checkAuthorities(app.environment)),
  ];
  const { profile } = profiled;
  const ofService = profile?.remote
    ? remoteChecks(app, profile, profile.remote.baseUrl)
    : profile
      ? [check('sandbox', LIMIT_MS, () => checkSandbox(app))]
      : [];
  return outcomeOf(
    (await Promise.all([...local, ...ofService].map(async (one) => [await one].flat()))).flat(),
  );
}

async function profileOf(app: App): Promise<{ check: Check; profile: Profile | undefined }> {
  let profile: Profile | undefined;
  const found = await check('profile', LIMIT_MS, async () => {
    const { name, by } = app.config.profileInUse(await app.config.read());
    profile = await app.profile();
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

function remoteChecks(app: App, profile: Profile, baseUrl: string): Promise<Check | Check[]>[] {
  const service = import('./service.ts');
  const reaching = service.then(({ reach }) => reach(app, baseUrl, LIMIT_MS));
  reaching.catch(() => undefined);
  const afterwards = async (): Promise<Check[]> => {
    const { reply } = await reaching.catch(() => ({ reply: undefined }));
    const { checkAccess, checkClock } = await service;
    const clock = await check('clock', LIMIT_MS, () => checkClock(reply));
    if (!reply) return [clock];
    const asking = checkAccess(app.connect, profile);
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
    check('proxy', LIMIT_MS, async () => (await service).checkProxy(app, baseUrl)),
    check('service', 2 * LIMIT_MS, async () => (await reaching).finding),
    check('certificate', LIMIT_MS, async () => (await service).checkCertificate(app, baseUrl)),
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
