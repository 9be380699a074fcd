// Sends a probe to the public address of a team server, and says what is wrong with the way there: whether it leads to a node of this
// installation, and what its proxy tells the node.
import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { acceptQueued, prepareShutdown } from '../../http/close-server.ts';
import { sendRequest } from '../../http/send-request.ts';
import { type HealthAnswers, toHealthRequest } from '../http/server.ts';
import { isSameSecret, type Keys } from '../store/keys.ts';
import { type ProxyReports, reportOf } from './trusted-proxies.ts';

type OriginFinding = {
  state: 'ok' | 'warn' | 'fail';
  says: string;
  hint?: string;
  /** Whether nothing answered, or a proxy that reached no node. */
  reachedNothing?: true;
};

type OriginCheckOptions = {
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

/** A start waits so long for an address that is not reached from here, which many networks allow. */
const CONNECT_MS = 8000;
/** A node and its proxy that are only busy get longer: giving up says something of the proxy. */
const LIMIT_MS = 60_000;
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
    connectMs: CONNECT_MS,
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

/** Tells whether an address is one of this machine. */
function isOwnAddress(address: string): boolean {
  const bare = address.replace(/^::ffff:/, '');
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map((each) => each.address));
  return own.includes(bare) || /^(127\.|::1$)/.test(bare);
}

/** Reads a Host header, which was sent back and may be anything. */
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

type ProbeListenOptions = {
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

// --- The probe: a number that only a process with the key of the installation can answer, so that neither a cache nor another service passes ---

/** Its value is `NONCE.PROOF`. */
const PROBE_HEADER = 'x-esign-probe';

const NONCE_BYTES = 16;

/** Addresses for documentation (RFC 5737): no machine has them. */
const SOME_CLIENT = '192.0.2.1';
const FORGED_CLIENT = '203.0.113.66';

type ProbeRequest = {
  headers: Readonly<Record<string, string | undefined>>;
  from: string | undefined;
};

/** Says what a node saw of the request. Only those who have the key get it. */
type ProbeAnswer = {
  /** Proves that the node has the key and has seen this request. */
  proof: string;
  host: string;
  /** The address that connected to the node, and that of the client. */
  from: string;
  client: string;
  /** The header that the node believes, and the addresses in it; absent in the answer of a node of an earlier version. */
  header?: string;
  reported?: string[];
  /** Of a node of an earlier version. */
  is_forwarded?: boolean;
  /** Whether what the connecting address reports counts. */
  is_trusted: boolean;
};

const proofOf = (keys: Keys, purpose: 'request' | 'answer', nonce: string): string =>
  keys.derive(`${purpose} of a probe of the origin ${nonce}`);

/** @returns undefined for a request that is no probe of this installation */
export function answerProbe(
  { headers, from = '' }: ProbeRequest,
  keys: Keys,
  proxies: ProxyReports,
): ProbeAnswer | undefined {
  const [nonce = '', proof = ''] = (headers[PROBE_HEADER] ?? '').split('.');
  if (nonce === '' || !isSameSecret(proof, proofOf(keys, 'request', nonce))) return undefined;
  return {
    proof: proofOf(keys, 'answer', nonce),
    host: headers.host ?? '',
    from,
    client: proxies.clientOf(from, headers) ?? '',
    header: proxies.header,
    reported: proxies.reportedIn(headers),
    is_trusted:
      proxies.clientOf(from, { [proxies.header]: reportOf(proxies.header, SOME_CLIENT) }) === SOME_CLIENT,
  };
}

type Probe = {
  /** The headers that name a client are forged, because any client can send them. */
  headers: Record<string, string>;
  /** @returns what the node saw; undefined where no node of this installation has answered this very probe */
  read(answer: unknown): ProbeAnswer | undefined;
};

/** Headers that name the client of a request, as proxies and their documentation have them. */
const CLIENT_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip'];

/** @param clientHeader the header that nodes believe */
function createProbe(keys: Keys, random: (bytes: number) => Uint8Array, clientHeader: string): Probe {
  const nonce = Buffer.from(random(NONCE_BYTES)).toString('base64url');
  return {
    headers: {
      ...Object.fromEntries(
        [...CLIENT_HEADERS, clientHeader].map((name) => [name, reportOf(name, FORGED_CLIENT)]),
      ),
      [PROBE_HEADER]: `${nonce}.${proofOf(keys, 'request', nonce)}`,
    },
    read(answer) {
      const probe = answer as Partial<ProbeAnswer> | undefined;
      const isAnswer =
        typeof probe?.proof === 'string' && isSameSecret(probe.proof, proofOf(keys, 'answer', nonce));
      return isAnswer ? (probe as ProbeAnswer) : undefined;
    },
  };
}
