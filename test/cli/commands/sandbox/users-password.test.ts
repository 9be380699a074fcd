// `sandbox users password`: what it says once it has set a password, and that no password it was given is ever shown.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunOptions, runInProcess } from '../../../support/command-line/in-process.ts';
import { createStoryFixture, type StoryFixture } from '../../../support/stories/story.ts';
import { SLOW } from '../../../support/tier.ts';

let fixture: StoryFixture;
beforeEach(async () => {
  fixture = await createStoryFixture();
});
afterEach(() => fixture.close());

const run = (more: readonly string[] = [], surroundings: RunOptions = {}) =>
  runInProcess(fixture, ['sandbox', 'users', 'password', ...more], surroundings);

describe('a generated password', () => {
  test('is shown with a sentence in the past tense that it is not shown again', async () => {
    const { code, out } = await run([], { isTerminal: true });
    expect([code, out]).toEqual([0, expect.stringContaining('Password set. It is not shown again.')]);
    expect(out).toMatch(/[a-z2-9]{4}(-[a-z2-9]{4}){2}/);
  });

  test.skipIf(!SLOW)('is another one each time', async () => {
    const [one, other] = [(await run(['--json'])).out, (await run(['--json'])).out].map(
      (text) => JSON.parse(text).password as string,
    );
    expect(one).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/);
    expect(other).not.toBe(one);
  });
});

describe('a password from a file', () => {
  const given = async (text: string, more: RunOptions = {}, words: readonly string[] = []) => {
    await writeFile(join(fixture.folder, 'secret.txt'), text);
    return run([...words, '--password-file', 'secret.txt'], more);
  };

  test('is set, and not shown', async () => {
    const { code, out, err } = await given('battery staple\n', { isTerminal: true });
    expect([code, out]).toEqual([0, expect.stringContaining('Password set.')]);
    expect(out).not.toContain('It is not shown again');
    expect(out + err).not.toContain('staple');
    const json = await given('battery staple\n', {}, ['--json']);
    expect(JSON.parse(json.out)).toEqual({ email: 'sender@esign.test' });
  });

  test.skipIf(!SLOW)('is read from standard input', async () => {
    const { code, out, err } = await run(['--password-file', '-'], { input: 'correct horse\n' });
    expect(code).toBe(0);
    expect(out + err).not.toContain('horse');
  });

  test.each([
    ['short77', 'value_invalid', 'short77'],
    ['one line too\nmany of them\n', 'password_unreadable', 'too'],
  ])('is refused without being shown: %j', async (text, name, secret) => {
    const { code, out, err } = await given(text, {}, ['--json']);
    expect([code, out, JSON.parse(err).error.code]).toEqual([2, '', name]);
    expect(err).not.toContain(secret);
  });
});

test('of an unknown user is refused', async () => {
  const { code, err } = await run(['nobody@example.com', '--json']);
  expect([code, JSON.parse(err).error.code]).toEqual([5, 'user_not_found']);
});
