// docs/service.md, carried out: its commands run in one shell as they stand there, against the sandbox that its first command serves,
// and each prints the response that is shown below it.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CodeBlock, codeBlocks } from '../support/stories/code-blocks.ts';
import {
  createStoryFixture,
  runCommand,
  type StartedCommand,
  type StoryFixture,
  startCommand,
} from '../support/stories/story.ts';
import { needsCommand } from '../support/tools.ts';

const page = await readFile(new URL('../../docs/service.md', import.meta.url), 'utf8');
const [serve, ...story] = codeBlocks(page, 'A transaction from start to end with curl');
const tokens = codeBlocks(page, 'Get a token for CI with curl');

const { skip, why } = needsCommand('curl');

/** Makes a pattern from a response as it is shown: `…` is omitted, and a string that ends with it stands for any other. */
function patternOf(shown: string): RegExp {
  const escaped = shown.replaceAll(/\s/g, '').replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(
    `^${escaped.replaceAll(/"(?!,)[^"…]*…"/g, String.raw`"(?:[^"\\]|\\.)*"`).replaceAll('…', '.*?')}$`,
  );
}

const MARK = '--- end of block ---';

/** Joins the commands of the blocks to one script, which marks where the output of a block ends. */
const scriptOf = (blocks: readonly CodeBlock[]): string =>
  blocks
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => `${code}echo '${MARK}'\n`)
    .join('');

describe('the pattern of a response', () => {
  test.each([
    ['{ "id": "01a2…" }', '{"id":"9f"}', true],
    ['{ "id": "01a2…" }', '{"id":7}', false],
    ['{ "detail": "…", "code": "a" }', '{"detail":"\\"x\\" is wrong","code":"a"}', true],
    ['{ "id": "01a2…", … "status": "draft" }', '{"id":"9f","name":"x","status":"draft"}', true],
    ['{ "id": "01a2…", … "status": "draft" }', '{"id":"9f","name":"x","status":"started"}', false],
    ['HTTP/1.1 201 Created\n…\n{ "id": "…" }', 'HTTP/1.1 201 Created\r\ndate: x\r\n\r\n{"id":"9f"}', true],
  ])('%j fits %j: %j', (shown, printed, isFitting) => {
    expect(patternOf(shown).test(printed.replaceAll(/\s/g, ''))).toBe(isFitting);
  });
});

describe.skipIf(skip)(`docs/service.md${why}`, () => {
  let fixture: StoryFixture;
  let serving: StartedCommand;
  let printed: string[];

  beforeAll(async () => {
    fixture = await createStoryFixture();
    serving = startCommand(fixture, `exec ${serve?.code}`);
    await vi.waitFor(() => expect(serving.said().out).toMatch(/^sender\t/m), { timeout: 60_000 });
    const check = 'curl -sS -o ci.json -w "%{http_code}" -H "Authorization: Bearer $access_token"';
    const ran = await runCommand(
      fixture,
      `set -e\n${scriptOf([...story, ...tokens])}${check} "$base_url/v1/transaction/$transaction"`,
    );
    expect(ran, ran.err).toMatchObject({ code: 0, err: '' });
    printed = ran.out.split(`${MARK}\n`);
  });
  afterAll(async () => {
    const closed = once(serving.process, 'close');
    serving.process.kill('SIGKILL');
    await closed;
    await fixture.close();
  });

  test('shows the responses as they are printed', () => {
    let at = -1;
    let shown = 0;
    for (const { language, code } of [...story, ...tokens]) {
      if (language === 'sh') at += 1;
      else {
        expect((printed[at] ?? '').replaceAll(/\s/g, ''), code).toMatch(patternOf(code));
        shown += 1;
      }
    }
    expect(shown).toBeGreaterThan(7);
  });

  test('leads to a sealed document that is verified', async () => {
    const sealed = await readFile(join(fixture.folder, 'contract.sealed.pdf'), 'latin1');
    expect(sealed).toMatch(/^%PDF-/);
    const verified = printed.find((text) => text.includes('contract.sealed.pdf')) ?? '';
    expect(verified).toMatch(/^completed\n/);
  });

  test('repeats a request without making a second draft', async () => {
    const { id } = JSON.parse(await readFile(join(fixture.folder, 'draft.json'), 'utf8'));
    const repeated = printed.find((text) => text.includes('idempotency-replayed')) ?? '';
    expect(repeated).toContain(`{"id":"${id}"}`);
    const listed = await runCommand(fixture, 'esign sandbox status --json');
    expect(JSON.parse(listed.out).transactions).toMatchObject({ draft: 0, completed: 1 });
  });

  test('ends with an access token that the service accepts, and with a link that asks for consent', async () => {
    expect(printed.at(-1)).toBe('200');
    const link = printed.flatMap((text) => text.match(/^http:\S+oauth\/authorize\S+$/m) ?? []);
    expect(link).toHaveLength(1);
    const response = await fetch(link[0] ?? '', { redirect: 'manual' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/sign-in\?/);
  });
});
