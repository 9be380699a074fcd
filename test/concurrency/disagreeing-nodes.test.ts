// Two nodes of which one does not know that the other is sealing, as after a lost connection of its locks: whatever page a recipient opens, and
// whichever node answers each request, a page comes. No node redirects to where the other one redirects back.
import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import type { DocumentEngine } from '../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../src/pdf/engine/in-process.ts';
import { ADA, BOB, endTransaction, signWith, startTransaction } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PATHS = [
  '',
  '?waited=1',
  '/document',
  '/review',
  '/review?interrupted=1',
  '/review?changed=1',
  '/reject',
  '/submit',
  '/signature',
  '/fields',
  '/sign',
  '/nothing',
];
const MOST_REDIRECTS = 3;

let folder: string;
let nodes: [Harness, Harness];
let openGate: () => void;
let begun: number;
afterEach(async () => {
  openGate();
  for (const node of nodes) {
    await node.close();
    expect(node.errors).toEqual([]);
  }
  await rm(folder, { recursive: true, force: true });
});

/** Nodes on SQLite know only of their own submissions. The first one waits at a gate before it stamps. */
async function openNodes(): Promise<void> {
  folder = await temporaryFolder();
  begun = 0;
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  const engine = createInProcessEngine();
  const documents: DocumentEngine = {
    ...engine,
    async stamp(...asked) {
      begun += 1;
      await gate;
      return engine.stamp(...asked);
    },
  };
  nodes = [
    await openHarness('in process', { folder, documents }),
    await openHarness('in process', { folder }),
  ];
}

type Visitor = { cookie: string; base: string };

function ask(node: Harness, url: string, { cookie }: { cookie: string }, form?: string): Promise<Response> {
  const headers = {
    accept: 'text/html',
    cookie,
    ...(form !== undefined && { origin: node.baseUrl, 'content-type': 'application/x-www-form-urlencoded' }),
  };
  const sent = form === undefined ? {} : { method: 'POST', body: form };
  return node.service.fetch(new Request(url, { headers, redirect: 'manual', ...sent }));
}

async function enter(token: string): Promise<Visitor> {
  const entered = await ask(nodes[0], `${nodes[0].baseUrl}/sign?token=${token}`, { cookie: '' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, base: new URL(entered.headers.get('location') ?? '', nodes[0].baseUrl).href };
}

async function consent(visitor: Visitor): Promise<void> {
  const page = await (await ask(nodes[0], visitor.base, visitor)).text();
  const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(page) ?? [];
  const form = new URLSearchParams({ form_token: token, agree: 'yes' }).toString();
  expect((await ask(nodes[0], `${visitor.base}/consent`, visitor, form)).status).toBe(303);
}

/** Follows redirects; the nodes answer by turns, one of them first, or one of them all. @returns how often it was redirected */
async function redirectsTo(path: string, visitor: Visitor, turns: readonly (0 | 1)[]): Promise<number> {
  let url = visitor.base + path;
  for (let count = 0; count <= MOST_REDIRECTS; count += 1) {
    const answered = await ask(nodes[turns[count % turns.length] as 0 | 1], url, visitor);
    const next = answered.headers.get('location');
    if (next === null) return count;
    url = new URL(next, url).href;
  }
  throw new Error(`${path} by ${turns} is redirected more than ${MOST_REDIRECTS} times, at last to ${url}.`);
}

async function expectPages(visitor: Visitor): Promise<void> {
  for (const path of PATHS)
    for (const turns of [[0, 1], [1, 0], [0], [1], [0, 0, 1], [1, 1, 0]] as const)
      expect(await redirectsTo(path, visitor, turns)).toBeLessThanOrEqual(MOST_REDIRECTS);
}

test('a page comes while one node seals and the other knows nothing of it', async () => {
  await openNodes();
  const { token } = await startTransaction(nodes[0]);
  const visitor = await enter(token);
  await expectPages(visitor);
  await consent(visitor);
  await expectPages(visitor);
  const sealing = signWith(nodes[0], token);
  await expect.poll(() => begun).toBe(1);
  await expectPages(visitor);
  openGate();
  expect(await sealing).toMatchObject({ status: 'completed' });
  await expectPages(visitor);
});

test.each(['rejected', 'cancelled', 'expired'] as const)('a page comes once it is %s', async (end) => {
  await openNodes();
  openGate();
  const { token } = await endTransaction(nodes[0], end);
  const visitor = await enter(token);
  await expectPages(visitor);
});

test('a page comes for a recipient who has signed, while others are asked', async () => {
  await openNodes();
  openGate();
  const { token } = await startTransaction(nodes[0], [ADA, BOB]);
  const visitor = await enter(token);
  await consent(visitor);
  await signWith(nodes[0], token);
  await expectPages(visitor);
});
