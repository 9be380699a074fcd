// Reads a body into memory, within the limit for the request and, where it comes over a network, within the limits for all bodies that are
// under way: a client that sends a part of a body and then nothing would hold memory as long as the connection lasts.

import { LIMITS } from '../../api/contract/limits.ts';
import type { Call } from '../../api/transport.ts';
import { clientOf } from './client-address.ts';

/** @returns whether the request has no body, or one without a byte; one of unknown length has to be read first */
export const hasNoBody = ({ body, headers }: Call): boolean =>
  body === undefined ||
  headers['content-length'] === '0' ||
  ((typeof body === 'string' || body instanceof Uint8Array) && body.length === 0);

export const isDeclaredLarger = ({ headers }: Call, limitBytes: number): boolean =>
  Number(headers['content-length'] ?? 0) > limitBytes;

/** `refused` means that too many bodies are being received at once. */
export type UnreadBody = 'too_large' | 'not_utf8' | 'cut_off' | 'refused';

export async function readBody(call: Call, limitBytes: number): Promise<{ text: string } | UnreadBody> {
  if (isDeclaredLarger(call, limitBytes)) return 'too_large';
  const bytes = await bytesOf(call, limitBytes);
  if (typeof bytes === 'string') return bytes;
  if (bytes.length > limitBytes) return 'too_large';
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return 'not_utf8';
  }
}

async function bytesOf({ body, from }: Call, limitBytes: number): Promise<Uint8Array | UnreadBody> {
  if (body === undefined) return new Uint8Array();
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  return bytesOfStream(body, from, limitBytes);
}

// --- Over a network ---

type Unread = 'too_large' | 'cut_off' | 'refused';

export async function bytesOfStream(
  body: AsyncIterable<Uint8Array>,
  from: string | undefined,
  limitBytes: number,
): Promise<Uint8Array | Unread> {
  const collecting: Collecting = { chunks: [], isRefused: false };
  let refuse: () => void = () => undefined;
  const refused = new Promise<'refused'>((resolve) => {
    refuse = () => {
      collecting.isRefused = true;
      collecting.chunks = [];
      resolve('refused');
    };
  });
  const received = BODIES.receive(clientOf(from), refuse);
  try {
    return await Promise.race([collect(body, limitBytes, collecting, received), refused]);
  } finally {
    received.end();
  }
}

type Collecting = { chunks: Uint8Array[]; isRefused: boolean };

/** A chunk takes so much memory beside its bytes. */
const CHUNK_BYTES = 256;

/** Ends with the next chunk once it is refused, and leaves the rest of the body to the server. */
async function collect(
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
  collecting: Collecting,
  received: ReceivedBody,
): Promise<Uint8Array | Unread> {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (collecting.isRefused) return 'refused';
      if (size > limitBytes) return 'too_large';
      collecting.chunks.push(chunk);
      received.add(chunk.length + CHUNK_BYTES);
    }
  } catch {
    // The client has gone away.
    return 'cut_off';
  }
  return Buffer.concat(collecting.chunks);
}

export type BodyBudget = {
  /** @param onRefused called once when the body is dropped: nothing more of it is received */
  receive(client: string, onRefused: () => void): ReceivedBody;
  /** It counts bodies that are under way. */
  readonly bytes: number;
};

export type ReceivedBody = {
  /**
   * Counts bytes that have come. It makes room by refusing the oldest body of the client that holds most, which may be this
   * one.
   */
  add(bytes: number): void;
  /** It is called when the body is complete, or given up. */
  end(): void;
};

type Limits = { together: number; perClient: number };

type UnderWay = { client: string; bytes: number; refuse: () => void };

export function createBodyBudget({ together, perClient }: Limits): BodyBudget {
  /** They stand in the order in which they began. */
  const underWay = new Set<UnderWay>();
  const held = new Map<string, number>();
  let total = 0;

  function count(body: UnderWay, bytes: number): void {
    const ofClient = (held.get(body.client) ?? 0) + bytes;
    if (ofClient > 0) held.set(body.client, ofClient);
    else held.delete(body.client);
    body.bytes += bytes;
    total += bytes;
  }

  function end(body: UnderWay): void {
    if (underWay.delete(body)) count(body, -body.bytes);
  }

  function refuseOldestOf(client: string): void {
    for (const body of underWay)
      if (body.client === client && body.bytes > 0) {
        end(body);
        body.refuse();
        return;
      }
  }

  const largestClient = (): string =>
    [...held].reduce((largest, entry) => (entry[1] > largest[1] ? entry : largest))[0];

  return {
    receive(client, onRefused) {
      const body: UnderWay = { client, bytes: 0, refuse: onRefused };
      underWay.add(body);
      return {
        add(bytes) {
          if (!underWay.has(body)) return;
          count(body, bytes);
          while ((held.get(client) ?? 0) > perClient) refuseOldestOf(client);
          while (total > together) refuseOldestOf(largestClient());
        },
        end: () => end(body),
      };
    },
    get bytes() {
      return total;
    },
  };
}

/** There is one for this process, because its memory is one. */
export const BODIES = createBodyBudget({
  together: LIMITS.bodiesBytes,
  perClient: LIMITS.bodiesOfClientBytes,
});
