import { describe, expect, test } from 'vitest';
import { ApiError, PathError } from '../../../src/api/codec.ts';
import { ConnectionError } from '../../../src/api/transport.ts';
import { ERROR_CODES } from '../../../src/cli/command/error-codes.ts';
import { errorJson, reportOf } from '../../../src/cli/command/error-report.ts';
import { cliError, Interrupted, PartialFailure } from '../../../src/cli/command/errors.ts';
import { ConfigError } from '../../../src/config/environment.ts';
import { KeyringError } from '../../../src/credentials/keyring.ts';
import { LoginUnreadableError } from '../../../src/credentials/store.ts';
import { DamagedStoreError, NewerStoreError, UnreleasedStoreError } from '../../../src/database/database.ts';
import { StorageError } from '../../../src/database/failure.ts';
import { LockTimeoutError } from '../../../src/database/file-locks.ts';
import { ProgramReplacedError } from '../../../src/pdf/engine/program-replaced.ts';

const refused = (status: number, code = 'some_code', operation = 'transaction.cancel') =>
  new ApiError('No.', { operation, status, code, errors: [], requestId: 'r1', method: 'PUT', path: '/v1/x' });

const lost = (delivery: 'not_sent' | 'unknown') =>
  new ConnectionError('Gone.', { delivery, reason: 'ECONNRESET' });

describe('exit codes', () => {
  test.each([
    [refused(400), 3],
    [refused(401), 4],
    [refused(403), 4],
    [refused(404, 'transaction_not_found'), 5],
    [refused(405), 5],
    [refused(409), 6],
    [refused(413), 3],
    [refused(415), 3],
    [refused(422), 3],
    [refused(429), 7],
    [refused(500), 7],
    [refused(503), 7],
    [refused(200, 'answer_incomplete'), 1],
    [refused(302), 1],
    [lost('not_sent'), 7],
    [lost('unknown'), 7],
    [cliError('file_not_found', { sentence: 'No.' }), 2],
    [new PathError('No.'), 2],
    [new ConfigError('profile_unknown', 'No.', 'Look.'), 2],
    [new Interrupted('SIGINT'), 130],
    [new Interrupted('SIGTERM'), 143],
    [new TypeError('bug'), 1],
    ['text', 1],
    [new PartialFailure(refused(409), { partial: { id: 't' } }), 6],
    [new PartialFailure(lost('unknown'), { partial: {}, exit: 10 }), 10],
  ])('%o', (error, exit) => {
    expect(reportOf(error).exit).toBe(exit);
  });
});

describe('an error', () => {
  test('as JSON has its shape whatever it was', () => {
    for (const error of [
      refused(422),
      lost('unknown'),
      new TypeError('bug'),
      cliError('stdin_twice', { sentence: 'No.' }),
    ]) {
      const json = errorJson(reportOf(error)) as { error: Record<string, unknown> };
      expect(Object.keys(json)).toEqual(['error']);
      expect(json.error).toMatchObject({
        code: expect.any(String),
        message: expect.any(String),
        exit: expect.any(Number),
        retryable: expect.any(Boolean),
        next: expect.any(Array),
      });
    }
  });

  test('says what exists already, and keeps the exit code of what stopped it', () => {
    const error = new PartialFailure(refused(422), {
      partial: { id: 't1', plan: 'p1' },
      next: [{ command: 'esign tx send --resume p1', when: 'later' }],
    });
    expect(errorJson(reportOf(error))).toMatchObject({
      error: {
        exit: 3,
        partial: { id: 't1', plan: 'p1' },
        http: { status: 422, request_id: 'r1', method: 'PUT', path: '/v1/x' },
        next: [{ command: 'esign tx send --resume p1' }],
      },
    });
  });

  test('an error for an unknown route says how to override it', () => {
    expect(reportOf(refused(404, 'http_404')).hint).toContain('ESIGN_ROUTES');
    expect(reportOf(refused(405, 'method_not_allowed')).hint).toContain('transaction.cancel');
    expect(reportOf(refused(405, 'http_405')).hint).toContain('esign assumes');
    expect(reportOf(refused(404, 'http_404', 'transaction.create')).hint).not.toContain('esign assumes');
    expect(reportOf(refused(404, 'transaction_not_found')).hint).not.toContain('ESIGN_ROUTES');
  });

  test('nothing worth another try is called retryable', () => {
    expect(reportOf(refused(422)).retryable).toBe(false);
    expect(reportOf(refused(429)).retryable).toBe(true);
    expect(reportOf(cliError('stdin_twice', { sentence: 'No.' })).retryable).toBe(false);
  });
});

// ── errors of the rooms below ───────────────────────────────────────────────────────────────────────────────────

test.each([
  [new ConfigError('profile_unknown', 'No.', 'Look.'), 'profile_unknown', 2, 'Look.'],
  [new ConfigError('value_invalid', 'No.', 'Look.'), 'value_invalid', 2, 'Look.'],
  [new NewerStoreError('No.'), 'store_newer', 1, 'Update esign.'],
  [new UnreleasedStoreError('0002-x', 'Remove it.'), 'store_unreleased', 1, 'Remove it.'],
  [new DamagedStoreError('No.', { hint: 'Restore it.' }), 'storage_damaged', 1, 'Restore it.'],
  [new DamagedStoreError('No.'), 'storage_damaged', 1, ERROR_CODES.storage_damaged[2]],
  [new StorageError('No.', 'full'), 'storage_full', 7, ERROR_CODES.storage_full[2]],
  [new StorageError('No.', 'unusable'), 'storage_unusable', 2, ERROR_CODES.storage_unusable[2]],
  [new ProgramReplacedError(), 'program_replaced', 1, ERROR_CODES.program_replaced[2]],
  [new LockTimeoutError('No.'), 'locked', 7, ERROR_CODES.locked[2]],
  [new KeyringError('it is locked'), 'keyring_unusable', 4, ERROR_CODES.keyring_unusable[2]],
  [new LoginUnreadableError('No.'), 'login_unreadable', 4, 'Log in again with `esign login`.'],
  [
    Object.assign(new Error('x'), { code: 'ENOSPC', path: '/a' }),
    'storage_full',
    7,
    ERROR_CODES.storage_full[2],
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
