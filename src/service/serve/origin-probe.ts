// Checks that the public address of a service leads to a node of this installation, and what its proxy tells the node: a request to /healthz
// carries a number that only a process with the key of the installation can answer, so that neither a cache nor another service passes.
import type { Keys } from '../store/keys.ts';
import { isSameSecret } from '../store/keys.ts';
import { type ProxyReports, reportOf } from './trusted-proxies.ts';

/** `NONCE.PROOF` */
export const PROBE_HEADER = 'x-esign-probe';

const NONCE_BYTES = 16;

/** Addresses for documentation (RFC 5737): no machine has them. */
const SOME_CLIENT = '192.0.2.1';
export const FORGED_CLIENT = '203.0.113.66';

export type ProbeRequest = {
  headers: Readonly<Record<string, string | undefined>>;
  from: string | undefined;
};

/** What a node saw of the request. Only those who have the key get it. */
export type ProbeAnswer = {
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

export type Probe = {
  /** The headers that name a client are forged, because any client can send them. */
  headers: Record<string, string>;
  /** @returns what the node saw; undefined where no node of this installation has answered this very probe */
  read(answer: unknown): ProbeAnswer | undefined;
};

/** Headers that name the client of a request, as proxies and their documentation have them. */
const CLIENT_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip'];

/** @param clientHeader the header that nodes believe */
export function createProbe(keys: Keys, random: (bytes: number) => Uint8Array, clientHeader: string): Probe {
  const nonce = Buffer.from(random(NONCE_BYTES)).toString('base64url');
  return {
    headers: {
      ...Object.fromEntries(
        [...CLIENT_HEADERS, clientHeader].map((name) => [name, reportOf(name, FORGED_CLIENT)]),
      ),
      [PROBE_HEADER]: `${nonce}.${proofOf(keys, 'request', nonce)}`,
    },
    read(answer) {
      const found = answer as Partial<ProbeAnswer> | undefined;
      const isAnswer =
        typeof found?.proof === 'string' && isSameSecret(found.proof, proofOf(keys, 'answer', nonce));
      return isAnswer ? (found as ProbeAnswer) : undefined;
    },
  };
}
