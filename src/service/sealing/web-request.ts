// Sends one request to an authority on the web, with limits on time and size, and without following redirects.
import { sendRequest } from '../../http/send-request.ts';

export type WebResponse =
  | { ok: true; body: Buffer; type: string }
  /** Why there is none, as the end of a sentence. */
  | { ok: false; why: string };

export type WebRequest = {
  url: string;
  /** Without it, the method is GET. */
  post?: { type: string; body: Uint8Array };
  maxBytes: number;
  timeoutMs: number;
};

export async function sendWebRequest({ url, post, maxBytes, timeoutMs }: WebRequest): Promise<WebResponse> {
  const { status, headers, body, isTooLarge, error, isLate } = await sendRequest({
    url,
    method: post ? 'POST' : 'GET',
    headers: post ? { 'content-type': post.type, 'content-length': String(post.body.length) } : {},
    body: post?.body,
    timeoutMs,
    maxBytes: (received) => (received === OK ? maxBytes : 0),
  });
  const no = (why: string): WebResponse => ({ ok: false, why });
  if (status !== null && status !== OK) return no(`it responded with HTTP status ${status}`);
  if (isLate) return no(`it did not respond within ${timeoutMs / 1000} s`);
  if (error) return no(`it cannot be reached (${error.code ?? 'unknown'})`);
  if (isTooLarge) return no(`its response is larger than ${maxBytes} bytes`);
  return { ok: true, body, type: headers['content-type'] ?? '' };
}

const OK = 200;
