// Receives the events of a service that does not list them: by a temporary webhook at the service, and a receiver on this machine
// that a tunnel leads to. It refuses requests with a wrong signature. It removes the webhook however the command ends.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import {
  type Envelope,
  EVENT_TYPES,
  type EventType,
  type ReceivedEvent,
} from '../../../../api/contract/events.ts';
import { verifySignature } from '../../../../api/standard-webhooks.ts';
import { prepareShutdown } from '../../../../http/close-server.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import { EXIT } from '../../../command/exit-codes.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';

/** A webhook delivered the event with this request. */
type Original = { headers: Record<string, string>; body: Uint8Array };

export type Arrived = {
  event: ReceivedEvent;
  original?: Original;
  /** True if its signature was right; null where the service gave no secret. Absent where events are not signed. */
  verified?: boolean | null;
};

export type ReceiveOptions = {
  tunnel: URL;
  port: number;
  types: readonly EventType[];
  take(arrived: Arrived): Promise<void>;
  /** Called with the secret of the webhook, which signs what arrives. */
  onStart(secret: string | undefined): void;
};

type Parts = Uses<'connections' | 'process' | 'terminal'>;

const LOOPBACK = '127.0.0.1';

export async function receiveEvents(
  context: Parts,
  { client }: Connection,
  { tunnel, port, types, take, onStart }: ReceiveOptions,
): Promise<Outcome> {
  const receiver = createReceiver(context, take);
  const shutDown = prepareShutdown(receiver.server);
  await listening(receiver.server, port);
  try {
    const { id, secret } = await client['webhook.create']({
      body: {
        name: 'esign events listen',
        endpoint: tunnel.href,
        events: types.length > 0 ? [...types] : [...EVENT_TYPES],
      },
    });
    try {
      receiver.open(secret ?? undefined);
      if (!secret)
        context.terminal.progress.note('The service returned no secret. Events cannot be verified.');
      onStart(secret ?? undefined);
      const signal = await Promise.race([context.process.stopped, receiver.failed]);
      const exit = signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
      return { kind: 'text', text: '', json: undefined, exit };
    } finally {
      await removeWebhook(context, id);
    }
  } finally {
    await shutDown();
  }
}

/** Removes the webhook over a connection that a signal does not interrupt. */
async function removeWebhook({ connections, terminal }: Parts, id: string): Promise<void> {
  try {
    const { client } = await connections.connectForCleanup();
    await client['webhook.delete']({ params: { webhookId: id } });
  } catch (error) {
    terminal.warnAlways(
      'webhook_left',
      `The temporary webhook ${id} could not be removed: ${error instanceof Error ? error.message : String(error)} Remove it with \`esign webhooks delete ${id}\`.`,
    );
  }
}

/** An envelope is a few kilobytes, so a larger body is none. */
const BODY_BYTES = 1024 * 1024;

/** Headers that are about the connection to us, and not about the event. */
const NOT_FORWARDED =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*|x-forwarded-.*|forwarded)$/;

const REMEMBERED = 10_000;

function createReceiver({ process, terminal }: Parts, take: (arrived: Arrived) => Promise<void>) {
  /** Undefined until the webhook exists. Requests before that are refused. */
  let expected: { secret: string | undefined } | undefined;
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  const seen = new Set<string>();

  async function statusFor(request: IncomingMessage): Promise<number> {
    if (!expected) return 503;
    if (request.method !== 'POST') return 405;
    const body = await bodyOf(request);
    if (!body) return 413;
    const { secret } = expected;
    const { headers } = request;
    const seconds = Math.floor(process.clock() / 1000);
    if (secret !== undefined && !verifySignature(secret, namedOf(headers), body, seconds)) {
      terminal.progress.warn('Rejected a request whose signature is not valid.');
      return 401;
    }
    const event = envelopeIn(body);
    if (!event) return 400;
    // A service that did not get our answer sends the event again.
    if (seen.has(event.id)) return 204;
    seen.add(event.id);
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value ?? '');
    const original = { headers: forwardable(headers), body };
    await take({ event, original, verified: secret === undefined ? null : true });
    return 204;
  }

  const server = createServer((request, response) => {
    statusFor(request).then(
      (status) => response.writeHead(status).end(),
      (error) => {
        response.writeHead(500).end();
        if (!request.errored) fail(error);
      },
    );
  });
  return {
    server,
    failed,
    open(secret: string | undefined) {
      expected = { secret };
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > BODY_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function envelopeIn(body: Uint8Array): Envelope | undefined {
  try {
    const { created, id, type, data } = JSON.parse(new TextDecoder().decode(body)) as Partial<Envelope>;
    const isOne = typeof id === 'string' && id !== '' && typeof type === 'string' && typeof data === 'object';
    return isOne ? { created: String(created ?? ''), id, type, data: data ?? {} } : undefined;
  } catch {
    return undefined;
  }
}

const namedOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

const forwardable = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(namedOf(headers)).filter(([name]) => !NOT_FORWARDED.test(name)));

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const [code, problem] =
        error.code === 'EACCES'
          ? (['port_not_allowed', 'cannot be used: permission denied'] as const)
          : (['port_in_use', 'is already in use'] as const);
      reject(
        cliError(code, {
          sentence: `${LOOPBACK}:${port} ${problem}.`,
          hint: 'Choose another port with --port.',
        }),
      );
    });
    server.listen({ host: LOOPBACK, port }, () => resolve());
  });
}
