// Sends a probe to the public address of a team server, and says what is wrong with the way there.
import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { acceptQueued, prepareShutdown } from '../../http/close-server.ts';
import { sendRequest } from '../../http/send-request.ts';
import type { HealthAnswers } from '../http/server.ts';
import { toHealthRequest } from '../http/server.ts';
import type { Keys } from '../store/keys.ts';
import { createProbe, FORGED_CLIENT, PROBE_HEADER, type ProbeAnswer } from './origin-probe.ts';

export type OriginFinding = {
  state: 'ok' | 'warn' | 'fail';
  says: string;
  hint?: string;
  /** Whether nothing answered, or a proxy that reached no node. */
  reachedNothing?: true;
};

export type OriginCheckOptions = {
  /** `https://sign.example.com` */
  origin: string;
  installation: string;
  keys: Keys;
  random: (bytes: number) => Uint8Array;
  /** Whether a node would answer requests for this host. */
  isServed: (hostname: string) => boolean;
  /** The header in which proxies report their clients, in lower case. */
  clientHeader: string;
  /** Whether nodes serve HTTPS themselves. */
  hasTls: boolean;
  /** What the certificate of the proxy is checked against, in PEM; undefined for Node's own. */
  authorities: readonly string[] | undefined;
  /** Whether a warning of this check is a failure. */
  isRequired: boolean;
};

const LIMIT_MS = 8000;
const MOST_BYTES = 16_384;

export async function checkOrigin(options: OriginCheckOptions): Promise<OriginFinding> {
  const { origin, installation, keys, random, clientHeader, authorities } = options;
  const probe = createProbe(keys, random, clientHeader);
  const { status, body, error, isLate } = await sendRequest({
    url: `${origin}/healthz`,
    method: 'GET',
    headers: { accept: 'application/json', 'cache-control': 'no-store', ...probe.headers },
    usesNewConnection: true,
    authorities,
    timeoutMs: LIMIT_MS,
    maxBytes: () => MOST_BYTES,
  });
  if (status === null || isLate)
    return {
      ...unreachable(options, isLate ? 'no response' : (error?.code ?? 'error')),
      ...(error?.code === 'ECONNREFUSED' && { reachedNothing: true }),
    };
  if (status >= 500)
    return {
      state: 'warn',
      reachedNothing: true,
      says: `The proxy at ${origin} responded with HTTP status ${status}, so it reached no node.`,
      hint: 'Check the addresses of the nodes in its configuration.',
    };
  const answer = parse(body);
  const seen = probe.read(answer?.probe);
  if (seen) return judge(seen, options);
  if (answer?.installation === installation)
    return {
      state: 'warn',
      says: `${origin} leads to this installation, but the response is not that to this request.`,
      hint: `Make the proxy pass the header ${PROBE_HEADER} on, and cache nothing of /healthz.`,
    };
  return {
    state: 'fail',
    says: `${origin} does not lead to this installation (HTTP status ${status}).`,
    hint: 'Check --origin, the DNS entry of its host, and the addresses of the nodes in the configuration of the proxy.',
  };
}

const unreachable = (
  { origin, isRequired }: Pick<OriginCheckOptions, 'origin' | 'isRequired'>,
  why: string,
): OriginFinding => ({
  state: 'warn',
  says: `${origin} could not be reached from this machine (${why}).`,
  hint: `Check the DNS entry, the proxy and its certificate (ESIGN_CA_CERT names your own certificate authority).${
    isRequired
      ? ''
      : ' If only this machine cannot reach it, nothing needs to be done. To treat this as a failure, add --require proxy.'
  }`,
});

function judge(seen: ProbeAnswer, { origin, isServed, hasTls }: OriginCheckOptions): OriginFinding {
  const { hostname } = new URL(origin);
  const passed = hostnameOf(seen.host);
  if (passed !== hostname)
    return {
      state: isServed(passed) ? 'warn' : 'fail',
      says: `The proxy passes on the host "${passed}" instead of "${hostname}".`,
      hint: 'Make it pass the Host header on, in nginx with `proxy_set_header Host $http_host;`.',
    };
  const { header = 'x-forwarded-for', reported, from, client, is_trusted: isTrusted } = seen;
  // What the proxies have added after the address that this request claims to come from.
  const added = reported?.slice(reported.lastIndexOf(FORGED_CLIENT) + 1);
  const isReported = added ? added.length > 0 : seen.is_forwarded === true;
  // A node that serves HTTPS itself may be reached by this machine without a proxy.
  const isDirect = hasTls && isOwnAddress(from);
  if (isTrusted && !isDirect && !isReported && reported && reported.length > 0)
    return {
      state: 'fail',
      says: `The proxy at ${from} passes on the header ${header} as clients send it, so that a client chooses the address that is recorded for it.`,
      hint: `Make it write ${header} itself, in nginx with \`proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;\`, or name the header that it writes with --client-header.`,
    };
  if (isReported && !isTrusted)
    return {
      state: 'warn',
      says: `The proxy at ${from} is not trusted, so all clients count as one when sign-in attempts are limited.`,
      hint: `Set --trusted-proxy ${from}.`,
    };
  if (!isReported && !hasTls)
    return {
      state: 'warn',
      says: `The proxy at ${from} does not report its clients, so all of them count as one when sign-in attempts are limited.`,
      hint: 'Make it send X-Forwarded-For, in nginx with `proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`.',
    };
  const [passedOnBy] = added ?? [];
  if (client === FORGED_CLIENT && passedOnBy !== undefined && !isOwnAddress(passedOnBy))
    return {
      state: 'warn',
      says: `${passedOnBy} is trusted and passes on the header ${header} as this request sent it. If a proxy has this address, a client chooses the address that is recorded for it.`,
      hint: `Make the outermost proxy write ${header} itself. If ${passedOnBy} is no proxy, leave it out of --trusted-proxy.`,
    };
  return {
    state: 'ok',
    says: `${origin} leads to this installation. It sees this machine as ${client === FORGED_CLIENT ? (passedOnBy ?? from) : client}.`,
  };
}

/** Whether an address is one of this machine. */
function isOwnAddress(address: string): boolean {
  const bare = address.replace(/^::ffff:/, '');
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map((each) => each.address));
  return own.includes(bare) || /^(127\.|::1$)/.test(bare);
}

/** Of a Host header. It was sent back, so it may be anything. */
function hostnameOf(host: string): string {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return '';
  }
}

function parse(body: Buffer): { installation?: unknown; probe?: unknown } | undefined {
  try {
    return JSON.parse(body.toString('utf8')) ?? undefined;
  } catch {
    return undefined;
  }
}

export type ProbeListenOptions = {
  host: string;
  port: number;
  tls: { cert: string; key: string } | undefined;
  health: HealthAnswers;
};

/** The last responses have been sent by then. */
const CLOSE_WITHIN_MS = 1000;

/**
 * Answers probes on the port of this node while nothing else does, so that the first node finds itself. Everything else gets 503.
 * @throws the system's error where the port cannot be opened
 */
export async function listenForProbe(options: ProbeListenOptions): Promise<{ close(): Promise<void> }> {
  const { host, port, tls, health } = options;
  const server: Server = tls ? (await import('node:https')).createServer(tls) : createServer();
  server.on('request', (request, response) => {
    const answer = request.url === '/healthz' ? health['/healthz'] : undefined;
    const connection = 'close';
    // A connection that is closed with unread bytes is reset, and the client loses the response (RFC 9112 §9.6).
    request.resume().once('end', async () => {
      const answered = await answer?.(toHealthRequest(request));
      if (answered) response.writeHead(answered.status, { connection }).end(answered.body);
      else response.writeHead(503, { connection, 'retry-after': '1' }).end();
    });
  });
  const shutDown = prepareShutdown(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    async close() {
      await acceptQueued(server);
      await shutDown(CLOSE_WITHIN_MS);
    },
  };
}
