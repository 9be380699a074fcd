// Sends one request to an authority on the web, with limits on time and size, and without following redirects.
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';

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

export const sendWebRequest = ({ url, post, maxBytes, timeoutMs }: WebRequest): Promise<WebResponse> =>
  new Promise((resolve) => {
    const no = (why: string) => resolve({ ok: false, why });
    const send = url.startsWith('https:') ? overHttps : overHttp;
    const options = {
      method: post ? 'POST' : 'GET',
      // Set here, so that no environment variable can change it.
      rejectUnauthorized: true,
      // For the whole request: an authority that sends a byte now and then would keep it open for ever.
      signal: AbortSignal.timeout(timeoutMs),
      headers: post && { 'content-type': post.type, 'content-length': post.body.length },
    };
    const asked = send(url, { ...options, headers: options.headers ?? {} }, (answer) => {
      const status = answer.statusCode ?? 0;
      if (status !== 200) {
        answer.destroy();
        no(`it responded with HTTP status ${status}`);
        return;
      }
      const chunks: Buffer[] = [];
      let length = 0;
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxBytes) {
          no(`its response is larger than ${maxBytes} bytes`);
          answer.destroy();
        } else chunks.push(chunk);
      });
      answer.on('end', () =>
        resolve({ ok: true, body: Buffer.concat(chunks), type: answer.headers['content-type'] ?? '' }),
      );
      answer.on('error', (error) => no(reasonOf(error, timeoutMs)));
    });
    asked.on('error', (error) => no(reasonOf(error, timeoutMs)));
    asked.end(post?.body);
  });

function reasonOf(error: Error & { code?: string }, timeoutMs: number): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `it did not respond within ${timeoutMs / 1000} s`;
  return `it cannot be reached (${error.code ?? 'unknown'})`;
}
