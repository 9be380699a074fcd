// `esign doctor`: runs all checks at the same time, and says what is wrong and what to do.
import type { Profile } from '../../../config/profile.ts';
import { type Check, passed, runCheck } from '../../checks/check.ts';
import { checksOutcome } from '../../checks/outcome.ts';
import type { Uses } from '../../command/context.ts';
import type { Outcome } from '../../command/outcome.ts';
import { checkCodeCache } from './code-cache.ts';
import {
  checkAuthorities,
  checkCallback,
  checkFolders,
  checkKeyring,
  checkNode,
  checkOffice,
  checkSandbox,
  checkSandboxMail,
  checkSandboxSealing,
} from './machine.ts';
import { checkStore } from './store.ts';

/** Two rounds, one after the other, stay under ten seconds. */
const LIMIT_MS = 4000;

/** A document is sealed by another process, whose own limits come first, and may be stamped by a remote authority. */
const SEALING_LIMIT_MS = 60_000;

/** Every byte of a large sandbox is read at the speed of its disk. */
const DEEP_LIMIT_MS = 60 * 60 * 1000;

export async function runChecks(
  context: Uses<'config' | 'connections' | 'process' | 'program'>,
  { deep, report }: { deep: boolean; report?: string | undefined },
): Promise<Outcome> {
  const profiled = await profileOf(context);
  const local = [
    runCheck('node', LIMIT_MS, () => checkNode()),
    runCheck('folders', LIMIT_MS, () => checkFolders(context.process.paths)),
    Promise.resolve(profiled.check),
    runCheck('keyring', LIMIT_MS, () => checkKeyring(context.process.environment.variables)),
    runCheck('callback', LIMIT_MS, () => checkCallback(profiled.profile)),
    runCheck('authorities', LIMIT_MS, () => checkAuthorities(context.process.environment)),
    runCheck('code', LIMIT_MS, () =>
      checkCodeCache(context.process.paths.codeDir, context.process.environment.variables),
    ),
    runCheck('fonts', LIMIT_MS, async () => (await import('../../checks/fonts.ts')).checkFonts()),
    runCheck('libreoffice', LIMIT_MS, () => checkOffice(context.process.environment.variables)),
  ];
  const { profile } = profiled;
  const ofFiles = () => checkStore(context, { deep, limitMs: deep ? DEEP_LIMIT_MS : LIMIT_MS });
  const ofService: Promise<Check | Check[]>[] = [];
  if (profile?.remote) {
    ofService.push(...remoteChecks(context, profile, profile.remote.baseUrl));
    // With a remote service in use, the files of the sandbox are checked only on request.
    if (deep) ofService.push(ofFiles());
  } else if (profile) {
    // Opening a sandbox of an older version upgrades its tables, so its files are checked after that.
    const opening = runCheck('sandbox', LIMIT_MS, () => checkSandbox(context));
    const sealing = () => runCheck('sealing', SEALING_LIMIT_MS, () => checkSandboxSealing(context));
    const mail = () => runCheck('mail', 2 * LIMIT_MS, () => checkSandboxMail(context));
    ofService.push(opening, opening.then(ofFiles), opening.then(sealing), opening.then(mail));
  }
  const checks = (await Promise.all([...local, ...ofService].map(async (one) => [await one].flat()))).flat();
  const outcome = checksOutcome(checks);
  if (report === undefined) return outcome;
  const { writeReport } = await import('./report.ts');
  const path = await writeReport(context, checks, report);
  return { ...outcome, notes: [`Wrote the report to ${path}. Read it before you share it.`] };
}

async function profileOf(
  context: Uses<'config' | 'connections'>,
): Promise<{ check: Check; profile: Profile | undefined }> {
  let profile: Profile | undefined;
  const found = await runCheck('profile', LIMIT_MS, async () => {
    const { name, by } = context.config.profileInUse(await context.config.read());
    profile = await context.connections.profile();
    return passed(`The active profile is "${name}" (${WHY[by]}).`);
  });
  return { check: found, profile };
}

const WHY = {
  flag: 'selected with an option',
  address: 'configured with ESIGN_BASE_URL',
  choice: 'selected by ESIGN_PROFILE or the configuration',
  default: 'the default; nothing leaves this machine',
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
    const clock = await runCheck('clock', LIMIT_MS, () => checkClock(reply));
    if (!reply) return [clock];
    const asking = checkAccess(context.connections.connect, profile);
    asking.catch(() => undefined);
    return [
      clock,
      ...(await Promise.all([
        runCheck('access', LIMIT_MS, async () => (await asking).access),
        runCheck('routes', LIMIT_MS, async () => (await asking).routes),
      ])),
    ];
  };
  return [
    runCheck('proxy', LIMIT_MS, async () => (await service).checkProxy(context, baseUrl)),
    runCheck('service', 2 * LIMIT_MS, async () => (await reaching).finding),
    runCheck('certificate', LIMIT_MS, async () => (await service).checkCertificate(context, baseUrl)),
    afterwards(),
  ];
}
