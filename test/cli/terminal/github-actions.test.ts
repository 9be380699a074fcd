import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reportOf } from '../../../src/cli/command/error-report.ts';
import { cliError } from '../../../src/cli/command/errors.ts';
import type { Outcome } from '../../../src/cli/command/outcome.ts';
import {
  asMarkdown,
  createActions,
  outputLines,
  secretsIn,
  workflowCommand,
} from '../../../src/cli/terminal/github-actions.ts';
import { defuseCommands } from '../../../src/cli/terminal/safe-text.ts';
import { runInProcess } from '../../support/command-line/in-process.ts';
import { roundsOf } from '../../support/random.ts';
import { createStoryFixture } from '../../support/stories/story.ts';

describe('a workflow command', () => {
  test.each([
    ['plain', 'plain', 'plain'],
    ['100%', '100%25', '100%25'],
    ['a\nb', 'a%0Ab', 'a\\nb'],
    ['a\r\nb', 'a%0Ab', 'a\\r\\nb'],
    ['a::b', 'a::b', 'a%3A%3Ab'],
    ['a,b', 'a,b', 'a%2Cb'],
    ['%0A::set-output name=x::y', '%250A::set-output name=x::y', '%250A%3A%3Aset-output name=x%3A%3Ay'],
    ['\u001b[31mred\u202e', '\\u{1b}[31mred\\u{202e}', '\\u{1b}[31mred\\u{202e}'],
  ])('%j as data and as a property', (text, data, property) => {
    expect(workflowCommand('error', {}, text)).toBe(`::error::${data}\n`);
    expect(workflowCommand('error', { title: text }, 'x')).toBe(`::error title=${property}::x\n`);
  });

  test('whatever is in it, it is one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (title, data) => {
        const line = workflowCommand('error', { title }, data);
        expect(line.slice(0, -1)).not.toMatch(/[\r\n]/);
        expect(line.startsWith('::error title=')).toBe(true);
      }),
      { numRuns: roundsOf({ short: 30, landing: 300, full: 1000 }) },
    );
  });
});

describe('an output', () => {
  test('no value ends itself', () => {
    const given = ['same', 'same', 'other'];
    const next = () => given.shift() ?? '';
    const value = 'x\nesign_same\nevil=1';
    expect(outputLines('id', value, next)).toBe(`id<<esign_other\n${value}\nesign_other\n`);
  });
});

describe('text from outside in the log of a job', () => {
  test.each([
    ['::error::x', '\\u{3a}:error::x'],
    ['a\n  ::add-mask::x', 'a\n  \\u{3a}:add-mask::x'],
    ['name\t##[error]x', 'name\t##\\u{5b}error]x'],
    ['a :: b', 'a :: b'],
  ])('%j is no command', (text, shown) => {
    expect(defuseCommands(text, false)).toBe(shown);
  });

  test('JSON keeps its values', () => {
    const value = { name: '##[error]x ::error::' };
    const text = defuseCommands(JSON.stringify(value), true);
    expect(text).not.toContain('##[');
    expect(JSON.parse(text)).toEqual(value);
  });
});

test.each([
  ['a|b', 'a&#124;b'],
  ['<img src=x>', '&#60;img src&#61;x&#62;'],
  ['[x](http://e)', '&#91;x&#93;&#40;http&#58;&#47;&#47;e&#41;'],
  ['a\n# b', 'a&#92;n&#35; b'],
  ['Zoë 日本', 'Zoë 日本'],
])('markdown: %j is shown as it is', (text, shown) => {
  expect(asMarkdown(text)).toBe(shown);
});

test('secrets are found by their names and inside addresses', () => {
  expect(
    secretsIn({
      id: 'x',
      url: 'http://127.0.0.1/sign?token=abcdefgh',
      template: { recipients: [{ email: 'a@b', token: 'tokentoken' }] },
      client_secret: 'whsec_1234',
      tokens_left: 'no',
    }),
  ).toEqual(['http://127.0.0.1/sign?token=abcdefgh', 'abcdefgh', 'tokentoken', 'whsec_1234']);
});

describe('in a job', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'esign-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (more: Record<string, string> = {}) => {
    const written: string[] = [];
    const err = { write: (text: string) => void written.push(text), isTerminal: false, columns: undefined };
    const variables = {
      GITHUB_ACTIONS: 'true',
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      ...more,
    };
    return { written, actions: createActions({ variables, err, newDelimiter: () => 'd' }) };
  };
  const outcome = (exit: number, actions: Outcome['actions']): Outcome => ({
    kind: 'record',
    entries: [],
    exit,
    ...(actions && { actions }),
    json: {
      id: 'tx-1',
      name: 'A | B\n::error::',
      status: 'started',
      outcome: 'started',
      url: 'http://e/sign?token=secretsecret',
      recipients: [{ name: '<Ada>', email: 'ada@example.com', is_current: true }],
    },
  });

  test('not without a job, and not when it is switched off', () => {
    expect(open({ GITHUB_ACTIONS: '' }).actions).toBeUndefined();
    expect(open({ ESIGN_ACTIONS: '0' }).actions).toBeUndefined();
  });

  test('an error is one annotation', () => {
    const { actions, written } = open();
    actions?.fail(
      reportOf(cliError('file_not_found', { sentence: 'File not found: "a,b%\n::x".', hint: 'Look.' })),
    );
    expect(written).toEqual([
      '::error title=esign%3A file_not_found::File not found: "a,b%25%0A::x".%0ALook.\n',
    ]);
  });

  test('outputs and summary; the address only when it was asked for', async () => {
    await open().actions?.finish(outcome(0, { summary: true }));
    const output = await readFile(join(folder, 'output'), 'utf8');
    expect(output).toBe(
      'id<<esign_d\ntx-1\nesign_d\nstatus<<esign_d\nstarted\nesign_d\noutcome<<esign_d\nstarted\nesign_d\n',
    );
    const summary = await readFile(join(folder, 'summary'), 'utf8');
    expect(summary).toContain('### A &#124; B&#92;n&#58;&#58;error&#58;&#58;: started');
    expect(summary).toContain('| &#60;Ada&#62; | ada&#64;example&#46;com | asked to sign |');
    expect(summary).not.toContain('secretsecret');
    await open().actions?.finish(outcome(0, { url: true }));
    expect(await readFile(join(folder, 'output'), 'utf8')).toContain(
      'url<<esign_d\nhttp://e/sign?token=secretsecret\n',
    );
  });

  test('the summary has the hash of each file that was sent and downloaded, and links without secrets', async () => {
    const [sent, sealed] = ['a'.repeat(64), 'b'.repeat(64)];
    const done = outcome(0, {
      summary: true,
      sent: [{ name: 'c|.pdf', sha256: sent }],
      dashboard: 'https://dashboard.example.com/x?token=secretsecret',
    });
    const files = [{ path: 'signed/c.sealed.pdf', document: 'c', kind: 'sealed', sha256: sealed, bytes: 9 }];
    const run = {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/orders',
      GITHUB_RUN_ID: '42',
    };
    await open(run).actions?.finish({ ...done, json: { ...(done.json as object), files } });
    const summary = await readFile(join(folder, 'summary'), 'utf8');
    expect(summary).toContain(`| c&#124;&#46;pdf | ${sent} |`);
    expect(summary).toContain(`| signed&#47;c&#46;sealed&#46;pdf | ${sealed} |`);
    expect(summary).toContain(
      '[Dashboard](<https://dashboard.example.com/x>) · [Workflow run](<https://github.com/acme/orders/actions/runs/42>)',
    );
    expect(summary).not.toContain('secretsecret');
  });

  test('a link is made of nothing but an address', async () => {
    const dashboard = 'javascript:alert(1)';
    await open({ GITHUB_SERVER_URL: 'x](y', GITHUB_REPOSITORY: 'a', GITHUB_RUN_ID: '1' }).actions?.finish(
      outcome(0, { summary: true, dashboard }),
    );
    expect(await readFile(join(folder, 'summary'), 'utf8')).not.toMatch(/\]\(|javascript/);
  });

  test('an end that is no error is said as well', async () => {
    for (const [exit, level] of [
      [8, 'warning'],
      [9, 'error'],
    ] as const) {
      const { actions, written } = open();
      await actions?.finish(outcome(exit, {}));
      expect(written.join('')).toMatch(new RegExp(`^::${level} title=esign%3A started::`));
    }
  });

  test('a secret is masked once, and short ones never', () => {
    const { actions, written } = open({
      ESIGN_ACCESS_TOKEN: 'access-token',
      ESIGN_REFRESH_TOKEN: 'refresh-token',
    });
    actions?.mask(['access-token', 'short', undefined]);
    actions?.maskIn({ url: 'http://e/sign?token=secret%25secret' });
    expect(written).toEqual([
      '::add-mask::access-token\n',
      '::add-mask::refresh-token\n',
      '::add-mask::http://e/sign?token=secret%2525secret\n',
      '::add-mask::secret%2525secret\n',
    ]);
  });

  test('files that cannot be written are said, and nothing fails', async () => {
    const { actions, written } = open({ GITHUB_OUTPUT: join(folder, 'no', 'such') });
    await actions?.finish(outcome(0, {}));
    expect(written.join('')).toContain('::warning title=esign::GITHUB_OUTPUT cannot be written.');
  });
});

test('tx send writes a summary with the hash of the file it sent, and outputs, for the steps after it', async () => {
  const fixture = await createStoryFixture();
  try {
    const [output, summary] = [join(fixture.folder, 'output'), join(fixture.folder, 'summary')];
    const variables = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary };
    const words = ['tx', 'send', 'contract.pdf', '--to', 'Ada <ada@example.com>', '--name', 'A|B', '--json'];
    const { code, out } = await runInProcess({ ...fixture, env: { ...fixture.env, ...variables } }, words);
    const { id, url } = JSON.parse(out);
    const sha256 = createHash('sha256')
      .update(await readFile(join(fixture.folder, 'contract.pdf')))
      .digest('hex');
    const text = await readFile(summary, 'utf8');
    expect(code).toBe(0);
    expect(text).toContain('**Offline sandbox: no real recipient was contacted.**');
    expect(text).toContain('### A&#124;B: started');
    expect(text).toContain('| Ada | ada&#64;example&#46;com | asked to sign |');
    expect(text).toContain(`| contract&#46;pdf | ${sha256} |`);
    expect(text).not.toContain(url);
    expect(await readFile(output, 'utf8')).toMatch(
      new RegExp(`^id<<(esign_[0-9a-f-]{36})\n${id}\n\\1$`, 'm'),
    );
  } finally {
    await fixture.close();
  }
});
