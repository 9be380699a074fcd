// Resolves where a delivery goes: every address of a name is judged, and the connection uses the judged ones only. A name that
// cannot be resolved is refused.
import { Resolver } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';
import { familyOf, type InsideReceivers, isLocalhost, judgeAddress } from '../../api/contract/egress.ts';
import { NotDelivered } from './not-delivered.ts';

/** All addresses of a name. Rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** What a name server can answer, and what a connection tries one after the other. */
const MOST_ADDRESSES = 32;

/** @param host a name, or an address that was judged already */
export async function resolveAndJudge(
  host: string,
  resolve: Resolve,
  inside: InsideReceivers,
): Promise<readonly string[]> {
  if (familyOf(host)) return [host];
  if (isLocalhost(host)) return ['127.0.0.1', '::1'];
  const found = await resolve(host).catch((error: NodeJS.ErrnoException) => {
    throw new NotDelivered(`the host name ${host} cannot be resolved (${error.code ?? 'unknown'})`);
  });
  if (found.length === 0) throw new NotDelivered(`the host name ${host} has no IP address`);
  for (const address of found) {
    const verdict = judgeAddress(address);
    if (verdict?.kind === 'public' || inside.mayLeadTo(host, address)) continue;
    const what = verdict ? `${address}, which is ${verdict.what}` : 'something that is not an IP address';
    throw new NotDelivered(
      `the host name ${host} resolves to ${what}. Events are delivered only to hosts that are reachable from the internet, and to those in its network that the operator of the service allows`,
    );
  }
  return found.slice(0, MOST_ADDRESSES);
}

/** Two ways to write an address are the same address. */
export function isOneOf(address: string | undefined, judged: readonly string[]): boolean {
  const list = new BlockList();
  for (const each of judged) list.addAddress(each, familyOf(each)!);
  const family = address === undefined ? undefined : familyOf(address);
  return family !== undefined && list.check(address!, family);
}

const NAME_SERVER_MS = 2000;
const NAME_SERVER_TRIES = 2;

/** Said by a name server about the name itself, or where there is no name server: the machine may know it otherwise. */
const ASK_THE_MACHINE = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']);

/** In place of those of the machine, for tests. */
export type NameServers = { servers?: readonly string[]; timeoutMs?: number };

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
