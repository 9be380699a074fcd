// Reads a body as text, counting while it comes. A declared length is believed only where it is too large: then nothing is read.
import type { Call } from '../api/transport.ts';

/** Whether the request has no body, or one without a byte. One of unknown length is found out by reading. */
export const hasNoBody = ({ body, headers }: Call): boolean =>
  body === undefined ||
  headers['content-length'] === '0' ||
  ((typeof body === 'string' || body instanceof Uint8Array) && body.length === 0);

export const isDeclaredLarger = ({ headers }: Call, limitBytes: number): boolean =>
  Number(headers['content-length'] ?? 0) > limitBytes;

export async function readBody(
  call: Call,
  limitBytes: number,
): Promise<{ text: string } | 'too_large' | 'not_utf8' | 'cut_off'> {
  if (isDeclaredLarger(call, limitBytes)) return 'too_large';
  const bytes = await bytesOf(call.body, limitBytes);
  if (bytes === 'cut_off') return bytes;
  if (bytes === 'too_large' || bytes.length > limitBytes) return 'too_large';
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return 'not_utf8';
  }
}

async function bytesOf(
  body: Call['body'],
  limitBytes: number,
): Promise<Uint8Array | 'too_large' | 'cut_off'> {
  if (body === undefined) return new Uint8Array();
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > limitBytes) return 'too_large';
      chunks.push(chunk);
    }
  } catch {
    // Whoever sent it has gone away.
    return 'cut_off';
  }
  return Buffer.concat(chunks);
}
