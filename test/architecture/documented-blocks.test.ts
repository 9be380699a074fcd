// Every block of code in the README and in docs/ is run by a test, or is listed here with the reason why it is not. A block is named by the
// beginning of its first line. A page whose test takes whatever stands in it is named as a whole.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allCodeBlocks } from '../support/stories/code-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The test that runs a block, or reads it as the program that it is for does. */
type Run = { by: string };
/** Why nothing here can run it, and what is tested instead. */
type NotRun = { because: string };
type Entry = [beginning: string, Run | NotRun];

const by = (path: string): Run => ({ by: path });
const because = (reason: string): NotRun => ({ because: reason });

const README = by('test/stories/readme.test.ts');
const CLIENT = by('test/stories/client-docs.test.ts');
const INSTALL = by('test/release/install-page.test.ts');
const TEN_MINUTES = by('test/stories/ten-minutes.test.ts');
const TWO_NODES = by('test/service/serve/two-nodes.test.ts');
const PROXIES = by('test/service/serve/proxies.test.ts');
const COPIES = by('test/service/serve/store-copy.test.ts');
const EXAMPLES = by('test/release/examples.test.ts');
const BROWSER = because('A person logs in with a browser: test/browser/login.test.ts does.');

const PAGES: Record<string, Run | Entry[]> = {
  'README.md': [
    ['npm ci && npx esign tx send', by('.ci/newcomer')],
    ['npm ci && npm test', by('.ci/newcomer')],
    [
      'npm install --global .',
      because('It needs a registry: test/release/installed.test.ts installs the package.'),
    ],
    ['esign tx send test/fixtures/contract.pdf --to "Ada <ada@example.com>" --field', README],
    ['esign tx open @', README],
    ['esign sandbox sign @', README],
    ['esign tx download @ -o signed', README],
    ['esign tx preview test/fixtures/contract.pdf', README],
    [
      'esign tx send test/fixtures/contract.pdf --to "Ada <ada@example.com>" --edit',
      because('It waits for a person in a browser: test/browser has the editor.'),
    ],
    ['npm install standardwebhooks', README],
    ["import { createServer } from 'node:http'", README],
    ['export WEBHOOK_SECRET=', README],
    ['esign events listen --forward-to', README],
    ['esign events trigger', README],
    ['esign events replay', README],
    ['esign login --profile ci', README],
    ['export ESIGN_BASE_URL=', README],
    ['esign tx send release.pdf', README],
    ['esign login --base-url', BROWSER],
    ['(umask 077; openssl rand -hex 32 > esign.key; openssl', TWO_NODES],
    ['esign profile create staging', README],
    ['{', README],
    ['esign config set aliases.pending', README],
    ['source <(esign completion bash)', README],
    ["import { createClient } from '@esign-cli/esign'", CLIENT],
    [
      "import { createSandbox } from '@esign-cli/esign/testing'",
      because('test/release/examples.test.ts runs longer programs of this kind.'),
    ],
  ],
  'docs/agents.md': [
    ['{', because('Settings of other programs: test/cli/mcp/stdio.test.ts starts the same command.')],
    ['{', because('Settings of other programs: test/cli/mcp/stdio.test.ts starts the same command.')],
    [
      'npx @modelcontextprotocol/inspector',
      because('npx needs a registry: .ci/inspect-mcp runs the inspector where there is one.'),
    ],
    ['{', because('Settings of other programs: test/cli/mcp/http.test.ts calls the endpoint.')],
    [
      '{ "type": "http"',
      because('Settings of other programs: test/cli/mcp/http.test.ts calls the endpoint.'),
    ],
    [
      'cp -r skills/esign',
      because('It copies a folder for another program: test/architecture/skill.test.ts reads the folder.'),
    ],
    [
      'node skill-evals/run.js --model',
      because('test/stories/skill-evals.test.ts runs it with its tasks apart.'),
    ],
    [
      'node skill-evals/run.js --mcp',
      because('test/stories/skill-evals.test.ts runs it with its tasks apart.'),
    ],
    [
      'esign webhooks create --name Orders',
      because('test/security/env-path.test.ts writes secrets to files.'),
    ],
  ],
  'docs/ci.md': [
    [
      'permissions:',
      because('GitHub runs it: test/stories/ci-templates.test.ts runs the steps of the action.'),
    ],
    [
      'include:',
      because('GitLab runs it: test/stories/ci-templates.test.ts runs the script of the component.'),
    ],
    [
      'esign whoami --check',
      because('It is the idea of a job: test/stories/workflow.test.ts runs docs/github-actions.yml.'),
    ],
  ],
  'docs/client.md': [
    [
      'npm ci && npm pack',
      because('It needs a registry: test/release/installed.test.ts packs and installs the package.'),
    ],
    [
      'npm install "$HOME/',
      because('It needs a registry: test/release/installed.test.ts compares the name of the file.'),
    ],
    ["import { openAsBlob } from 'node:fs'", CLIENT],
    ["import { createClient } from '@esign-cli/esign'", CLIENT],
    ["import { writeFile } from 'node:fs/promises'", CLIENT],
    ['import { createClient, EsignError }', CLIENT],
    ['import { EsignError, verifyWebhook }', CLIENT],
  ],
  'docs/embedding.md': by('test/stories/embedding.test.ts'),
  'docs/install.md': [
    ['git clone https://github.com/esign-cli/esign', INSTALL],
    ['curl -fsSL https://github.com/esign-cli/esign/releases/latest/download/install.sh', INSTALL],
    ['irm https://', because('It needs PowerShell on Windows, which the workflow of a release has.')],
    ['curl -fsSL https://github.com/esign-cli/esign/releases/download/v0.1.0/install.sh', INSTALL],
    ['gh attestation verify', because('It needs the GitHub CLI, a login and a published release.')],
    ['curl -fLO https://github.com/esign-cli/esign/releases/download/v0.1.0/esign-v0.1.0', INSTALL],
    ['rm ~/.local/bin/esign', INSTALL],
    ['brew install', because('It needs Homebrew: test/release/release-files.test.ts reads the formula.')],
    ['scoop ', because('It needs Scoop: test/release/release-files.test.ts reads the manifest.')],
    ['docker run', because('It needs Docker: test/release/image.test.ts runs the image without it.')],
    ['docker exec', because('It needs Docker: test/release/image.test.ts runs the image without it.')],
    [
      'npm install --global @esign-cli/esign',
      because('It needs a published package: test/release/installed.test.ts installs one.'),
    ],
    [
      'node scripts/fetch-nodes.js nodes',
      because(
        'It fetches from nodejs.org: release-files.test.ts runs the first command against a server of its own, executable.test.ts the others.',
      ),
    ],
  ],
  'docs/self-hosting.md': [
    [
      '(umask 077; openssl rand -hex 32 > esign.key)',
      because('test/service/serve/two-nodes.test.ts makes a key as the README does.'),
    ],
    ['export ESIGN_SERVE_DATABASE=', by('test/config/serve-files.test.ts')],
    ['. ./esign.env', because('test/service/serve/two-nodes.test.ts starts nodes as the README does.')],
    ['. ./esign.env', because('test/service/serve/two-nodes.test.ts starts nodes as the README does.')],
    ['export ESIGN_SERVE_INSTALLATION=', by('test/config/serve-files.test.ts')],
    ['esign serve user list', by('test/service/serve/team-users.test.ts')],
    ['upstream esign {', PROXIES],
    ['sign.example.com {', PROXIES],
    ['defaults', PROXIES],
    ['http:', PROXIES],
    ['esign serve --check --require proxy', TWO_NODES],
    ['export ESIGN_SERVE_RECEIVERS=', by('test/config/serve-files.test.ts')],
    [
      'export ESIGN_CA_CERT=',
      because('test/service/serve/checks.test.ts trusts an authority of its own in this way.'),
    ],
    ['ignore_startup_parameters', by('test/service/serve/pooler.test.ts')],
    ['esign login --base-url', BROWSER],
    [
      'esign serve ca > root.pem',
      because('test/service/serve/two-nodes.test.ts verifies with the certificate that this prints.'),
    ],
    ['esign serve migrate', TWO_NODES],
    ['export ESIGN_SERVE_BLOBS=', by('test/config/serve-files.test.ts')],
    [
      'esign store copy --from postgres://…',
      because('It shows the form of a command: test/service/serve/store-copy.test.ts copies stores.'),
    ],
    ['. ./esign.env', COPIES],
    ['. ./esign.env', COPIES],
    ['cp ~/.local/share/esign/sandbox/key', COPIES],
    ['. ./esign.env', COPIES],
  ],
  'docs/service.md': by('test/stories/service-page.test.ts'),
  'docs/ten-minutes.md': [
    [
      'git clone https://github.com/esign-cli/esign',
      because('It needs Docker: test/release/image.test.ts carries out the Dockerfile.'),
    ],
    ['sed -i', TEN_MINUTES],
    ['umask 077', TEN_MINUTES],
    ['docker compose up', TEN_MINUTES],
    ['openssl rand -base64 18', TEN_MINUTES],
    ['esign login --base-url', BROWSER],
    [
      'esign verify signed/',
      because('test/service/serve/two-nodes.test.ts verifies with the root certificate of a server.'),
    ],
  ],
  'docs/testing.md': [
    ["import assert from 'node:assert/strict'", EXAMPLES],
    [
      'const hook = await sandbox.events.forwardTo',
      because('It is a part of a test: test/testing has the method.'),
    ],
    ['# yaml-language-server:', by('test/cli/seeding/seed-json-schema.test.ts')],
  ],
  'docs/verify.md': [
    [
      '  ✗ The content on page 1',
      because('It shows what is printed: test/stories/verify.test.ts compares the words.'),
    ],
    ['esign verify signed/*.pdf', because('test/stories/workflow.test.ts verifies a file in this way.')],
    [
      '{',
      because(
        'It is a part of an answer: test/stories/json-contract.test.ts compares all of them with their schemas.',
      ),
    ],
  ],
};

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const blocksOf = (page: string): string[] =>
  allCodeBlocks(readFileSync(join(root, page), 'utf8')).map(({ code }) => code.split('\n')[0] ?? '');

test.each(pages)('every block of %s is run, or has a reason', (page) => {
  const listed = PAGES[page] ?? [];
  if (!Array.isArray(listed)) return;
  const unused = listed.map(([beginning]) => beginning);
  const unlisted = blocksOf(page).filter((line) => {
    const at = unused.findIndex((beginning) => line.startsWith(beginning));
    if (at >= 0) unused.splice(at, 1);
    return at < 0;
  });
  expect({ unlisted, unused }).toEqual({ unlisted: [], unused: [] });
});

test('a page without an entry has no block, and an entry has a page', () => {
  expect(Object.keys(PAGES).filter((page) => !pages.includes(page))).toEqual([]);
  const unlisted = pages.filter((page) => PAGES[page] === undefined);
  expect(unlisted.filter((page) => blocksOf(page).length > 0)).toEqual([]);
});

test('the tests that run blocks, and those that reasons name, exist', () => {
  const entries = Object.values(PAGES).flatMap((listed) =>
    Array.isArray(listed) ? listed.map(([, entry]) => entry) : [listed],
  );
  const named = entries.flatMap((entry) =>
    'by' in entry ? [entry.by] : (entry.because.match(/\btest\/[\w./-]*\w/g) ?? []),
  );
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('each of these tests names its page', () => {
  for (const [page, listed] of Object.entries(PAGES)) {
    const runs = (Array.isArray(listed) ? listed.map(([, entry]) => entry) : [listed]).flatMap((entry) =>
      'by' in entry ? [entry.by] : [],
    );
    const unnamed = [...new Set(runs)].filter(
      (path) =>
        !readFileSync(join(root, path), 'utf8').includes(page.replace('docs/', '').replace('.md', '')),
    );
    expect(unnamed, page).toEqual([]);
  }
});
