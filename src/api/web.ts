// Converts between a Transport and the web's Request and Response.
import type { Call, Transport } from './transport.ts';

export type WebTransport = (request: Request) => Promise<Response>;

/** @returns what answers a Request by calling the transport */
export const fetchOver =
  (transport: Transport): WebTransport =>
  async (request) => {
    const { status, headers, body } = await transport(callOf(request));
    const isSent = request.method !== 'HEAD' && body.length > 0;
    return new Response(isSent ? (body as Uint8Array<ArrayBuffer> | string) : null, { status, headers });
  };

const callOf = (request: Request): Call => ({
  method: request.method,
  url: request.url,
  headers: Object.fromEntries(request.headers),
  body: request.body ?? undefined,
});

/** @returns a transport that makes a Request of each call and hands it to `fetch` */
export const transportOver =
  (fetch: WebTransport): Transport =>
  async ({ url, method, headers, body }) => {
    const init: RequestInit = {
      method,
      headers,
      ...(body !== undefined && { body: body as never, duplex: 'half' }),
    };
    const response = await fetch(new Request(url, init));
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    };
  };
