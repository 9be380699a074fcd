import { describe, expect, test } from 'vitest';
import { ApiError, PathError } from '../../../src/api/codec.ts';
import { ConnectionError } from '../../../src/api/transport.ts';
import { errorJson, reportOf } from '../../../src/cli/command/error-report.ts';
import { cliError, Interrupted, PartialFailure } from '../../../src/cli/command/errors.ts';
import { ConfigError } from '../../../src/config/environment.ts';

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
    [cliError('file_not_found', { path: 'a' }), 2],
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
    for (const error of [refused(422), lost('unknown'), new TypeError('bug'), cliError('stdin_twice')]) {
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
    expect(reportOf(cliError('stdin_twice')).retryable).toBe(false);
  });
});
