// Sends `multipart/form-data` uploads written by hand: in pieces, truncated, with names that no client would send.
import type { Harness } from './harness.ts';

const BOUNDARY = 'a-boundary-of-the-tests';

export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const bytes = (text: string): Bytes => new TextEncoder().encode(text);

type Bytes = Uint8Array<ArrayBuffer>;

export type MultipartPart = { name: string; filename?: string; content: string | Bytes };

/** Returns the form in pieces, as sent over the network. @param cut omits its end */
export function multipartChunks(
  parts: MultipartPart[],
  { cut = false, pieceBytes = 64 * 1024 } = {},
): Bytes[] {
  const out: Bytes[] = [];
  for (const { name, filename, content } of parts) {
    const named = filename === undefined ? '' : `; filename="${filename}"`;
    out.push(bytes(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${named}\r\n\r\n`));
    const whole = typeof content === 'string' ? bytes(content) : content;
    for (let at = 0; at < whole.length; at += pieceBytes) out.push(whole.subarray(at, at + pieceBytes));
    out.push(bytes('\r\n'));
  }
  if (!cut) out.push(bytes(`--${BOUNDARY}--\r\n`));
  else out.pop();
  return out;
}

/** A body of unknown length. @param then what happens after the last piece: it ends, aborts, or never ends */
export function bodyStreamOf(
  chunks: Uint8Array[],
  then: 'end' | 'break' | 'hang' = 'end',
): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[at];
      at += 1;
      if (chunk) return controller.enqueue(chunk);
      if (then === 'end') return controller.close();
      if (then === 'break') return controller.error(new Error('cut off'));
      return new Promise(() => undefined);
    },
  });
}

export async function postMultipart(
  { baseUrl, service, transport }: Pick<Harness, 'baseUrl' | 'service' | 'transport'>,
  body: Blob | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Promise<{
  status: number;
  body: { token?: string; presigned_url?: string; code?: string; detail?: string };
}> {
  const request = new Request(`${baseUrl}/v1/file/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.ownToken}`, 'content-type': MULTIPART_TYPE, ...headers },
    body,
    duplex: 'half',
  } as RequestInit);
  const response = await transport(request);
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}
