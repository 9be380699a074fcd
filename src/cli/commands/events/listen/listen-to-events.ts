// `events listen`: prints each event and forwards it, until a signal comes. Events of one transaction go out one after
// another; a receiver that hangs holds up its own transaction only.

import type { ApiError } from '../../../../api/codec.ts';
import type { ReceivedEvent } from '../../../../api/contract/event-log.ts';
import type { EventType } from '../../../../api/contract/events.ts';
import { parseUrl } from '../../../../api/contract/parse-url.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { eventTypeIn } from '../../../events/event-type.ts';
import { endedBySignal, followEvents, pollInterval } from '../../../events/follow.ts';
import { receiverUrl } from '../../../events/forward.ts';
import {
  type Forwarded,
  forwardSigned,
  type ListenSecret,
  listenSecret,
  postTo,
  RETRY_PAUSES_MS,
  withRetries,
} from '../../../events/receiver.ts';
import { resultOf, transactionOf } from '../../../events/view.ts';
import { wholeNumber } from '../../../input/parse-input.ts';
import { type Arrived, eventLine } from './event-line.ts';
import { createWorkQueue, type WorkQueue } from './queue.ts';

export type ListenOptions = {
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
export const readListenOptions = (options: ListenOptions) => ({
  types: [...new Set(options.event.map((type) => eventTypeIn('--event', type)))],
  forwardTo:
    options['forward-to'] === undefined ? undefined : receiverUrl('--forward-to', options['forward-to']),
  port: wholeNumber('--port', options.port, 0, PORT_MAX),
  tunnel: tunnelUrl(options),
});

export async function listenToEvents(context: Parts, options: ListenOptions): Promise<Outcome> {
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
    (types.length === 0 || types.some((one) => one === type)) &&
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
      const { receiveEvents } = await import('./receive-events.ts');
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
    throw cliError('options_conflict', {
      option: '--public-url',
      conflictsWith: '--after',
      why: 'A webhook receives only new events.',
    });
  const url = parseUrl(text);
  if (url?.protocol === 'https:') return url;
  throw cliError('value_invalid', {
    name: '--public-url',
    value: text,
    use: 'the https URL that the tunnel prints',
  });
}

function printedSecret({ secret, isLasting }: ListenSecret, { service }: Connection): Outcome {
  if (isLasting) return { kind: 'text', text: secret, json: { secret } };
  throw cliError('secret_not_lasting', { service });
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
  return cliError('events_not_listed', { request: `${method} ${path}`, status });
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
