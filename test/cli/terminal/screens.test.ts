// What people see at a terminal, from fixed data, clock and time zone: as test/golden/screens.txt holds it at 80 columns (run
// with -u to accept a change), and at 60, 80, 100 and 200 no line is too wide and nothing is cut that identifies a thing.

import { beforeAll, expect, test } from 'vitest';
import type { ReceivedTransaction } from '../../../src/api/contract/transactions.ts';
import { checksOutcome } from '../../../src/cli/checks/check.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import type { CommandContext } from '../../../src/cli/command/context.ts';
import type { Outcome } from '../../../src/cli/command/outcome.ts';
import { eventPage } from '../../../src/cli/commands/events/show.ts';
import { listTransactions } from '../../../src/cli/commands/tx/list.ts';
import { transactionPage } from '../../../src/cli/commands/tx/show.ts';
import { webhookPage } from '../../../src/cli/commands/webhooks.ts';
import { eventTable } from '../../../src/cli/events/view.ts';
import { PLAIN } from '../../../src/cli/terminal/color.ts';
import { render } from '../../../src/cli/terminal/render.ts';
import { createRuler } from '../../../src/cli/terminal/text-width.ts';
import { TREE } from '../../../src/cli/tree.ts';
import { sampleOf } from '../../support/tier.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00.000Z');
const at = (minutes: number) => new Date(NOW_MS - minutes * 60_000).toISOString();
const id = (last: number) => `01a20099-9e26-72fe-a84f-${String(last).padStart(12, '0')}`;
const ENDPOINT = 'https://hooks.example.com/esign/production/eu-central-1';

const PEOPLE = [
  { name: 'Sandbox Sender', email: 'sender@esign.test', role: 'sender' },
  { name: 'Ada Lovelace', email: 'ada.lovelace@analytical-engine.example.com', role: 'signer' },
  { name: 'Grace Brewster Murray Hopper', email: 'grace@example.com', role: 'signer' },
];

const TRANSACTION = {
  id: id(1),
  status: 'rejected',
  created_at: at(3000),
  updated_at: at(120),
  sent_at: at(2990),
  rejected_at: at(120),
  rejected_reason: 'The price in the third paragraph is not the one that we agreed on in October.',
  rejected_by_id: id(12),
  template: {
    name: 'Employment agreement 2026, second version',
    recipients: PEOPLE.map((person, index) => ({
      ...person,
      id: id(10 + index),
      index,
      is_current: false,
      opened_at: null,
      submitted_at: index === 1 ? at(1500) : null,
    })),
    documents: [
      {
        id: id(20),
        index: 0,
        file: { original_name: 'employment-agreement-2026-second-version.pdf' },
        pages: [{}, {}],
      },
    ],
    fields: [],
  },
} as unknown as ReceivedTransaction;

const SEEN = [
  { id: id(1), name: 'Employment agreement 2026, second version', outcome: 'rejected', updated: at(120) },
  { id: id(2), name: 'Lease', outcome: 'started', updated: at(3), pending: PEOPLE[1]?.email },
  { id: id(3), outcome: 'draft' },
].map((one) => ({
  kind: 'transaction' as const,
  service: 'sandbox',
  atMs: NOW_MS - 90_000,
  people: PEOPLE.map(({ email }) => email),
  names: PEOPLE.map(({ name }) => name),
  ...one,
}));

const EVENT = {
  id: id(30),
  type: 'recipient_submitted' as const,
  created: at(60),
  data: { id: id(1), recipient: { email: PEOPLE[1]?.email } },
  deliveries: { delivered: 1, waiting: 0, undelivered: 1 },
};

const WEBHOOK = {
  id: id(40),
  name: 'Orders',
  endpoint: ENDPOINT,
  events: ['transaction_started', 'transaction_completed', 'recipient_submitted', 'transaction_rejected'],
  enabled: true,
  deliveries: { delivered: 7, waiting: 1, undelivered: 0 },
  success_rate: 0.5,
  last_attempts: [
    {
      at: at(5),
      ok: false,
      status: null,
      why: 'The receiver did not answer within 15 seconds.',
      duration_ms: 15_000,
      event: { id: id(30), type: 'recipient_submitted' },
    },
    {
      at: at(60),
      ok: true,
      status: 200,
      why: null,
      duration_ms: 12,
      event: { id: id(31), type: 'transaction_started' },
    },
  ],
};

/** A service that knows one of everything. */
const client = {
  'template.list': async () => ({
    items: [{ id: id(50), name: 'Employment agreement for the whole of the European Union' }],
  }),
  'webhook.list': async () => ({ items: [WEBHOOK] }),
  'sandbox.list_users': async () => ({
    items: [{ id: id(60), name: PEOPLE[2]?.name, email: PEOPLE[1]?.email, company: 'United States Navy' }],
  }),
  'sandbox.list_clients': async () => ({
    items: [
      {
        id: id(70),
        name: 'Orders',
        client_id: 'client_7f0c2a91d3b64e5f8a7b6c5d4e3f2a1b',
        callback_url: 'http://127.0.0.1:8976/callback',
      },
    ],
  }),
  'sandbox.mail': async () => ({
    items: [
      {
        id: id(80),
        created: at(60),
        kind: 'invitation',
        to: PEOPLE[1]?.email,
        subject: 'Sandbox Sender asks you to sign: Employment agreement 2026, second version',
      },
    ],
  }),
  'sandbox.status': async () => ({
    origin: 'http://127.0.0.1:23092',
    now: at(0),
    transactions: { draft: 1, started: 2 },
    templates: 0,
    users: 1,
    clients: 1,
    events: 9,
    mails: 4,
  }),
};

const context = {
  settings: {},
  connections: {
    connect: async () => ({ client }),
    sandbox: async () => ({ client }),
    profile: async () => ({ routes: {}, remote: {} }),
  },
  config: {
    read: async () => ({
      profile: 'acme',
      aliases: { todo: 'tx list --status started --limit 100 --profile acme --select id,name,pending_name' },
      profiles: {
        acme: {
          base_url: 'https://api.acme.example',
          routes: { 'transaction.cancel': 'POST /v1/transaction/{transactionId}/cancellation' },
        },
      },
    }),
    profileInUse: () => ({ name: 'acme', by: 'choice' }),
  },
  history: {
    recentItems: async () => ({ profile: 'acme', service: 'https://api.acme.example', things: SEEN }),
  },
  program: {
    commands: async () => [
      { usage: 'esign tx show [ID]', summary: 'Show a transaction' },
      {
        usage: 'esign tx preview [ID|FILE...]',
        summary: 'Draw the pages of files or of a transaction with all of their fields',
      },
    ],
  },
  terminal: { streams: { out: { isTerminal: true } } },
} as unknown as CommandContext;

async function ran(...path: string[]): Promise<Outcome> {
  let node = { children: TREE } as { children?: unknown; load?: () => Promise<Command> };
  for (const name of path) node = (node.children as Record<string, typeof node>)[name] ?? {};
  const command = await node.load?.();
  if (!command) throw new Error(`There is no command ${path.join(' ')}.`);
  return command.run(context, { args: {}, options: { limit: '50', page: '1', all: false } });
}

const CHECKS = [
  { name: 'node', state: 'ok' as const, says: 'Node 24.1.0.' },
  {
    name: 'authorities',
    state: 'fail' as const,
    says: 'The file /home/ada/.config/authorities/of-the-company/root-certificates-2026.pem of ESIGN_CA_CERT cannot be read.',
    hint: 'Check that it is there and that you may read it.',
  },
];

/** What is shown, and the values in it that identify something. */
const SCREENS: Record<string, { outcome: () => Promise<Outcome>; whole: (string | undefined)[] }> = {
  'tx list': {
    outcome: () => listTransactions(context, { status: [], refresh: false, limit: '9' }),
    whole: [id(1), id(2), id(3), 'Employment agreement 2026, second version', 'Ada Lovelace', '2 hours ago'],
  },
  'tx show': {
    outcome: async () => transactionPage(TRANSACTION, { profile: 'sandbox', appUrl: undefined }),
    whole: [
      id(1),
      id(20),
      'employment-agreement-2026-second-version.pdf',
      ...PEOPLE.flatMap(({ name, email }) => [name, email]),
      TRANSACTION.rejected_reason ?? '',
      '2026-11-20 09:00:00 CET',
    ],
  },
  'api routes': {
    outcome: () => ran('api', 'routes'),
    whole: ['transaction.cancel', '/v1/transaction/{transactionId}/document', 'transaction:update'],
  },
  doctor: {
    outcome: async () => checksOutcome(CHECKS),
    whole: CHECKS.flatMap(({ says, hint }) => [says, hint]),
  },
  'config list': {
    outcome: () => ran('config', 'list'),
    whole: [
      'profiles.acme.routes.transaction.cancel',
      'POST /v1/transaction/{transactionId}/cancellation',
      'tx list --status started --limit 100 --profile acme --select id,name,pending_name',
    ],
  },
  'events list': {
    outcome: async () => ({ kind: 'list', json: {}, empty: '', table: eventTable([EVENT as never]) }),
    whole: [id(30), 'recipient_submitted', '2026-11-20 10:00:00 CET', '1 delivered, 1 undelivered'],
  },
  'events show': {
    outcome: async () =>
      eventPage({
        ...EVENT,
        deliveries: [
          {
            id: id(90),
            endpoint: ENDPOINT,
            kind: 'webhook',
            state: 'waiting',
            next_at: at(-5),
            reason: null,
            attempts: [],
          },
        ],
      } as never),
    whole: [id(30), id(1), id(90), ENDPOINT, PEOPLE[1]?.email],
  },
  'webhooks list': { outcome: () => ran('webhooks', 'list'), whole: [id(40), ENDPOINT, ...WEBHOOK.events] },
  'webhooks show': {
    outcome: async () => webhookPage(WEBHOOK as never),
    whole: [id(40), id(30), id(31), ENDPOINT],
  },
  'templates list': {
    outcome: () => ran('templates', 'list'),
    whole: [id(50), 'Employment agreement for the whole of the European Union'],
  },
  'sandbox users list': {
    outcome: () => ran('sandbox', 'users', 'list'),
    whole: [id(60), PEOPLE[2]?.name, PEOPLE[1]?.email],
  },
  'sandbox apps list': {
    outcome: () => ran('sandbox', 'apps', 'list'),
    whole: [id(70), 'client_7f0c2a91d3b64e5f8a7b6c5d4e3f2a1b', 'http://127.0.0.1:8976/callback'],
  },
  'sandbox mailbox list': {
    outcome: () => ran('sandbox', 'mailbox', 'list'),
    whole: [id(80), PEOPLE[1]?.email],
  },
  'sandbox status': {
    outcome: () => ran('sandbox', 'status'),
    whole: ['http://127.0.0.1:23092', '2026-11-20 11:00:00 CET'],
  },
  commands: {
    outcome: () => ran('commands'),
    whole: [
      'esign tx preview [ID|FILE...]',
      'Draw the pages of files or of a transaction with all of their fields',
    ],
  },
};

async function shown(outcome: Outcome, columns: number, paint = PLAIN): Promise<string> {
  const written: string[] = [];
  const out = {
    isTerminal: true,
    columns,
    write: (text: string | Uint8Array) => void written.push(String(text)),
  };
  await render(outcome, out, paint, { json: false, select: undefined, nowMs: NOW_MS, zone: 'Europe/Berlin' });
  return written.join('');
}

let widthOf: (text: string) => number;
beforeAll(async () => {
  ({ widthOf } = await createRuler());
});

const joined = (text: string) => text.replace(/\s+/g, '');

test.each(sampleOf(Object.keys(SCREENS), 8))('%s, at every width', async (name) => {
  const screen = SCREENS[name];
  if (!screen) throw new Error(name);
  const outcome = await screen.outcome();
  for (const columns of [60, 80, 100, 200]) {
    const page = await shown(outcome, columns);
    for (const line of page.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
    for (const value of screen.whole) expect(joined(page)).toContain(joined(value ?? ''));
    // Nothing is shortened but free text, and that has a name for it.
    if (name !== 'sandbox mailbox list' && name !== 'webhooks show') expect(page).not.toContain('…');
    expect(page).not.toContain('\t');
  }
});

test('every screen is as it was', async () => {
  const pages: string[] = [];
  for (const [name, { outcome }] of Object.entries(SCREENS))
    pages.push(`── esign ${name} ──\n${await shown(await outcome(), 80)}`);
  await expect(pages.join('\n')).toMatchFileSnapshot('../../golden/screens.txt');
});

test('no color is the only sign of something: what is painted has words, and in each color others', async () => {
  const colors = new Map<string, Set<string>>();
  const mark = (color: string) => (text: string) => {
    const words = text.trim();
    colors.set(words, (colors.get(words) ?? new Set()).add(color));
    return text;
  };
  const paint = {
    ...PLAIN,
    red: mark('red'),
    green: mark('green'),
    yellow: mark('yellow'),
    cyan: mark('cyan'),
  };
  for (const { outcome } of Object.values(SCREENS)) await shown(await outcome(), 80, paint);
  expect([...colors].filter(([words, set]) => words === '' || set.size > 1)).toEqual([]);
  expect([...colors.keys()]).toEqual(expect.arrayContaining(['rejected', 'started', '✗', 'ok', 'fail']));
});
