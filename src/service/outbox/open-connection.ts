// Opens a connection to a judged address and to no other. For TLS, the server name and the certificate are checked against the
// address as it was written, whatever the name resolved to.
import { request as askProxy } from 'node:http';
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  type SecureContext,
} from 'node:tls';
import { familyOf } from '../../api/contract/egress.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { decodedPart } from '../../api/contract/parse-url.ts';
import { trustedAuthorities } from '../../http/authorities.ts';
import { isOneOf } from './egress.ts';
import type { Limit } from './limit.ts';
import { NotDelivered } from './not-delivered.ts';

export type Destination = {
  /** Without brackets. */
  host: string;
  port: number;
  isTls: boolean;
  isLoopback: boolean;
};

export type Opening = {
  destination: Destination;
  /** What the host resolved to, judged. */
  addresses: readonly string[];
  trust: () => Promise<readonly SecureContext[]>;
  /** `http://host:port`, for what is not loopback. */
  proxy: string | undefined;
  limit: Limit;
};

/** @throws NotDelivered, or what the system says */
export async function openSocket(opening: Opening): Promise<Socket> {
  if (!opening.destination.isTls) return openDirectly(opening, undefined);
  const [first, ...others] = await opening.trust();
  let result = openTls(opening, first!);
  for (const context of others)
    result = result.catch((error: NodeJS.ErrnoException) => {
      if (!UNKNOWN_AUTHORITY.has(error.code ?? '')) throw error;
      return openTls(opening, context);
    });
  return result;
}

const openTls = (opening: Opening, context: SecureContext): Promise<Socket> =>
  opening.proxy === undefined || opening.destination.isLoopback
    ? openDirectly(opening, context)
    : openThrough(opening.proxy, opening, context);

function openDirectly(
  { destination, addresses, limit }: Opening,
  context: SecureContext | undefined,
): Promise<Socket> {
  const target = {
    host: destination.host,
    port: destination.port,
    lookup: fixedLookup(addresses),
    // Tries the addresses one after the other.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: LIMITS.connectToNextMs,
  };
  return connectWithin(limit, () => {
    const socket = context
      ? connectTls({ ...target, ...tlsOptions(destination, context) })
      : connectTcp({ ...target, noDelay: true });
    // Before anything is written: code that waits for the connection in order to write on it is notified later.
    socket.prependListener('connect', () => {
      if (!isOneOf(socket.remoteAddress, addresses))
        socket.destroy(new NotDelivered('the connection went to an address that was not judged'));
    });
    return socket;
  });
}

async function openThrough(proxy: string, opening: Opening, context: SecureContext): Promise<Socket> {
  const { limit, destination } = opening;
  const socket = await tunnelThrough(proxy, opening);
  if (limit.reached) socket.destroy();
  return connectWithin(limit, () => connectTls({ ...tlsOptions(destination, context), socket }));
}

/** In place of a look-up: these, and nothing else. */
const fixedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  };

const tlsOptions = (
  { host }: Destination,
  secureContext: SecureContext,
): ConnectionOptions & { secureContext: SecureContext } => ({
  host,
  secureContext,
  // An address has no name to ask for; its certificate is compared all the same.
  ...(familyOf(host) ? {} : { servername: host }),
  ALPNProtocols: ['http/1.1'],
  // Set here, so that no environment variable can change it.
  rejectUnauthorized: true,
});

/**
 * Opens a socket and waits until it is connected. It opens none after the limit was reached: nothing would listen to its errors, and one of
 * them would end the process.
 */
function connectWithin(limit: Limit, open: () => Socket & { encrypted?: boolean }): Promise<Socket> {
  let opened: Socket | undefined;
  return limit.during(
    () => opened?.destroy(),
    () =>
      new Promise<Socket>((done, failed) => {
        const socket = open();
        opened = socket;
        let reason: unknown;
        const onError = (error: unknown) => {
          reason = error;
        };
        const onClose = () => failed(limit.reached ?? reason ?? new NotDelivered(CLOSED));
        socket.on('error', onError);
        socket.once('close', onClose);
        socket.once(socket.encrypted ? 'secureConnect' : 'connect', () => {
          // Destroyed by another listener of the same signal: then `close` follows.
          if (socket.destroyed) return;
          socket.off('close', onClose);
          socket.setNoDelay(true);
          done(socket);
        });
      }),
  );
}

const CLOSED = 'the connection was closed before a response arrived';

// --- Proxy ---

/** The proxy gets the judged address, not the name, which it would look up itself. */
async function tunnelThrough(proxy: string, { destination, addresses, limit }: Opening): Promise<Socket> {
  const address = addresses.find((each) => !each.includes(':')) ?? addresses[0]!;
  const target = `${address.includes(':') ? `[${address}]` : address}:${destination.port}`;
  const { hostname, port, username, password } = new URL(proxy);
  const login = `${decodedPart(username)}:${decodedPart(password)}`;
  const asked = askProxy({
    host: hostname,
    port: port === '' ? 80 : Number(port),
    method: 'CONNECT',
    path: target,
    agent: false,
    headers: {
      host: target,
      ...(username && { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
  });
  return limit.during(
    () => asked.destroy(),
    () =>
      new Promise<Socket>((done, failed) => {
        const refused = (status: number | undefined) =>
          failed(new NotDelivered(`the proxy responded with HTTP status ${status}`));
        asked.on('connect', ({ statusCode }, socket) => {
          if (statusCode === 200) return done(socket);
          socket.destroy();
          refused(statusCode);
        });
        asked.on('response', (answer) => {
          answer.destroy();
          refused(answer.statusCode);
        });
        asked.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) =>
          failed(limit.reached ?? new NotDelivered(`the proxy cannot be reached (${code})`)),
        );
        asked.on('close', () => failed(limit.reached ?? new NotDelivered('the proxy closed the connection')));
        asked.end();
      }),
  );
}

// --- Trust ---

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/**
 * What a certificate may come from, one after the other. Roots of ours are tried by themselves: put beside those of the
 * machine, they would replace what NODE_EXTRA_CA_CERTS adds.
 */
export type TrustedRoots = (isLoopback: boolean) => Promise<readonly SecureContext[]>;

/** Contexts are created once, because the one of the machine contains all its roots. */
export function createTrust(loopbackRoots: (() => Promise<string | undefined>) | undefined): TrustedRoots {
  let ofMachine: SecureContext | undefined;
  let ofLoopback: { roots: string; context: SecureContext } | undefined;
  return async (isLoopback) => {
    ofMachine ??= createSecureContext(trustedAuthorities());
    const roots = isLoopback ? await loopbackRoots?.() : undefined;
    if (roots === undefined) return [ofMachine];
    if (ofLoopback?.roots !== roots) ofLoopback = { roots, context: createSecureContext({ ca: roots }) };
    return [ofLoopback.context, ofMachine];
  };
}
