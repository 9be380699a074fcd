// `tx open` at a terminal: the page it prints and opens answers, until the recipient has signed. The streams are those of a
// terminal, the browser is a program that notes the URL.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAtTerminal } from '../../support/command-line/at-terminal.ts';
import { runInProcess } from '../../support/command-line/in-process.ts';
import { createStoryFixture, type StoryFixture } from '../../support/stories/story.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

let fixture: StoryFixture;

beforeEach(async () => {
  fixture = await createStoryFixture();
  await useBrowser('opened');
});
afterEach(() => fixture.close());

/** A browser of one command may still write its URL while the next one runs. @param name of the file that the URL is written to */
async function useBrowser(name: string): Promise<void> {
  const browser = join(fixture.folder, `${name}.sh`);
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${join(fixture.folder, name)}'\n`);
  await chmod(browser, 0o755);
  fixture.env.ESIGN_BROWSER = browser;
}

const opened = async (name = 'opened'): Promise<string> => {
  for (;;) {
    const url = await readFile(join(fixture.folder, name), 'utf8').catch(() => '');
    if (url !== '') return url;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const send = async (...more: string[]): Promise<{ id: string; url: string }> => {
  const words = ['tx', 'send', 'contract.pdf', '--to', 'Ada <ada@example.com>', ...more, '--json'];
  return JSON.parse((await runInProcess(fixture, words)).out);
};

const isAnswered = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

describe('the signing page of the sandbox', () => {
  test.skipIf(!SLOW)('is served by tx open until the recipient has signed', async () => {
    const { id, url } = await send('--to', 'Bob <bob@example.com>');
    expect(await isAnswered(url)).toBe(false);
    const { said, ended } = runAtTerminal(fixture, ['tx', 'open', id]);
    expect(await opened()).toBe(url);
    expect(await isAnswered(url)).toBe(true);
    expect((await runInProcess(fixture, ['sandbox', 'sign', id])).code).toBe(0);
    expect(await ended).toBe(0);
    expect(said.out).toContain(url);
    expect(said.err).toContain('Serving the signing page until Ada has signed');
    expect(said.err).toContain(`esign tx open ${id}`);
    expect(await isAnswered(url)).toBe(false);
  });

  test('is served until Ctrl-C', async () => {
    const { id, url } = await send();
    const { ended, stop } = runAtTerminal(fixture, ['tx', 'open', id]);
    expect(await isAnswered(await opened())).toBe(true);
    stop();
    expect(await ended).toBe(130);
    expect(await isAnswered(url)).toBe(false);
  });

  test.each(sampleOf(['tx send', 'tx start'], 2))('is served by %s --open as well', async (command) => {
    const words =
      command === 'tx send'
        ? [...command.split(' '), 'contract.pdf', '--to', 'Ada <ada@example.com>', '--yes']
        : [...command.split(' '), (await send('--draft')).id];
    const { ended, stop, said } = runAtTerminal(fixture, [...words, '--open']);
    expect([await isAnswered(await opened()), said.err]).toEqual([true, expect.any(String)]);
    await expect.poll(() => said.err).toContain('Serving the signing page until Ada has signed');
    stop();
    expect(await ended).toBe(130);
    expect(await isAnswered(await opened())).toBe(false);
  });

  test.skipIf(!SLOW)('is served by tx send --open and tx start --open until the end', async () => {
    const words = ['tx', 'send', 'contract.pdf', '--to', 'Ada <ada@example.com>', '--yes'];
    const { id } = await send('--draft');
    for (const [name, line] of [
      ['first', [...words, '--open']],
      ['second', [...words, '--open', '--wait']],
      ['third', ['tx', 'start', id, '--open']],
    ] as const) {
      await useBrowser(name);
      const { ended, said } = runAtTerminal(fixture, line);
      const page = async () => ({ isAnswered: await isAnswered(await opened(name)), said: said.err });
      await expect.poll(page, { timeout: 60_000 }).toMatchObject({ isAnswered: true });
      // The transaction is `@` once the command has recorded it, which it does beside opening the browser.
      const sign = async () => (await runInProcess(fixture, ['sandbox', 'sign', '@'])).code;
      await expect.poll(sign, { timeout: 60_000, message: said.err }).toBe(0);
      expect(await ended).toBe(0);
    }
  });

  test.skipIf(!SLOW)('is not served in a pipe, which gets the command to run', async () => {
    const { id } = await send();
    const { code, err } = await runInProcess(fixture, ['tx', 'open', id]);
    expect([code, err]).toEqual([0, expect.stringContaining('esign sandbox serve')]);
  });
});
