// The checks of a start of a team server. A server that would fail when the last person signs does not start. An installation that has served
// before comes back while its mail server or its timestamp authority is down: whoever reads and fills in needs neither.
import { stat, statfs } from 'node:fs/promises';
import type { TypedServeOptions } from '../../../config/serve.ts';
import type { START_CHECKS } from '../../../config/serve-settings.ts';
import {
  type Check,
  errorFinding,
  type Finding,
  failure,
  findingOf,
  passed,
  runCheck,
  skipped,
  warning,
} from '../../checks/check.ts';
import { checkFonts } from '../../checks/fonts.ts';
import type { Uses } from '../../command/context.ts';
import { reportOf } from '../../command/error-report.ts';
import { EXIT } from '../../command/exit-codes.ts';
import type { TeamServer } from '../../connection/connection.ts';
import { platform } from '../../process/edges.ts';

/** A timestamp authority and a mail server may be slow. */
const LIMIT_MS = 30_000;

/** Certificates and tokens are compared with this clock by others. */
const CLOCK_OFF_MS = 60_000;

const LITTLE_SPACE_BYTES = 2 ** 30;

export type StartChecks = {
  checks: Check[];
  /** Undefined where the installation cannot be opened, for the reason that `error` gives. */
  team: TeamServer | undefined;
  error?: unknown;
};

/** Opens the installation and runs all checks. @throws ConfigError for a setting that is missing or wrong */
export async function checkStart(
  { connections }: Uses<'connections'>,
  options: TypedServeOptions,
  mailTo?: string,
): Promise<StartChecks> {
  let team: TeamServer;
  try {
    team = await connections.openTeamServer(options);
  } catch (error) {
    const name = CHECK_OF[reportOf(error).code];
    if (name === undefined) throw error;
    return { team: undefined, error, checks: [{ name, ...errorFinding(error) }] };
  }
  const run = (name: (typeof START_CHECKS)[number] | 'migrations', work: () => Finding | Promise<Finding>) =>
    runCheck(name, LIMIT_MS, work);
  const checks = await Promise.all([
    run('database', () =>
      passed(`PostgreSQL ${team.databaseVersion} at ${team.database}, installation ${team.installation}.`),
    ),
    run('migrations', () => describeMigrations(team.missingMigrations().length)),
    run('key', () => checkKey(team.keyFile)),
    run('blobs', async () => findingOf(await team.checkBlobs())),
    run('clock', () => checkClock(team.clockAheadMs)),
    run('sealing', async () => findingOf(await team.checkSealing())),
    run('mail', async () => findingOf(await team.checkMail(mailTo))),
    run('origin', () => checkOrigin(team.origin)),
    run('proxy', () => checkProxy(team)),
    run('fonts', checkFonts),
    run('space', () => checkSpace(team.folder)),
  ]);
  return {
    team,
    checks: checks
      .map((check) => (team.hasServed && check.isTemporary ? lenient(check) : check))
      .map((check) => (team.required.includes(check.name) ? strict(check) : check))
      .map((check) => (team.allow.includes(check.name) ? lenient(check) : check)),
  };
}

/** Makes a failure of a warning. */
const strict = (check: Check): Check =>
  check.state === 'warn' ? { ...check, state: 'fail', exit: EXIT.unexpected } : check;

/** Makes a warning of a failure. */
const lenient = (check: Check): Check =>
  check.state === 'fail'
    ? {
        name: check.name,
        state: 'warn',
        says: check.says,
        ...(check.hint !== undefined && { hint: check.hint }),
      }
    : check;

const describeMigrations = (missing: number): Finding =>
  missing === 0
    ? passed('The tables are those of this version.')
    : passed(
        `The tables are those of an older version. A start makes the missing changes (${missing}) after its checks.`,
      );

async function checkProxy(team: TeamServer): Promise<Finding> {
  const isDirect = new URL(team.origin).protocol === 'http:';
  return isDirect
    ? skipped('There is no proxy: only this machine can use the service.')
    : findingOf(await team.checkProxy());
}

/** Which check an error belongs to that is met while the installation is opened. */
const CHECK_OF: Readonly<Record<string, string>> = {
  storage_unavailable: 'database',
  storage_unusable: 'database',
  storage_full: 'database',
  storage_damaged: 'database',
  copy_unfinished: 'database',
  store_newer: 'migrations',
  store_unreleased: 'migrations',
  migrations_missing: 'migrations',
  installation_foreign: 'installation',
  key_mismatch: 'key',
  blobs_unusable: 'blobs',
};

function checkClock(aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= CLOCK_OFF_MS)
    return passed(
      'The clocks of this machine and of the database agree. The server uses that of the database.',
    );
  return warning(
    `The clock of this machine is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database, which the server uses.`,
    'Synchronize the clocks of both machines.',
  );
}

function checkOrigin(origin: string): Finding {
  const { protocol } = new URL(origin);
  if (protocol === 'https:') return passed(`Links begin with ${origin}.`);
  return warning(
    `Links begin with ${origin}, which only this machine can open.`,
    'To serve others, set --origin to an https:// URL.',
  );
}

const READABLE_BY_OTHERS = 0o004;

/** Warns of a key that other users of this machine can read. */
export async function checkKey(file: string | undefined): Promise<Finding> {
  // Windows has no such modes.
  const isPublic =
    file !== undefined && platform !== 'win32' && ((await stat(file)).mode & READABLE_BY_OTHERS) !== 0;
  if (!isPublic) return passed('The key is the one of this installation.');
  return warning(
    `Every user of this machine can read the key (${file}), and with it the secrets in the database.`,
    `Run \`chmod 600 ${file}\`.`,
  );
}

async function checkSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const megabytes = Math.floor((bavail * bsize) / 2 ** 20);
  if (bavail * bsize >= LITTLE_SPACE_BYTES) return passed(`${megabytes} MB are free in ${folder}.`);
  return failure(
    EXIT.network,
    `Only ${megabytes} MB are free in ${folder}.`,
    'Free some space, or set --data-dir.',
  );
}
