import { describe, expect, test } from 'vitest';
import { INFRASTRUCTURE_ERRORS } from '../../../src/cli/command/error-catalogue/infrastructure.ts';
import { CATALOGUE } from '../../../src/cli/command/error-catalogue.ts';
import { reportOf } from '../../../src/cli/command/error-report.ts';
import type { ErrorRow } from '../../../src/cli/command/error-row.ts';
import { cliError } from '../../../src/cli/command/errors.ts';
import { EXIT } from '../../../src/cli/command/exit-codes.ts';
import { GLOBAL_OPTIONS } from '../../../src/cli/command/global-options.ts';
import { ANSWER_HINTS, SERVICE_HINTS, serviceErrors } from '../../../src/cli/command/service-errors.ts';
import { describeTree } from '../../../src/cli/describe/describe.ts';
import { errorsOfEsign, errorsOfTheService } from '../../../src/cli/describe/topics/error-codes.ts';
import { parseWords } from '../../../src/cli/program.ts';
import { TREE } from '../../../src/cli/tree.ts';
import { ConfigError } from '../../../src/config/environment.ts';
import { KeyringError } from '../../../src/credentials/keyring.ts';
import { LoginUnreadableError } from '../../../src/credentials/store.ts';
import { DamagedStoreError, NewerStoreError, UnreleasedStoreError } from '../../../src/database/database.ts';
import { StorageError } from '../../../src/database/failure.ts';
import { LockTimeoutError } from '../../../src/database/file-locks.ts';
import { sampleOf } from '../../support/tier.ts';

type Row = ErrorRow<Record<string, unknown>>;

/** Every row with each of its samples. */
const CASES = Object.entries(CATALOGUE).flatMap(([code, described]) => {
  const row = described as unknown as Row;
  return row.samples.map((facts, index) => ({ code, index, row, facts }));
});

const saidOf = ({ row, facts }: (typeof CASES)[number]): string[] => [
  row.sentence(facts),
  row.hint?.(facts) ?? '',
  ...(row.next?.(facts) ?? []).flatMap(({ command, when }) => [command, when]),
];

/** What names a value: texts, numbers and lists of texts. None of something is said in words. */
const valuesOf = (facts: object): string[] =>
  Object.values(facts)
    .flat()
    .filter((value) => typeof value === 'string' || (typeof value === 'number' && value > 0))
    .map(String);

/** `outcome: 'draft'` is said as "a draft". */
const isSaid = (value: string, text: string): boolean => text.toLowerCase().includes(value.toLowerCase());

describe('every error', () => {
  test.each(sampleOf(CASES, 2))(
    '$code ($index): its sentence and hint name its facts, and are sentences',
    (one) => {
      const [sentence = '', hint = ''] = saidOf(one);
      const text = saidOf(one).join(' ');
      for (const value of valuesOf(one.facts)) expect(isSaid(value, text), `${value} in ${text}`).toBe(true);
      expect(sentence).toMatch(/^["`\p{Lu}\p{N}-].*[.?]$|^(esign|base_url|a|b|mail|file)\b.*[.]$/su);
      if (hint !== '') expect(hint).toMatch(/^["`=\p{L}-].*[.?]$/su);
      for (const said of saidOf(one)) expect(said).not.toMatch(/undefined|\[object|NaN|null|\$\{/);
    },
  );

  test('ends with one of the exit codes', () => {
    const exits = new Set<number>(Object.values(EXIT));
    for (const { row, facts } of CASES)
      expect(exits).toContain(typeof row.exit === 'function' ? row.exit(facts) : row.exit);
    for (const { exit } of Object.values(INFRASTRUCTURE_ERRORS)) expect(exits).toContain(exit);
    for (const { exit } of serviceErrors()) expect(exits).toContain(exit);
  });

  test('is in the list of error codes', () => {
    const rows = [...errorsOfEsign(), ...errorsOfTheService()];
    for (const code of [
      ...Object.keys(CATALOGUE),
      ...Object.keys(INFRASTRUCTURE_ERRORS),
      ...Object.keys(SERVICE_HINTS),
    ])
      expect(rows).toContainEqual([code, expect.stringMatching(/^Exit \d/)]);
    expect(rows.flat().join(' ')).not.toMatch(/undefined|\[object/);
  });

  test('is typed: its code, and the facts that its sentence needs', () => {
    // @ts-expect-error there is no such code
    expect(() => cliError('no_such_code')).toThrow();
    // @ts-expect-error a fact is missing
    expect(() => cliError('file_not_found')).not.toThrow();
    // @ts-expect-error a fact is of another type
    expect(() => cliError('page_unknown', { page: 'one', document: 'a', count: 1 })).not.toThrow();
    // @ts-expect-error this code takes no facts
    expect(() => cliError('stdin_twice', { file: 'a' })).not.toThrow();
  });
});

// ── what hints say to type ──────────────────────────────────────────────────────────────────────────────────────

const HINTS = [
  ...CASES.flatMap((one) => saidOf(one).slice(1)),
  ...Object.values(INFRASTRUCTURE_ERRORS).map(({ hint }) => hint),
  ...Object.values({ ...SERVICE_HINTS, ...ANSWER_HINTS }).map((hint) => hint ?? ''),
];

/** The lines that hints quote, and the commands that lead on. */
const LINES = new Set(
  HINTS.flatMap((hint) => [
    ...[...hint.matchAll(/`(esign[^`]*)`/g)].map(([, line = '']) => line),
    ...(/^esign /.test(hint) ? [hint] : []),
  ]).filter((line) => line !== 'esign'),
);

/** As a shell would part them, without what is redirected. */
const wordsOf = (line: string): string[] =>
  [...(line.split(' < ')[0] ?? '').matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, bare]) => quoted ?? bare ?? '')
    .slice(1);

describe('what a hint says to type', () => {
  test.each(sampleOf([...LINES], 6))('%s is understood', async (line) => {
    const words = wordsOf(line);
    // A command that is named without what it needs is named, not quoted in full.
    const parsed = parseWords(words, { tree: TREE, version: '0' }).catch(
      (error: unknown) => reportOf(error).code,
    );
    expect(['object', 'argument_missing', 'option_missing'].map(String)).toContain(
      await parsed.then((outcome) => (typeof outcome === 'string' ? outcome : 'object')),
    );
  });

  test('names options that exist', async () => {
    const known = new Set(['--help', '--version', ...Object.keys(GLOBAL_OPTIONS).map((name) => `--${name}`)]);
    for (const { options } of await describeTree(TREE))
      for (const { name } of options) known.add(`--${name}`);
    const placeholders = new Set(['--OPTION', '--OTHER']);
    const named = HINTS.flatMap((hint) => hint.match(/(?<![\w-])--[A-Za-z][\w-]*/g) ?? []);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((option) => !known.has(option) && !placeholders.has(option))).toEqual([]);
  });
});

// ── errors of the rooms below ───────────────────────────────────────────────────────────────────────────────────

test.each([
  [new ConfigError('profile_unknown', 'No.', 'Look.'), 'profile_unknown', 2, 'Look.'],
  [new ConfigError('value_invalid', 'No.', 'Look.'), 'value_invalid', 2, 'Look.'],
  [new NewerStoreError('No.'), 'store_newer', 1, 'Update esign.'],
  [new UnreleasedStoreError('0002-x', 'Remove it.'), 'store_unreleased', 1, 'Remove it.'],
  [new DamagedStoreError('No.', { hint: 'Restore it.' }), 'storage_damaged', 1, 'Restore it.'],
  [new DamagedStoreError('No.'), 'storage_damaged', 1, INFRASTRUCTURE_ERRORS.storage_damaged.hint],
  [new StorageError('No.', 'full'), 'storage_full', 7, INFRASTRUCTURE_ERRORS.storage_full.hint],
  [new StorageError('No.', 'unusable'), 'storage_unusable', 2, INFRASTRUCTURE_ERRORS.storage_unusable.hint],
  [new LockTimeoutError('No.'), 'locked', 7, INFRASTRUCTURE_ERRORS.locked.hint],
  [new KeyringError('it is locked'), 'keyring_unusable', 4, INFRASTRUCTURE_ERRORS.keyring_unusable.hint],
  [new LoginUnreadableError('No.'), 'login_unreadable', 4, 'Log in again with `esign login`.'],
  [
    Object.assign(new Error('x'), { code: 'ENOSPC', path: '/a' }),
    'storage_full',
    7,
    INFRASTRUCTURE_ERRORS.storage_full.hint,
  ],
])('%s is reported with its code', (error, code, exit, hint) => {
  expect(reportOf(error)).toMatchObject({ code, exit, hint });
});

const system = (facts: object, cause?: unknown): Error => Object.assign(new Error('x', { cause }), facts);

test.each<[string, unknown, { code: string; exit: number; message: string }]>([
  [
    'a full disk in SQLite',
    system({ errcode: 13 }),
    {
      code: 'storage_full',
      exit: 7,
      message: 'A file that esign stores data in cannot be used: no space is left on the disk.',
    },
  ],
  [
    'a full disk while a log grows',
    system({ errcode: 4874 }),
    {
      code: 'storage_full',
      exit: 7,
      message: 'A file that esign stores data in cannot be used: no space is left on the disk.',
    },
  ],
  [
    'a write without a path',
    system({ code: 'ENOSPC' }),
    {
      code: 'storage_full',
      exit: 7,
      message: 'A file that esign stores data in cannot be used: no space is left on the disk.',
    },
  ],
  [
    'a quota, as the cause of another error',
    system({}, system({}, system({ code: 'EDQUOT', path: '/h/a' }))),
    { code: 'storage_full', exit: 7, message: '/h/a cannot be used: no space is left on the disk.' },
  ],
  [
    'a read-only disk',
    system({ code: 'EROFS', path: '/h' }),
    { code: 'storage_unusable', exit: 2, message: '/h cannot be used: it is read-only.' },
  ],
  [
    'a read-only disk in SQLite',
    system({ errcode: 8 }),
    {
      code: 'storage_unusable',
      exit: 2,
      message: 'A file that esign stores data in cannot be used: it is read-only.',
    },
  ],
  [
    'no permission',
    system({ code: 'EACCES', path: '/h' }),
    {
      code: 'storage_unusable',
      exit: 2,
      message: '/h cannot be used: this process has no permission to use it.',
    },
  ],
  [
    'a directory that is a file',
    system({ code: 'ENOTDIR', path: '/h' }),
    { code: 'storage_unusable', exit: 2, message: '/h cannot be used (ENOTDIR).' },
  ],
  [
    'a program that may not be started',
    system({ code: 'EACCES' }),
    { code: 'unexpected', exit: 1, message: 'x' },
  ],
])('%s is said in words', (_, error, expected) => {
  expect(reportOf(error)).toMatchObject(expected);
});
