// Makes the outcome of a command that runs checks: a table, JSON, and the exit code of the first failed check.
import type { Outcome, Table } from '../command/outcome.ts';
import type { Check } from './check.ts';

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
