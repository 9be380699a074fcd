// Waits on the loopback address of the Callback URL for the browser to come back. It refuses requests that do not belong to this
// login and keeps waiting: another page or program of this machine must not end a login, or take it over.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { parseUrl } from '../../../common/parse-url.ts';
import { prepareShutdown, type Shutdown } from '../../../http/close-server.ts';
import { hostsOf, isLoopbackName, portOf } from '../../connection/loopback.ts';
import { type ResultPage, redirect, renderResultPage } from '../../connection/result-page.ts';
import { type MissingState, type RedirectReading, type Returned, readReturned } from './authorization.ts';

export type Arrival = { returned: Returned; proof: 'right' | 'missing' };

export type Listening = {
  /** What the browser came back with, once; undefined when the window has closed. */
  returned: Promise<Arrival | undefined>;
  /** Resolves when something came back a second time after an answer without a state: one of the two is not ours. */
  contested: Promise<void>;
  /** Tells the browser how it ended, waits a moment for it to look, and stops. */
  finish(ending: { ok: true } | { ok: false; message: string }): Promise<void>;
  close(): Promise<void>;
};

export type CallbackOptions = {
  callback: URL;
  state: string;
  missingState: MissingState;
  windowMs: number;
  signal?: AbortSignal;
  /** Called with the reason when a request to the Callback URL was refused. */
  onStray?: (why: string) => void;
};

/** How long a browser may take to fetch the last page. */
const LOOK_MS = 3000;

/** Rejects with the system's error (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`) when the port is not available. */
export async function listenForCallback(options: CallbackOptions): Promise<Listening> {
  const { callback, windowMs, signal } = options;
  const donePath = `${callback.pathname.replace(/\/$/, '')}/done`;
  let ending: ResultPage | undefined;
  let taken: Arrival | undefined;
  const { promise: returned, resolve: resolveReturned } = createDeferred<Arrival | undefined>();
  const { promise: contested, resolve: resolveContested } = createDeferred<void>();
  const { promise: looked, resolve: resolveLooked } = createDeferred<void>();
  const { promise: ended, resolve: resolveEnded } = createDeferred<void>();

  const stray = (status: number, why: string): ResultPage => {
    options.onStray?.(why);
    return refused(status, why);
  };

  async function answerTo(request: IncomingMessage): Promise<ResultPage> {
    const address = `${callback.origin}${request.url}`;
    const url = request.url?.startsWith('/') ? parseUrl(address) : undefined;
    if (!url) return refused(400, 'The path is not valid.');
    const { host = '' } = request.headers;
    if (host !== callback.host) return stray(400, strayHost(host, url, callback));
    if (url.pathname === donePath && ending) {
      resolveLooked();
      return ending;
    }
    if (url.pathname !== callback.pathname) return refused(404, 'There is no page at this URL.');
    if (request.method !== 'GET')
      return withHeader(refused(405, 'Only GET requests are accepted.'), 'allow', 'GET');
    const reading = readReturned(url.searchParams, options.state);
    if (taken?.proof === 'missing' && !isTheSame(taken, reading)) resolveContested();
    if (reading.kind === 'wrong_state') return stray(400, 'This response belongs to another login.');
    if (reading.kind === 'nothing') return stray(400, reading.why);
    if (reading.proof === 'missing' && options.missingState === 'refuse')
      return stray(400, 'A response without the state parameter of this login was refused.');
    if (reading.proof === 'missing' && !isNavigation(request))
      return stray(400, 'A response without a state parameter is accepted only from a browser.');
    if (taken) return refused(409, 'This login is already complete.');
    taken = { returned: reading.returned, proof: reading.proof };
    resolveReturned(taken);
    await ended;
    return redirect(donePath);
  }

  const shutdowns = await listenOn(hostsOf(callback), portOf(callback), () =>
    createServer((request, response) => {
      void answerTo(request).then(({ status, headers, body }) => {
        response.writeHead(status, headers);
        response.end(body);
      });
    }),
  );
  const window = setTimeout(() => resolveReturned(undefined), windowMs);
  const close = async () => {
    clearTimeout(window);
    resolveReturned(undefined);
    resolveEnded();
    await Promise.all(shutdowns.map((shutDown) => shutDown()));
  };
  signal?.addEventListener('abort', () => void close(), { once: true });
  return {
    returned,
    contested,
    async finish(how) {
      ending = how.ok
        ? renderResultPage(200, 'You are logged in.', 'Close this window and return to the terminal.')
        : renderResultPage(200, 'The login failed.', how.message, 'See the terminal for details.');
      resolveEnded();
      if (taken) await Promise.race([looked, wait(LOOK_MS)]);
      await close();
    },
    close,
  };
}

/** Makes a promise that is resolved from outside, as Promise.withResolvers does in later versions of Node.js. */
function createDeferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Compares two answers. A browser that loads the page again brings the same one. */
const isTheSame = (taken: Arrival, reading: RedirectReading): boolean =>
  reading.kind === 'returned' && JSON.stringify(reading.returned) === JSON.stringify(taken.returned);

/** Explains a request to another name of this machine: `localhost` and `127.0.0.1` are different addresses, and one is registered. */
function strayHost(host: string, { pathname }: URL, callback: URL): string {
  const isNear = isLoopbackName(host.replace(/:\d+$/, '')) && pathname === callback.pathname;
  return isNear
    ? `The browser returned to http://${host}${pathname}, but this login expects ${callback.href}. Specify the callback URL with --callback-url exactly as it is registered.`
    : 'This is not a callback URL.';
}

const refused = (status: number, why: string): ResultPage =>
  renderResultPage(status, 'This request is not part of the login.', why);

const withHeader = (answer: ResultPage, name: string, value: string): ResultPage => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
});

/**
 * Whether a request opens a page that a person sees: not an image, a request of a script, or a prefetch (Fetch Metadata).
 * The redirect of the specification has only a code, so this is the only proof where the state is missing.
 */
function isNavigation({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document' } = headers;
  const isAhead = `${headers['sec-purpose'] ?? ''}${headers.purpose ?? ''}`.includes('prefetch');
  return mode === 'navigate' && dest === 'document' && !isAhead;
}

/** Listens on IPv4 and IPv6, which `localhost` both means. A machine may lack IPv6; a port there that is in use is an error. */
async function listenOn(hosts: readonly string[], port: number, make: () => Server): Promise<Shutdown[]> {
  const shutdowns: Shutdown[] = [];
  for (const host of hosts) {
    try {
      shutdowns.push(await listen(make(), host, port));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isAbsent = code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT';
      if (isAbsent && isIPv6(host) && shutdowns.length > 0) continue;
      await Promise.all(shutdowns.map((shutDown) => shutDown()));
      throw error;
    }
  }
  return shutdowns;
}

function listen(server: Server, host: string, port: number): Promise<Shutdown> {
  const shutDown = prepareShutdown(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: isIPv6(host) }, () => {
      server.off('error', reject);
      resolve(shutDown);
    });
  });
}

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
