// Resolves where a delivery goes, judges every address, and opens a connection to a judged address and to no other (decision 0024). For TLS,
// the server name and the certificate are checked against the address as it was written, whatever the name resolved to.
import { Resolver } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as askProxy } from 'node:http';
import { BlockList, connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  type SecureContext,
} from 'node:tls';
import { familyOf, type InsideReceivers, isLocalhost, judgeAddress } from '../../api/contract/egress.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { decodedPart } from '../../common/parse-url.ts';
import { trustedAuthorities } from '../../http/authorities.ts';
import { NotDelivered } from './attempt.ts';
import type { Deadline } from './connection.ts';

export type Destination = {
  /** An IPv6 address stands without brackets. */
  host: string;
  port: number;
  isTls: boolean;
  isLoopback: boolean;
};

type Opening = {
  destination: Destination;
  /** The host resolved to these addresses, which were judged. */
  addresses: readonly string[];
  trust: () => Promise<readonly SecureContext[]>;
  /** It has the form `http://host:port`, and is used for destinations that are not loopback. */
  proxy: string | undefined;
  deadline: Deadline;
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
  { destination, addresses, deadline }: Opening,
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
  return connectBefore(deadline, () => {
    const socket = context
      ? connectTls({ ...target, ...tlsOptions(destination, context) })
      : connectTcp({ ...target, noDelay: true });
    // The listener is removed before anything is written: code that waits for the connection in order to write on it is
    // notified later.
    socket.prependListener('connect', () => {
      if (!isOneOf(socket.remoteAddress, addresses))
        socket.destroy(new NotDelivered('the connection went to an address that was not judged'));
    });
    return socket;
  });
}

async function openThrough(proxy: string, opening: Opening, context: SecureContext): Promise<Socket> {
  const { deadline, destination } = opening;
  const socket = await tunnelThrough(proxy, opening);
  if (deadline.passed) socket.destroy();
  return connectBefore(deadline, () => connectTls({ ...tlsOptions(destination, context), socket }));
}

/** Returns these addresses in place of a look-up, and nothing else. */
const fixedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, done) => {
    const judged = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (all) done(null, judged);
    else done(null, judged[0]!.address, judged[0]!.family);
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
  // It is set here, so that no environment variable can change it.
  rejectUnauthorized: true,
});

/**
 * Opens a socket and waits until it is connected. It opens none after the deadline was passed: nothing would listen to its errors, and one of
 * them would end the process.
 */
function connectBefore(deadline: Deadline, open: () => Socket & { encrypted?: boolean }): Promise<Socket> {
  let opened: Socket | undefined;
  return deadline.during(
    () => opened?.destroy(),
    () =>
      new Promise<Socket>((done, failed) => {
        const socket = open();
        opened = socket;
        let reason: unknown;
        const onError = (error: unknown) => {
          reason = error;
        };
        const onClose = () => failed(deadline.passed ?? reason ?? new NotDelivered(CLOSED));
        socket.on('error', onError);
        socket.once('close', onClose);
        socket.once(socket.encrypted ? 'secureConnect' : 'connect', () => {
          // Another listener of the same signal has destroyed it: then `close` follows.
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

/** Connects through a proxy. It gets the judged address, not the name, which it would look up itself. */
async function tunnelThrough(proxy: string, { destination, addresses, deadline }: Opening): Promise<Socket> {
  const address = addresses.find((each) => !each.includes(':')) ?? addresses[0]!;
  const target = `${address.includes(':') ? `[${address}]` : address}:${destination.port}`;
  const { hostname, port, username, password } = new URL(proxy);
  const login = `${decodedPart(username)}:${decodedPart(password)}`;
  const request = askProxy({
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
  return deadline.during(
    () => request.destroy(),
    () =>
      new Promise<Socket>((done, failed) => {
        const refused = (status: number | undefined) =>
          failed(new NotDelivered(`the proxy responded with HTTP status ${status}`));
        request.on('connect', ({ statusCode }, socket) => {
          if (statusCode === 200) return done(socket);
          socket.destroy();
          refused(statusCode);
        });
        request.on('response', (answer) => {
          answer.destroy();
          refused(answer.statusCode);
        });
        request.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) =>
          failed(deadline.passed ?? new NotDelivered(`the proxy cannot be reached (${code})`)),
        );
        request.on('close', () =>
          failed(deadline.passed ?? new NotDelivered('the proxy closed the connection')),
        );
        request.end();
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
 * A certificate may come from these, one after the other. Roots of ours are tried by themselves: put beside those of the
 * machine, they would replace what NODE_EXTRA_CA_CERTS adds.
 */
type TrustedRoots = (isLoopback: boolean) => Promise<readonly SecureContext[]>;

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

// --- Addresses ---

/** Finds all addresses of a name. Rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** A name server can answer with as many, and a connection tries them one after the other. */
const MOST_ADDRESSES = 32;

/** @param host a name, or an address that was judged already */
export async function resolveAndJudge(
  host: string,
  resolve: Resolve,
  inside: InsideReceivers,
): Promise<readonly string[]> {
  if (familyOf(host)) return [host];
  if (isLocalhost(host)) return ['127.0.0.1', '::1'];
  const addresses = await resolve(host).catch((error: NodeJS.ErrnoException) => {
    throw new NotDelivered(`the host name ${host} cannot be resolved (${error.code ?? 'unknown'})`);
  });
  if (addresses.length === 0) throw new NotDelivered(`the host name ${host} has no IP address`);
  for (const address of addresses) {
    const verdict = judgeAddress(address);
    if (verdict?.kind === 'public' || inside.mayLeadTo(host, address)) continue;
    const target = verdict
      ? `${address}, which is ${verdict.meaning}`
      : 'something that is not an IP address';
    throw new NotDelivered(
      `the host name ${host} resolves to ${target}. Events are delivered only to hosts that are reachable from the internet, and to those in its network that the operator of the service allows`,
    );
  }
  return addresses.slice(0, MOST_ADDRESSES);
}

/** Compares addresses, not how they are written. */
function isOneOf(address: string | undefined, judged: readonly string[]): boolean {
  const list = new BlockList();
  for (const each of judged) list.addAddress(each, familyOf(each)!);
  const family = address === undefined ? undefined : familyOf(address);
  return family !== undefined && list.check(address!, family);
}

const NAME_SERVER_MS = 2000;
const NAME_SERVER_TRIES = 2;

/** A name server says this about the name itself, or there is no name server: the machine may know it otherwise. */
const ASK_THE_MACHINE = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']);

/** Tests set these in place of those of the machine. */
type NameServers = { servers?: readonly string[]; timeoutMs?: number };

/**
 * Asks name servers without a thread. The machine's own way (`lookup`) has a few threads for all names, and names whose
 * servers are silent would occupy them: it is asked only about names that the name servers do not know.
 */
export function resolverOfMachine({ servers, timeoutMs = NAME_SERVER_MS }: NameServers = {}): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries: NAME_SERVER_TRIES });
  if (servers) resolver.setServers(servers);
  const ask = (host: string, kind: 'resolve4' | 'resolve6') =>
    new Promise<string[]>((done, failed) =>
      resolver[kind](host, (error, addresses) => (error ? failed(error) : done(addresses))),
    );
  return async (host) => {
    const answers = await Promise.allSettled([ask(host, 'resolve4'), ask(host, 'resolve6')]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    const silent = reasons.find(({ code }) => !ASK_THE_MACHINE.has(code));
    if (silent) throw silent;
    return (await lookup(host, { all: true })).map(({ address }) => address);
  };
}
