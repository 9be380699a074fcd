import { sandboxOperations } from '../../api/contract/operations.ts';
import { defineCommand, type RawInput } from '../command/command.ts';
import type { CommandContext, Uses } from '../command/context.ts';
import { list, mapOf, nameOnly, number, object, only, prints, secret, text } from '../command/json-output.ts';
import type { Outcome } from '../command/outcome.ts';
import { showRecord } from '../command/record.ts';
import { variableOfNamed } from '../command/secrets.ts';
import { invalidValue, optionsConflict } from '../command/wrong-input.ts';
import { askFor } from '../input/ask-for.ts';
import { checkValue } from '../input/check-value.ts';
import { openSeed, seedOutcome } from '../seeding/seed-sandbox.ts';
import { openDashboard } from '../sending/browse.ts';
import { mustBeStarted } from '../sending/start.ts';
import { person } from '../sending/view.ts';

export const commands = {
  open: defineCommand({
    summary: 'Open the dashboard of the sandbox in the browser',
    details:
      'Opens the dashboard and signs you in as the default user of the sandbox. The browser opens only when you are at a ' +
      'terminal. Otherwise a sign-in URL is printed: it works once, within two minutes, on this machine. The dashboard ' +
      'is available while `esign sandbox serve` is running.',
    arguments: [],
    options: {},
    json: prints(object({ url: text, sign_in_url: text, opened: only(false) })),
    examples: [{ line: 'esign sandbox open', about: 'Open the list of transactions in the browser' }],
    async run(context) {
      return openDashboard(context, 'Dashboard', {});
    },
  }),

  status: defineCommand({
    summary: 'Show the URL of the sandbox and what it contains',
    arguments: [],
    options: {},
    json: prints(
      object({
        origin: text,
        now: text,
        transactions: object({
          draft: number,
          started: number,
          completed: number,
          rejected: number,
          expired: number,
          cancelled: number,
        }),
        templates: number,
        users: number,
        clients: number,
        events: number,
        mails: number,
      }),
    ),
    examples: [{ line: 'esign sandbox status', about: 'Show the URL, and count what the sandbox contains' }],
    async run(context) {
      const { client } = await context.connections.sandbox();
      const status = await client['sandbox.status']();
      const counts = Object.entries(status.transactions);
      return {
        kind: 'record',
        json: status,
        entries: [
          { key: 'origin', label: 'URL', value: status.origin },
          { key: 'now', label: 'Sandbox clock', value: { instant: status.now } },
          ...counts.map(([state, count]) => ({ key: state, label: `Transactions ${state}`, value: count })),
          { key: 'templates', label: 'Templates', value: status.templates },
          { key: 'users', label: 'Users', value: status.users },
          { key: 'clients', label: 'OAuth applications', value: status.clients },
          { key: 'events', label: 'Events', value: status.events },
          { key: 'mails', label: 'Emails', value: status.mails },
        ],
      };
    },
  }),

  seed: defineCommand({
    summary: 'Create what a file describes in the sandbox',
    details:
      'The file is YAML or JSON and has the lists users, applications, templates, webhooks and transactions; paths in it are relative ' +
      'to it. Transactions are taken to their state by real operations, so that events, emails and evidence are real. What exists is ' +
      'recognized by its name and kept, so that the command can be run again. Everything in the file is checked before anything is created. ' +
      'docs/testing.md describes the file, and docs/seed.schema.json is its JSON Schema for editors.',
    arguments: [{ name: 'file', completes: 'file', summary: 'YAML or JSON file; - reads standard input' }],
    options: {
      'dry-run': { summary: 'Check the file and print what would be created' },
    },
    json: prints(
      list(
        object({
          kind: text,
          name: text,
          result: nameOnly(only('created', 'continued', 'unchanged', 'would_create', 'would_continue')),
          'id?': text,
          'status?': text,
          'secrets?': nameOnly(mapOf(secret('*'))),
        }),
      ),
      '; would_create and would_continue with --dry-run; the secrets are shown only once',
    ),
    secrets: {
      again: 'Get new secrets with `esign sandbox apps rotate ID` and `esign webhooks rotate ID`.',
      // A seed makes much else, and often nothing that has a secret.
      isAll: () => false,
      excludes: 'dry-run',
      variables: seedVariables,
    },
    examples: [
      {
        line: 'esign sandbox seed world.yaml',
        about: 'Create the users, templates and transactions of a test',
      },
      { line: 'esign sandbox seed world.yaml --dry-run', about: 'Check the file' },
    ],
    async run(context, { args, options }) {
      const { seed } = await openSeed(args.file, context);
      const isDryRun = options['dry-run'];
      const things = await seed(await context.connections.sandbox(), { isDryRun });
      return seedOutcome(things, isDryRun);
    },
  }),

  sign: defineCommand({
    summary: 'Sign as the current recipient in the sandbox',
    arguments: [{ name: 'id', completes: 'transaction', summary: 'ID of the transaction' }],
    options: {
      as: {
        value: 'EMAIL',
        completes: 'recipient',
        summary: 'Email of the expected recipient; fails if it is not their turn',
      },
      value: {
        value: 'LABEL=TEXT',
        repeat: true,
        summary: 'Value of a field, by label or ID; other fields get generated values',
      },
    },
    json: prints(
      object({ id: text, status: text, recipient: object({ id: text, name: text, email: text }) }),
    ),
    examples: [
      {
        line: 'esign sandbox sign @ --as ada@example.com --value "City=London"',
        about: 'Sign as Ada and fill in a field',
      },
    ],
    async check(_, { options: { value } }) {
      parseFieldValues(value);
    },
    async run(context, { args, options }) {
      const values = parseFieldValues(options.value);
      return actInSandbox(context, 'sandbox.sign', args.id, {
        ...(options.as !== undefined && { as: options.as }),
        values,
      });
    },
  }),

  reject: defineCommand({
    summary: 'Reject as the current recipient in the sandbox',
    arguments: [{ name: 'id', completes: 'transaction', summary: 'ID of the transaction' }],
    options: {
      as: {
        value: 'EMAIL',
        completes: 'recipient',
        summary: 'Email of the expected recipient; fails if it is not their turn',
      },
      reason: { value: 'TEXT', summary: 'Reason for rejecting (required)' },
    },
    json: prints(
      object({ id: text, status: text, recipient: object({ id: text, name: text, email: text }) }),
    ),
    examples: [
      {
        line: 'esign sandbox reject @ --reason "The amount is wrong"',
        about: 'Reject a transaction and state the reason',
      },
    ],
    async run(context, { args, options }) {
      if (options.reason === undefined && context.prompts.canAsk) {
        const { client } = await context.connections.sandbox();
        const params = { transactionId: args.id };
        mustBeStarted(await client['transaction.detail']({ params }), 'rejected');
      }
      const { value } = await askFor(context, {
        value: {
          what: 'Reason',
          flag: '--reason TEXT',
          value: options.reason,
          accept: (text) =>
            checkValue(sandboxOperations['sandbox.reject'].body, { reason: text }, { reason: 'This' }),
        },
      });
      return actInSandbox(context, 'sandbox.reject', args.id, {
        ...(options.as !== undefined && { as: options.as }),
        reason: value,
      });
    },
  }),

  expire: defineCommand({
    summary: 'Make a started transaction of the sandbox expire now',
    details: 'To let it expire at its time instead, run `esign sandbox clock advance`.',
    arguments: [{ name: 'id', completes: 'transaction', summary: 'ID of the transaction' }],
    options: {},
    json: prints(object({ id: text, status: text })),
    examples: [
      { line: 'esign sandbox expire @', about: 'Test what your program does when a transaction expires' },
    ],
    async run(context, { args }) {
      const { client } = await context.connections.sandbox();
      const params = { transactionId: args.id };
      const json = await client['sandbox.expire']({ params, body: {} });
      // This request tells `tx list` the state. Its error does not undo what was done.
      await client['transaction.detail']({ params }).catch(() => undefined);
      return showRecord(
        json,
        { id: 'Transaction', status: 'Status' },
        { headline: 'The transaction has expired.' },
      );
    },
  }),
};

/** Finds the variables of a seed by a dry run. */
async function seedVariables(context: CommandContext, { args, options }: RawInput): Promise<string[]> {
  const file = String(args.file);
  if (file === '-')
    throw optionsConflict('--env-path', '-', {
      why: 'Its variables are found by reading the seed before, and standard input can be read only once.',
      hint: 'Write the seed to a file.',
    });
  const { seed } = await openSeed(file, context);
  const things = await seed(await context.connections.sandbox(), { isDryRun: true });
  const names = things.flatMap(({ kind, name, result }) =>
    result === 'unchanged'
      ? []
      : (SEED_SECRETS[kind] ?? []).map((property) => variableOfNamed(options, name, property)),
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return names;
  throw invalidValue({
    name: '--env-path',
    problem: `would get two variables ${twice}: the names of two applications or webhooks are too much alike`,
    use: 'other names in the seed',
  });
}

const SEED_SECRETS: Readonly<Record<string, readonly string[]>> = {
  application: ['client_id', 'client_secret', 'notification_secret'],
  webhook: ['secret'],
};

/** `City=London` → `{ City: 'London' }` */
function parseFieldValues(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1)
        throw invalidValue({
          name: '--value',
          value: pair,
          use: 'LABEL=TEXT, for example --value "City=London"',
        });
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

type Acts = {
  'sandbox.sign': { as?: string; values: Record<string, string> };
  'sandbox.reject': { as?: string; reason: string };
};

const WORDS = { 'sandbox.sign': 'Signed', 'sandbox.reject': 'Rejected' };

async function actInSandbox<K extends keyof Acts>(
  context: Uses<'connections'>,
  operation: K,
  transactionId: string,
  body: Acts[K],
): Promise<Outcome> {
  checkValue(sandboxOperations[operation].body, body, { as: '--as', reason: '--reason', values: '--value' });
  const { client } = await context.connections.sandbox();
  const params = { transactionId };
  const answer =
    'reason' in body
      ? await client['sandbox.reject']({ params, body })
      : await client['sandbox.sign']({ params, body: body as Acts['sandbox.sign'] });
  // Read so that `tx list` knows who is asked to sign now. An error of this request does not undo what was done.
  await client['transaction.detail']({ params }).catch(() => undefined);
  return {
    kind: 'record',
    headline: `${WORDS[operation]} as ${person(answer.recipient)}.`,
    json: answer,
    entries: [
      { key: 'id', label: 'Transaction', value: answer.id },
      { key: 'status', label: 'Status', value: answer.status },
      { key: 'recipient', value: answer.recipient.email },
    ],
  };
}
