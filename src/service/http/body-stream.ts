// Reads a body that comes over a network into memory, within the limits for all bodies that are under way (`body-budget.ts`).

import { BODIES, type ReceivedBody } from './body-budget.ts';
import { clientOf } from './client-address.ts';

/** Why there is no body. */
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

/** What a chunk takes of memory beside its bytes. */
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
