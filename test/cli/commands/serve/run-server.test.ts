// A start of the team server that fails where its log is JSON: one line, which has the trace only with --debug.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runInProcess } from '../../../support/command-line/in-process.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('a start of the team server that fails', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = (options: readonly string[], isTerminal = false) =>
    runInProcess(
      {
        folder,
        env: {
          ESIGN_HOME: folder,
          ESIGN_SERVE_DATABASE: 'postgres://ada:geheim@127.0.0.1:1/esign',
          ESIGN_SERVE_KEY: 'ab'.repeat(32),
          ESIGN_SERVE_ALLOW: 'mail',
        },
      },
      ['serve', ...options],
      { isTerminal },
    );

  test('is one line of JSON without a trace', async () => {
    const { code, err, out } = await start([]);
    expect([code, out, err.trim().split('\n').length]).toEqual([7, '', 1]);
    expect(JSON.parse(err)).toMatchObject({ level: 'error', code: expect.any(String) });
    expect(JSON.parse(err)).not.toHaveProperty('trace');
  });

  test('has its trace in that line with --debug, without the password of the database', async () => {
    const { err } = await start(['--debug']);
    const { level, message, trace } = JSON.parse(err.trim().split('\n').at(-1) ?? '') as Record<
      string,
      string
    >;
    expect(level).toBe('error');
    expect(trace).toContain(message);
    expect(trace).toMatch(/\n {4}at .+\.ts:\d+:\d+/);
    expect(err).not.toContain('geheim');
  });

  test('prints its trace at a terminal with --debug', async () => {
    const { err } = await start(['--debug'], true);
    expect(err).toMatch(/\n {4}at .+\.ts:\d+:\d+/);
    expect(err).toContain('(storage_unavailable)');
  });
});
