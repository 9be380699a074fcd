import type { ApiError } from '../../../api/codec.ts';
import type { EventType, ReceivedEvent } from '../../../api/contract/events.ts';
import { parseUrl } from '../../../common/parse-url.ts';
import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import {
  boolean,
  brief,
  described,
  nullable,
  number,
  object,
  open,
  prints,
  secret,
  text,
} from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { invalidValue, optionsConflict } from '../../command/wrong-input.ts';
import type { Connection } from '../../connection/connection.ts';
import { endedBySignal, followEvents, pollInterval } from '../../events/follow.ts';
import {
  type Forwarded,
  forwardSigned,
  type ListenSecret,
  listenSecret,
  postTo,
  RETRY_PAUSES_MS,
  receiverUrl,
  withRetries,
} from '../../events/forward.ts';
import { eventEnvelope, eventTypeIn, lineOf, resultOf, transactionOf } from '../../events/view.ts';
import { wholeNumber } from '../../input/parse-input.ts';
import { createWorkQueue, type WorkQueue } from './listen/queue.ts';
import { type Arrived, receiveEvents } from './listen/receive-events.ts';

export const command = defineCommand({
  summary: 'Print events as they happen, and optionally forward them to a URL',
  details: `Prints new events until you press Ctrl-C (exit code 130). If the connection to the service breaks, the events that were missed
follow later. With --forward-to, each event is sent to
your URL as a webhook would send it, with the headers webhook-id, webhook-timestamp and webhook-signature, in
order within each transaction. Redirects are not followed, and a response may take up to 15 seconds. Failures are always shown;
they are retried only with --retry, and do not end the command.

Forwarded events are signed with the secret in ESIGN_WEBHOOK_SECRET if it is set. Otherwise, the sandbox has a secret
that stays the same, which --print-secret prints. For a service, a new secret is generated in each run and shown at
a terminal; set ESIGN_WEBHOOK_SECRET to use the same one in every run. With --public-url, the
secret of the temporary webhook is used and shown at a terminal instead, unless ESIGN_WEBHOOK_SECRET is set.

The sandbox, and services whose API can list events, need neither a webhook nor a tunnel. Listing events is an optional part
of the API. A service without it (esign ends with exit code 2 and says so) only sends events to a public URL: run a tunnel to
port 8977 of this machine (or --port) and give its URL with --public-url. A webhook is created at the service for this
session and deleted at the end. What arrives with a wrong signature is refused with a warning, and neither printed nor forwarded.`,
  arguments: [],
  options: {
    'forward-to': { value: 'URL', summary: 'HTTP or HTTPS URL that each event is sent to' },
    event: {
      value: 'TYPE',
      repeat: true,
      summary: 'Event type to print and forward; see `esign help events` (default: all types)',
      completes: 'event_type',
    },
    transaction: {
      value: 'ID',
      completes: 'transaction',
      summary: 'ID of the transaction whose events are printed and forwarded',
    },
    after: {
      value: 'ID',
      completes: 'event',
      summary: 'ID of the event to continue after, instead of starting now',
    },
    retry: { summary: 'Retry a failed event up to five times, after 1, 2, 5, 10 and 30 seconds' },
    'print-secret': {
      summary:
        'Print the secret that forwarded events are signed with, and exit; at a service, only if ESIGN_WEBHOOK_SECRET is set',
    },
    'public-url': {
      value: 'URL',
      summary: 'HTTPS URL of a tunnel to this machine, for services whose API cannot list events',
    },
    port: { value: 'N', summary: 'Port on which esign receives what the tunnel forwards', default: '8977' },
  },
  json: prints(
    object({
      created: text,
      id: text,
      type: text,
      data: brief(open(object({}))),
      'forwarded?': described(
        object({
          status: nullable(number),
          why: nullable(text),
          duration_ms: number,
          attempts: number,
        }),
        'What became of it at --forward-to; only with this option.',
      ),
      'verified?': described(
        nullable(boolean),
        'True if its signature was checked; null if the service gave the webhook no secret. Only with --public-url.',
      ),
    }),
    ', one object per line; with --print-secret ',
    object({ secret: secret('WEBHOOK_SECRET') }),
  ),
  secrets: {
    again: 'Run the command again.',
    requires: 'print-secret',
    printed: (options) => (options['print-secret'] ? ['secret'] : []),
    isAll: (options) => options['print-secret'] === true,
  },
  examples: [
    {
      line: 'esign events listen --forward-to http://localhost:3000/hook',
      about: 'Test a webhook receiver on this machine',
    },
    {
      line: 'esign events listen --event transaction_completed',
      about: 'Print only completed transactions',
    },
    {
      line: 'esign events listen --print-secret',
      about: 'Print the secret that a receiver checks forwarded events with',
    },
  ],
  async check(_, { options }) {
    readListenOptions(options);
  },
  async run(context, { options }) {
    return listenToEvents(context, options);
  },
});

type ListenOptions = {
  'forward-to': string | undefined;
  event: readonly string[];
  transaction: string | undefined;
  after: string | undefined;
  retry: boolean;
  'print-secret': boolean;
  'public-url': string | undefined;
  port: string;
};

type Parts = Uses<'connections' | 'history' | 'process' | 'program' | 'settings' | 'terminal'>;

const PORT_MAX = 65_535;

/** @throws CliError for a value that is not valid */
const readListenOptions = (options: ListenOptions) => ({
  types: [...new Set(options.event.map((type) => eventTypeIn('--event', type)))],
  forwardTo:
    options['forward-to'] === undefined ? undefined : receiverUrl('--forward-to', options['forward-to']),
  port: wholeNumber('--port', options.port, 0, PORT_MAX),
  tunnel: tunnelUrl(options),
});

async function listenToEvents(context: Parts, options: ListenOptions): Promise<Outcome> {
  const { types, forwardTo, port, tunnel } = readListenOptions(options);
  const connection = await context.connections.connect();
  const secret = listenSecret(context.process, connection);
  if (options['print-secret']) return printedSecret(secret, connection);
  const isUnchanged = tunnel !== undefined && !secret.isLasting;
  const forward =
    forwardTo &&
    (await createForwarder(context, connection, {
      url: forwardTo,
      signing: secret,
      isRetried: options.retry,
    }));
  const wanted = ({ type, data }: ReceivedEvent) =>
    (types.length === 0 || types.some((subscribed) => subscribed === type)) &&
    (options.transaction === undefined || transactionOf({ data }) === options.transaction);
  const queue = createWorkQueue();
  const take = async (arrived: Arrived): Promise<void> => {
    if (!wanted(arrived.event)) return;
    queue.add(transactionOf(arrived.event), async () => {
      const forwarded = forward && (await forward(arrived));
      if (forwarded) await context.history.markForwarded(connection, arrived.event.id, resultOf(forwarded));
      await context.terminal.print(eventLine(context, { ...arrived, forwarded }));
    });
    await queue.room();
  };
  /** @param ofWebhook the secret that signs what comes through a tunnel */
  const onStart = (ofWebhook?: string) => {
    void context.history.saveRecent();
    announce(context, connection, forwardTo, isUnchanged ? ofWebhook : secret.secret);
  };
  try {
    if (tunnel) {
      return await receiveEvents(context, connection, { tunnel, port, types, take, onStart });
    }
    await follow(context, connection, { options, types, take, begun: onStart, queue });
    await queue.idle();
    return { kind: 'text', text: '', json: undefined };
  } catch (error) {
    return endedBySignal(error);
  }
}

function tunnelUrl({ 'public-url': text, after }: ListenOptions): URL | undefined {
  if (text === undefined) return undefined;
  if (after !== undefined)
    throw optionsConflict('--public-url', '--after', { why: 'A webhook receives only new events.' });
  const url = parseUrl(text);
  if (url?.protocol === 'https:') return url;
  throw invalidValue({
    name: '--public-url',
    value: text,
    use: 'the https URL that the tunnel prints',
  });
}

function printedSecret({ secret, isLasting }: ListenSecret, { service }: Connection): Outcome {
  if (isLasting) return { kind: 'text', text: secret, json: { secret } };
  throw cliError('secret_not_lasting', {
    sentence: `There is no secret to print: each run of \`esign events listen\` signs the events of ${service} with a new one.`,
    hint: 'Set ESIGN_WEBHOOK_SECRET to the secret of your receiver; `esign events listen` then signs with it in every run.',
  });
}

/**
 * Makes what `--forward-to` does with an event. A request that came through a tunnel is forwarded unchanged, unless the
 * receiver has a secret that it always expects; any other event is signed here.
 */
async function createForwarder(
  context: Parts,
  connection: Connection,
  { url, signing, isRetried }: { url: URL; signing: ListenSecret; isRetried: boolean },
): Promise<(arrived: Arrived) => Promise<Forwarded>> {
  const post = await postTo(context, connection, url);
  const { clock, pause } = context.process;
  const { version } = context.program;
  return ({ event, original }) =>
    withRetries(
      () =>
        original && !signing.isLasting
          ? post(original.headers, original.body)
          : forwardSigned(post, event, { secret: signing.secret, clock, version, body: original?.body }),
      isRetried ? RETRY_PAUSES_MS : [],
      pause,
    );
}

type Following = {
  options: ListenOptions;
  types: readonly EventType[];
  take(arrived: Arrived): Promise<void>;
  begun(): void;
  queue: WorkQueue;
};

async function follow(
  context: Parts,
  connection: Connection,
  { options, types, take, begun, queue }: Following,
): Promise<void> {
  const { client } = connection;
  const { progress, streams } = context.terminal;
  const [type] = types;
  const filter = {
    ...(options.transaction !== undefined && { transaction_id: options.transaction }),
    ...(type !== undefined && types.length === 1 && { type }),
  };
  let isFirst = true;
  const read = async (query: object) => {
    const page = await client['event.list']({ query }).catch((error: unknown) => {
      throw isFirst ? explained(error) : error;
    });
    isFirst = false;
    return page;
  };
  await followEvents(
    context.process,
    read,
    { filter, after: options.after, pauseMs: pollInterval(connection) },
    {
      onStart: begun,
      take: (event) => take({ event }),
      onDisconnected: (why) => progress.warn(`${why} Waiting until the service responds again.`),
      onReconnected: () => progress.note('The service responds again.'),
      // The reader of the output has gone, and nothing is forwarded, so the command can end.
      isOver: () => queue.failure() || (streams.out.isGone === true && options['forward-to'] === undefined),
    },
  );
}

/** Explains the error of a service that has no list of events, as one that knows only the specification. */
function explained(error: unknown): unknown {
  const { name, status, code, method, path } = error as Partial<ApiError>;
  const isRoute = status === 405 || (status === 404 && code !== 'event_not_found');
  if (name !== 'ApiError' || !isRoute) return error;
  return cliError('events_not_listed', {
    sentence: `The service does not list its events: the response to ${method} ${path} has the status ${status}.`,
    hint: 'Run a tunnel to port 8977 of this machine, and specify the URL of the tunnel: `esign events listen --public-url https://… --port 8977`.',
  });
}

function announce(
  { terminal: { progress, streams } }: Parts,
  { isSandbox, service }: Connection,
  forwardTo: URL | undefined,
  secret: string | undefined,
): void {
  progress.note(`Listening to the events of ${isSandbox ? 'the sandbox' : service}. Press Ctrl-C to stop.`);
  if (!forwardTo) return;
  // The secret must not stay in a log; `--print-secret` prints it there.
  if (streams.err.isTerminal && secret !== undefined)
    progress.note(`Forwarding to ${forwardTo.href}, signed with the secret ${secret}`);
  else progress.note(`Forwarding to ${forwardTo.href}`);
}

export function eventLine(
  { settings, terminal }: Uses<'settings' | 'terminal'>,
  { event, forwarded, verified }: Arrived & { forwarded: Forwarded | undefined },
): Outcome {
  const json = {
    ...eventEnvelope(event),
    ...(forwarded && { forwarded }),
    ...(verified !== undefined && { verified }),
  };
  if (!settings.json && terminal.streams.out.isTerminal)
    return { kind: 'text', json, text: lineOf(event, forwarded ? [outcomeOf(forwarded)] : []) };
  const result = forwarded && [
    forwarded.status,
    forwarded.duration_ms,
    forwarded.attempts,
    forwarded.why ?? '',
  ];
  return {
    kind: 'list',
    json,
    lines: [json],
    empty: '',
    table: {
      columns: [],
      rows: [[event.created, event.type, transactionOf(event), event.id, ...(result ?? [])]],
    },
  };
}

function outcomeOf({ status, why, duration_ms, attempts }: Forwarded): string {
  const tries = attempts > 1 ? `, ${attempts} attempts` : '';
  return `${why === null ? '→' : '✗'} ${resultOf({ status, why })} in ${duration_ms} ms${tries}`;
}
