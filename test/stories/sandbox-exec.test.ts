// `sandbox exec` and `sandbox serve --ready-file`: what the other program gets, its exit code and signals, and that nothing is left.
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createStoryFixture, type StoryFixture, startCommand } from '../support/stories/story.ts';

let fixture: StoryFixture;
let temporary: string;

beforeAll(async () => {
  fixture = await createStoryFixture();
  temporary = join(fixture.folder, 'temporary');
  await mkdir(temporary);
  Object.assign(fixture.env, { TMPDIR: temporary });
});
afterAll(() => fixture.close());

const left = () => readdirSync(temporary).filter((name) => name.startsWith('esign-sandbox-'));

async function run(line: string) {
  const child = startCommand(fixture, `exec ${line}`);
  const [exit] = await once(child.process, 'close');
  return { exit, ...child.said() };
}

describe('sandbox exec', () => {
  test('serves a new sandbox for the program, passes its exit code on, and deletes the sandbox', async () => {
    const script = [
      'esign tx send contract.pdf --to ada@example.com --json >sent.json',
      'esign sandbox sign "$(node -p "require(\'./sent.json\').id")" --json',
      'esign whoami --json >who.json',
      'head -1 "$NODE_EXTRA_CA_CERTS"',
      'exit 7',
    ].join('\n');
    const { exit, out, err } = await run(
      `esign sandbox exec --clock 2030-01-01 -- sh -c '${script.replaceAll("'", `'\\''`)}'`,
    );
    expect(err).not.toContain('error');
    expect(exit).toBe(7);
    expect(out).toContain('-----BEGIN CERTIFICATE-----');
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ status: 'completed' });
    const sent = JSON.parse(readFileSync(join(fixture.folder, 'sent.json'), 'utf8'));
    expect(sent.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign\?token=/);
    expect(left()).toEqual([]);
    const own = await run('esign tx list --json');
    expect(own.out).not.toContain(sent.id);
  });

  test('passes a signal on, waits for the program, and deletes the sandbox', async () => {
    const script = 'trap "exit 9" TERM; echo ready; while :; do sleep 0.1; done';
    const child = startCommand(fixture, `exec esign sandbox exec -- sh -c '${script}'`);
    await vi.waitFor(() => expect(child.said().out).toContain('ready'), 60_000);
    expect(left()).toHaveLength(1);
    child.process.kill('SIGTERM');
    expect((await once(child.process, 'close'))[0]).toBe(9);
    expect(left()).toEqual([]);
  });

  test('says the signal that ended the program as shells do', async () => {
    expect((await run("esign sandbox exec -- sh -c 'kill -KILL $$'")).exit).toBe(137);
  });

  test('refuses a program that does not exist, and a clock that is no time', async () => {
    const tooLong = await run(`esign sandbox exec --json -- ${'x'.repeat(300)}`);
    expect(JSON.parse(tooLong.err).error).toMatchObject({ code: 'program_not_started', exit: 2 });
    const missing = await run('esign sandbox exec --json -- no-such-program');
    expect(missing.exit).toBe(2);
    expect(JSON.parse(missing.err).error).toMatchObject({ code: 'program_not_started' });
    const wrong = await run('esign sandbox exec --json --clock soon -- touch made');
    expect(JSON.parse(wrong.err).error).toMatchObject({ code: 'value_invalid', exit: 2 });
    expect(existsSync(join(fixture.folder, 'made'))).toBe(false);
    expect(left()).toEqual([]);
  });
});

describe('sandbox serve --ready-file', () => {
  test('writes the file when requests are answered, and deletes it at the end', async () => {
    const file = join(fixture.folder, 'ready.json');
    const child = startCommand(fixture, 'exec esign sandbox serve --port 0 --ready-file ready.json --json');
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), 60_000);
    const facts = JSON.parse(readFileSync(file, 'utf8'));
    expect((await fetch(`${facts.base_url}/health`)).status).toBeLessThan(500);
    expect(JSON.parse(child.said().out)).toEqual(facts);
    child.process.kill('SIGTERM');
    expect((await once(child.process, 'close'))[0]).toBe(143);
    expect(existsSync(file)).toBe(false);
  });

  test('refuses a file that cannot be written, and stops serving', async () => {
    const { exit, err } = await run('esign sandbox serve --port 0 --ready-file temporary --json');
    expect(exit).toBe(2);
    expect(JSON.parse(err.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'file_not_writable',
    });
  });
});
