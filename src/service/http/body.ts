// Reads a body as text, counting while it comes. A declared length is believed only where it is too large: then nothing is read.
import type { Call } from '../../api/transport.ts';

/** Whether the request has no body, or one without a byte. One of unknown length is found out by reading. */
export const hasNoBody = ({ body, headers }: Call): boolean =>
  body === undefined ||
  headers['content-length'] === '0' ||
  ((typeof body === 'string' || body instanceof Uint8Array) && body.length === 0);

export const isDeclaredLarger = ({ headers }: Call, limitBytes: number): boolean =>
  Number(headers['content-length'] ?? 0) > limitBytes;

/** `refused`: too many bodies are being received at once. */
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
  streaming ??= import('./body-stream.ts');
  return (await streaming).bytesOfStream(body, from, limitBytes);
}

/** A command in this process sends no stream, and does not load what reads one. */
let streaming: Promise<typeof import('./body-stream.ts')> | undefined;
