import type { Profile } from '../../config/profile.ts';
import { type Check, checksOutcome, passed, runCheck } from '../checks/check.ts';
import { checkFonts } from '../checks/fonts.ts';
import { defineCommand } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import { boolean, list, object, prints } from '../command/json-output.ts';
import type { Outcome } from '../command/outcome.ts';
import { CHECK } from '../command/shared-json.ts';
import {
  checkAuthorities,
  checkCallback,
  checkCodeCache,
  checkFolders,
  checkKeyring,
  checkNode,
  checkOffice,
  checkSandbox,
  checkSandboxMail,
  checkSandboxSealing,
  checkStore,
} from './doctor/machine.ts';
import { writeReport } from './doctor/report.ts';
import { checkAccess, checkCertificate, checkClock, checkProxy, reach } from './doctor/service.ts';

export const command = defineCommand({
  summary: 'Check this machine, profile and connection for problems',
  details:
    'Checks Node.js, directories, the profile, the keyring, ports and fonts. For a service, checks the ' +
    'connection and its certificate, whether the clocks of this machine and the service agree, the access ' +
    'token and the assumed paths. For the offline sandbox, checks ' +
    'the database, its key, the stored documents, sealing, email and free disk space. Changes nothing and ' +
    'sends no documents or emails. The exit code is that of the first failed check.',
  arguments: [],
  options: {
    deep: { summary: 'Read every byte of the sandbox and compare it with what was stored' },
    report: {
      value: 'FILE',
      completes: 'file',
      summary:
        'Also write a Markdown report for a bug report to a new file, without secrets, URLs and home directories',
    },
  },
  json: prints(
    object({
      ok: boolean,
      checks: list(CHECK),
    }),
  ),
  examples: [
    { line: 'esign doctor', about: 'Check for problems when something does not work' },
    { line: 'esign doctor --sandbox --deep', about: 'Check the sandbox after a disk failure' },
    {
      line: 'esign doctor --report report.md',
      about: 'Write a report for a bug report; read it before sharing it',
    },
  ],
  async run(context, { options }) {
    return runChecks(context, { deep: options.deep === true, report: options.report });
  },
});

/** Two rounds, one after the other, stay under ten seconds. */
const LIMIT_MS = 4000;

/** A document is sealed by another process, whose own limits come first, and may be stamped by a remote authority. */
const SEALING_LIMIT_MS = 60_000;

/** Every byte of a large sandbox is read at the speed of its disk. */
const DEEP_LIMIT_MS = 60 * 60 * 1000;

async function runChecks(
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
    runCheck('fonts', LIMIT_MS, async () => checkFonts()),
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
  const checks = (await Promise.all([...local, ...ofService])).flat();
  const outcome = checksOutcome(checks);
  if (report === undefined) return outcome;
  const path = await writeReport(context, checks, report);
  return { ...outcome, notes: [`Wrote the report to ${path}. Read it before you share it.`] };
}

async function profileOf(
  context: Uses<'config' | 'connections'>,
): Promise<{ check: Check; profile: Profile | undefined }> {
  let profile: Profile | undefined;
  const check = await runCheck('profile', LIMIT_MS, async () => {
    const { name, by } = context.config.profileInUse(await context.config.read());
    profile = await context.connections.profile();
    return passed(`The active profile is "${name}" (${WHY[by]}).`);
  });
  return { check, profile };
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
  const reaching = reach(context, baseUrl, LIMIT_MS);
  reaching.catch(() => undefined);
  const afterwards = async (): Promise<Check[]> => {
    const { reply } = await reaching.catch(() => ({ reply: undefined }));
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
    runCheck('proxy', LIMIT_MS, () => checkProxy(context, baseUrl)),
    runCheck('service', 2 * LIMIT_MS, async () => (await reaching).finding),
    runCheck('certificate', LIMIT_MS, () => checkCertificate(context, baseUrl)),
    afterwards(),
  ];
}
