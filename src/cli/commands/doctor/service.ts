// What `esign doctor` finds out about a remote service. Only reads: no request of it changes anything there, and none
// is sent again.
import { ASSUMED_ROUTES } from '../../../api/contract/assumed-routes.ts';
import { epochMsOf } from '../../../api/contract/instant.ts';
import { openRemote } from '../../../api/remote.ts';
import type { Reply } from '../../../api/transport.ts';
import type { Profile } from '../../../config/profile.ts';
import { proxyFor } from '../../../config/proxy.ts';
import type { Uses } from '../../command/context.ts';
import { EXIT } from '../../command/errors.ts';
import { authoritiesOf } from '../../connection/certificate-authorities.ts';
import type { Connection } from '../../connection/connection.ts';
import { answerMsOf } from '../../connection/remote-transport.ts';
import { nowMs } from '../../process/edges.ts';
import { type Finding, fail, failed, ok, skip, warn } from './check.ts';

export type Reached = { finding: Finding; reply: Reply | undefined };

/** Any answer shows that somebody is there. The token stays at home. */
export async function reach(context: Uses<'process'>, baseUrl: string, limitMs: number): Promise<Reached> {
  const { environment } = context.process;
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), limitMs);
  const authorities = await authoritiesOf(environment);
  const remote = openRemote({
    signal: giveUp.signal,
    answerMs: Math.min(limitMs, answerMsOf(environment.variables)),
    authorities,
    proxyFor: (url) => proxyFor(url, environment.variables),
  });
  const startedMs = performance.now();
  try {
    const reply = await remote.transport({
      method: 'GET',
      url: `${baseUrl}/v1/template?limit=1&page=1`,
      headers: {},
    });
    const took = `${Math.round(performance.now() - startedMs)} ms`;
    if (reply.status >= 500)
      return {
        reply,
        finding: warn(
          `${baseUrl} answers, with ${reply.status} (${took}).`,
          'The service is in trouble: try again later.',
        ),
      };
    if (reply.status >= 300 && reply.status < 400)
      return {
        reply,
        finding: warn(
          `${baseUrl} sends on to another address (${reply.status}).`,
          'Set base_url to the address that it is in the end.',
        ),
      };
    return { reply, finding: ok(`${baseUrl} answers in ${took}.`) };
  } catch (error) {
    return {
      reply: undefined,
      finding: giveUp.signal.aborted
        ? fail(
            EXIT.network,
            `${baseUrl} did not answer within ${limitMs / 1000} s.`,
            'Check the address and the network.',
          )
        : failed(error),
    };
  } finally {
    clearTimeout(timer);
    await remote.close();
  }
}

export function checkProxy(context: Uses<'process'>, baseUrl: string): Finding {
  const proxy = proxyFor(new URL(baseUrl), context.process.environment.variables);
  if (!proxy) return ok('No proxy stands between.');
  return ok(
    `Through the proxy ${proxy.address} (${proxy.from}${proxy.authorization ? ', with a name and a password' : ''}).`,
  );
}

const SKEW_MS = 60_000;

export function checkClock(reply: Reply | undefined): Finding {
  const said = epochMsOf(reply?.headers.date ?? '');
  if (Number.isNaN(said)) return skip('The service does not tell its time.');
  const skewMs = Math.abs(nowMs() - said);
  if (skewMs <= SKEW_MS) return ok('The clocks of this machine and of the service agree.');
  return warn(
    `The clock of this machine and the one of the service are ${Math.round(skewMs / 1000)} s apart.`,
    'Set the clock: tokens and signatures depend on the time.',
  );
}

const DAY_MS = 24 * 60 * 60_000;
const EXPIRES_SOON_DAYS = 14;

/** The certificate itself, not through a proxy: whether it is trusted is found out by reaching the service. */
export async function checkCertificate(context: Uses<'process'>, baseUrl: string): Promise<Finding> {
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:') return skip('No TLS on this machine.');
  if (proxyFor(url, context.process.environment.variables))
    return skip('Behind a proxy the certificate is not looked at.');
  const validTo = await validToOf(url, await authoritiesOf(context.process.environment));
  const days = Math.floor((epochMsOf(validTo ?? '') - nowMs()) / DAY_MS);
  if (Number.isNaN(days)) return skip('The service could not be asked for its certificate.');
  return days < EXPIRES_SOON_DAYS
    ? warn(`The certificate of ${url.host} expires in ${days} days.`, 'Tell whoever runs the service.')
    : ok(`The certificate of ${url.host} is valid for ${days} days.`);
}

const CERTIFICATE_MS = 3000;

async function validToOf(url: URL, ca: string[] | undefined): Promise<string | undefined> {
  const { connect } = await import('node:tls');
  const { isIP } = await import('node:net');
  return new Promise((resolve) => {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const socket = connect(
      {
        host,
        port: Number(url.port || 443),
        ...(isIP(host) === 0 && { servername: host }),
        ...(ca && { ca }),
      },
      () => end(socket.getPeerCertificate().valid_to),
    );
    const end = (validTo: string | undefined) => {
      socket.destroy();
      resolve(validTo);
    };
    socket.setTimeout(CERTIFICATE_MS, () => end(undefined)).once('error', () => end(undefined));
  });
}

/** A status as the service answers it, without another try: this is a look, not work. */
type Probe = { operation: string; path: string };

/** Lists and details only; nobody has a thing with this id. */
const NOBODY = 'esign-doctor';
const PROBES: readonly Probe[] = [
  { operation: 'template.list', path: '?limit=1&page=1' },
  { operation: 'webhook.list', path: '?limit=1&page=1' },
  { operation: 'template.detail', path: '' },
  { operation: 'transaction.detail', path: '' },
];

export type Access = { access: Finding; routes: Finding };

/** Whether the token is accepted, and whether the addresses that are assumed are the service's. */
export async function checkAccess(connect: () => Promise<Connection>, profile: Profile): Promise<Access> {
  let connection: Connection;
  try {
    connection = await connect();
  } catch (error) {
    return { access: failed(error), routes: skip('Not asked without a token.') };
  }
  const { refusalOf } = await import('../../../api/codec.ts');
  const { parseRoute } = await import('../../../api/client.ts');
  const { API_OPERATIONS } = await import('../../../api/contract/operations.ts');
  const { fillPath } = await import('../../../api/path.ts');
  const ids = { templateId: NOBODY, transactionId: NOBODY };
  const wrong: string[] = [];
  let access: Finding | undefined;
  const answers = await Promise.all(
    PROBES.map(async ({ operation, path }) => {
      const row = API_OPERATIONS[operation as keyof typeof API_OPERATIONS];
      const route = parseRoute(profile.routes[operation] ?? '') ?? row;
      const url = connection.baseUrl + fillPath(route.path, ids) + path;
      const call = { method: 'GET', url, headers: { accept: 'application/json' } };
      const reply = await connection.transport(call);
      return { operation, path, refusal: refusalOf(operation, call, reply) };
    }),
  );
  for (const { operation, path, refusal } of answers) {
    const { status, code, message } = refusal ?? {};
    if (status === 401)
      access ??= fail(
        EXIT.access,
        message ?? '',
        'Log in, or set ESIGN_ACCESS_TOKEN to a valid access token.',
      );
    const isNobody = path === '' && status === 404 && code !== 'route_not_found';
    if ((status === 404 && !isNobody) || status === 405)
      wrong.push(`${operation} (${ASSUMED_ROUTES[operation] ?? 'overridden'}, ${status})`);
  }
  return {
    access: access ?? ok('The access token is accepted.'),
    routes:
      wrong.length > 0
        ? warn(
            `These addresses are others at this service: ${wrong.join(', ')}.`,
            'Set them with `esign config set routes.OPERATION "METHOD /path"`; `esign api routes` shows them.',
          )
        : access
          ? skip('Not known without a token that is accepted.')
          : ok('Lists and details are where they are assumed.'),
  };
}
