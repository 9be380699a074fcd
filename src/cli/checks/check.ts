// Runs a check of `esign doctor`, or of a server that starts, within a time limit. A check never throws: an error becomes its finding.
import { cpuUsage } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { reportOf } from '../command/error-report.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { Outcome, Table } from '../command/outcome.ts';
import { withoutCredentials } from '../command/url-credentials.ts';
import type { SettingsFinding } from '../connection/connection.ts';

export type Finding = {
  state: 'ok' | 'warn' | 'fail' | 'skip';
  says: string;
  /** The way out. */
  hint?: string | undefined;
  /** The exit code of the program when this is the first failed check. */
  exit?: number;
  /** Another server does not answer now: nothing is wrong with the settings. */
  isTemporary?: boolean;
};

export type Check = Finding & { name: string };

export const passed = (says: string): Finding => ({ state: 'ok', says });
export const skipped = (says: string): Finding => ({ state: 'skip', says });
export const warning = (says: string, hint?: string): Finding => ({ state: 'warn', says, hint });
export const failure = (exit: number, says: string, hint?: string): Finding => ({
  state: 'fail',
  says,
  hint,
  exit,
});

/** Makes a finding of an error, with the message, the hint and the exit code that a command would have ended with. */
export function errorFinding(error: unknown): Finding {
  const { message, hint, exit } = reportOf(error);
  return failure(exit, message, hint);
}

/** Makes a finding of what the service found. */
export function findingOf({ state, says, hint, isTemporary = false }: SettingsFinding): Finding {
  if (state === 'ok') return passed(says);
  if (state === 'warn') return warning(says, hint);
  return { ...failure(EXIT.unexpected, says, hint), ...(isTemporary && { isTemporary }) };
}

/** Runs one check, and stops waiting for it after the time limit. */
export async function runCheck(
  name: string,
  limitMs: number,
  look: () => Promise<Finding> | Finding,
): Promise<Check> {
  const stop = new AbortController();
  const late = waitIdle(limitMs, stop.signal).then(() => warning(`No result within ${limitMs / 1000} s.`));
  try {
    const { says, hint, ...rest } = await Promise.race([look(), late]);
    return { name, ...rest, says: withoutCredentials(says), hint: hint && withoutCredentials(hint) };
  } catch (error) {
    return { name, ...errorFinding(error) };
  } finally {
    stop.abort();
  }
}

const STEP_MS = 100;

/** A step does not count when this process has computed for this share of it. */
const BUSY = 0.2;

/** Even a process that always computes ends. */
const MOST_STEPS_FACTOR = 10;

/**
 * Resolves after so much time in which this process only waited. A step counts once however long it took: while a machine is
 * overloaded, or stands still, nothing can answer. Checks that compute delay the others, which does not count either.
 */
async function waitIdle(limitMs: number, signal: AbortSignal): Promise<void> {
  const stepMs = Math.min(STEP_MS, limitMs);
  const wanted = Math.ceil(limitMs / stepMs);
  let idle = 0;
  for (let step = 0; idle < wanted && step < wanted * MOST_STEPS_FACTOR && !signal.aborted; step += 1) {
    const before = cpuUsage();
    await pause(stepMs, undefined, { signal }).catch(() => undefined);
    const { user, system } = cpuUsage(before);
    if ((user + system) / 1000 < stepMs * BUSY) idle += 1;
  }
}

export function checksOutcome(checks: readonly Check[]): Outcome {
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
    pageTable: pageTable(checks),
    ...(failure?.exit !== undefined && { exit: failure.exit }),
  };
}

const TONES = { ok: 'good', warn: 'now', fail: 'bad', skip: 'quiet' } as const;

/** Makes the table for a person: each hint stands below its finding. */
const pageTable = (checks: readonly Check[]): Table => ({
  columns: ['', 'CHECK', { name: 'RESULT', fit: 'wraps' }],
  rows: checks.flatMap(({ name, state, says, hint }) => [
    [state, name, says],
    ...(hint === undefined ? [] : [['', '', hint]]),
  ]),
  tones: checks.flatMap(({ state, hint }) => [TONES[state], ...(hint === undefined ? [] : [undefined])]),
});
