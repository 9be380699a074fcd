// What would be opened, seen through a command that stands in for the browser.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseSettings } from '../../../src/cli/command/global-options.ts';
import { createTerminal } from '../../../src/cli/terminal/terminal.ts';

const ADDRESS = 'https://app.example.com/sign?token=a;b$(c)';

let folder: string;
let seen: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'esign-browser-'));
  seen = join(folder, 'seen');
  const program = join(folder, 'browser');
  await writeFile(
    program,
    '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.new" && mv "$0.new" "$(dirname "$0")/seen"\n',
  );
  await chmod(program, 0o755);
});

afterAll(() => rm(folder, { recursive: true }));

type Setup = { options?: object; variables?: object; outIsTerminal?: boolean; errIsTerminal?: boolean };

async function browse(address: string, setup: Setup = {}): Promise<string> {
  const { options = {}, variables = {}, outIsTerminal = true, errIsTerminal = true } = setup;
  await rm(seen, { force: true });
  const sink = (isTerminal: boolean) => ({ write: () => undefined, isTerminal, columns: 80 });
  const terminal = await createTerminal({
    settings: parseSettings({ color: 'never', ...options }),
    streams: {
      out: sink(outIsTerminal),
      err: sink(errIsTerminal),
      isInputTerminal: false,
      input: () => Readable.from([]),
    },
    environment: {
      variables: { ESIGN_BROWSER: `${join(folder, 'browser')} --new`, ...variables },
      homeDir: folder,
      workingDir: folder,
    },
    isCi: 'CI' in variables,
    abort: new AbortController().signal,
  });
  const browsed = await terminal.browse(address);
  return browsed;
}

describe('an address', () => {
  test('is opened for a person at a terminal; no shell reads it', async () => {
    expect(await browse(ADDRESS)).toBe('opened');
    await vi.waitFor(async () => expect(await readFile(seen, 'utf8')).toBe(`--new\n${ADDRESS}\n`), 20_000);
  });

  test.each<[string, Setup]>([
    ['stdout is no terminal', { outIsTerminal: false }],
    ['stderr is no terminal', { errIsTerminal: false }],
    ['CI', { variables: { CI: 'true' } }],
    ['--json', { options: { json: true } }],
  ])('is not opened: %s', async (_, setup) => {
    expect(await browse(ADDRESS, setup)).toBe('not_tried');
  });

  test.each(['file:///etc/passwd', 'javascript:alert(1)', '--help', ''])('%s is none', async (address) => {
    expect(await browse(address)).toBe('failed');
  });

  test.each(['/nowhere/browser', ' '])('a browser that is not there is no error: %j', async (command) => {
    expect(await browse(ADDRESS, { variables: { ESIGN_BROWSER: command } })).toBe('failed');
  });
});
