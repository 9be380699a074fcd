// Waits on the loopback address of the Callback URL for the browser to come back. What does not prove to be our login
// is refused, and the waiting goes on: another page or program of this machine must not end a login, or take it over.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { hostsOf, isLoopbackName, portOf } from '../../connection/callback-address.ts';
import { type MissingState, type Reading, type Returned, readReturned } from './authorization.ts';
import { type Page, page, redirect } from './result-page.ts';

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

export type ListenOptions = {
  callback: URL;
  state: string;
  missingState: MissingState;
  windowMs: number;
  signal?: AbortSignal;
  /** Told why a visit that came close was refused. */
  onStray?: (why: string) => void;
};

/** How long a browser may take to fetch the last page. */
const LOOK_MS = 3000;

/** Rejects with the system's error (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`) when the port cannot be had. */
export async function listenForCallback(options: ListenOptions): Promise<Listening> {
  const { callback, windowMs, signal } = options;
  const donePath = `${callback.pathname.replace(/\/$/, '')}/done`;
  let ending: Page | undefined;
  let taken: Arrival | undefined;
  let resolveReturned: (arrival: Arrival | undefined) => void = () => undefined;
  const returned = new Promise<Arrival | undefined>((resolve) => {
    resolveReturned = resolve;
  });
  let resolveContested: () => void = () => undefined;
  const contested = new Promise<void>((resolve) => {
    resolveContested = resolve;
  });
  let resolveLooked: () => void = () => undefined;
  const looked = new Promise<void>((resolve) => {
    resolveLooked = resolve;
  });
  let resolveEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });

  const stray = (status: number, why: string): Page => {
    options.onStray?.(why);
    return refused(status, why);
  };

  async function answerTo(request: IncomingMessage): Promise<Page> {
    const address = `${callback.origin}${request.url}`;
    if (!request.url?.startsWith('/') || !URL.canParse(address)) return refused(400, 'This is no path.');
    const url = new URL(address);
    const { host = '' } = request.headers;
    if (host !== callback.host) return stray(400, strayHost(host, url, callback));
    if (url.pathname === donePath && ending) {
      resolveLooked();
      return ending;
    }
    if (url.pathname !== callback.pathname) return refused(404, 'There is nothing here.');
    if (request.method !== 'GET')
      return withHeader(refused(405, 'A browser comes back with GET.'), 'allow', 'GET');
    const reading = readReturned(url.searchParams, options.state);
    if (taken?.proof === 'missing' && !isTheSame(taken, reading)) resolveContested();
    if (reading.kind === 'wrong_state') return stray(400, 'This belongs to another login.');
    if (reading.kind === 'nothing') return stray(400, reading.why);
    if (reading.proof === 'missing' && options.missingState === 'refuse')
      return stray(400, 'An answer without the state of this login came back, and was refused.');
    if (reading.proof === 'missing' && !isNavigation(request))
      return stray(400, 'Only a browser that was sent here may come without a state.');
    if (taken) return refused(409, 'This login was finished before.');
    taken = { returned: reading.returned, proof: reading.proof };
    resolveReturned(taken);
    await ended;
    return redirect(donePath);
  }

  const servers = await listenOn(hostsOf(callback), portOf(callback), () =>
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
    await Promise.all(servers.map(stop));
  };
  signal?.addEventListener('abort', () => void close(), { once: true });
  return {
    returned,
    contested,
    async finish(how) {
      ending = how.ok
        ? page(200, 'You are logged in.', 'Close this window and go back to the terminal.')
        : page(200, 'The login did not work.', how.message, 'The terminal says more.');
      resolveEnded();
      if (taken) await Promise.race([looked, wait(LOOK_MS)]);
      await close();
    },
    close,
  };
}

/** A browser that loads the page again brings the same answer. */
const isTheSame = (taken: Arrival, reading: Reading): boolean =>
  reading.kind === 'returned' && JSON.stringify(reading.returned) === JSON.stringify(taken.returned);

/** `localhost` and `127.0.0.1` are one machine and two addresses: the one that is registered has to be told. */
function strayHost(host: string, { pathname }: URL, callback: URL): string {
  const isNear = isLoopbackName(host.replace(/:\d+$/, '')) && pathname === callback.pathname;
  return isNear
    ? `The browser came back to http://${host}${pathname}, but this login waits at ${callback.href}: give the Callback URL as it is registered, with --callback-url.`
    : 'This is not the address of a login.';
}

const refused = (status: number, why: string): Page => page(status, 'This is not the login.', why);

const withHeader = (answer: Page, name: string, value: string): Page => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
});

/**
 * The specification's redirect carries only a code, so one without a state has to be taken. At least it must be a page
 * that a person sees change: not an image, a script's request, or something fetched ahead (Fetch Metadata).
 */
function isNavigation({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document' } = headers;
  const isAhead = `${headers['sec-purpose'] ?? ''}${headers.purpose ?? ''}`.includes('prefetch');
  return mode === 'navigate' && dest === 'document' && !isAhead;
}

/** `localhost` is both stacks. A machine may be without IPv6; a port that somebody else has there is no such case. */
async function listenOn(hosts: readonly string[], port: number, make: () => Server): Promise<Server[]> {
  const servers: Server[] = [];
  for (const host of hosts) {
    try {
      servers.push(await listen(make(), host, port));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isAbsent = code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT';
      if (isAbsent && isIPv6(host) && servers.length > 0) continue;
      await Promise.all(servers.map(stop));
      throw error;
    }
  }
  return servers;
}

function listen(server: Server, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: isIPv6(host) }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // The last answer may still be on its way.
    setTimeout(() => server.closeAllConnections(), 100).unref();
  });
}

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
