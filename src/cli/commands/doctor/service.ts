// Checks a remote service for `esign doctor`. It only reads: no request changes anything there, and none is repeated.

import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { fillPath, parseRoute, refusalOf } from '../../../api/codec.ts';
import { ASSUMED_ROUTES } from '../../../api/contract/assumed-routes.ts';
import { API_OPERATIONS } from '../../../api/contract/operations.ts';
import { openRemote } from '../../../api/remote.ts';
import type { Reply } from '../../../api/transport.ts';
import { epochMsOf } from '../../../common/instant.ts';
import type { Profile } from '../../../config/profile.ts';
import { proxyFor } from '../../../config/proxy.ts';
import { errorFinding, type Finding, failure, passed, skipped, warning } from '../../checks/check.ts';
import type { Uses } from '../../command/context.ts';
import { EXIT } from '../../command/exit-codes.ts';
import { authoritiesOf } from '../../connection/certificate-authorities.ts';
import type { Connection } from '../../connection/connection.ts';
import { answerMsOf } from '../../connection/remote-transport.ts';
import { wallClockMs } from '../../process/edges.ts';

export type ServiceReached = { finding: Finding; reply: Reply | undefined };

/** Sends a request without the token. Any response shows that the service can be reached. */
export async function reach(
  context: Uses<'process'>,
  baseUrl: string,
  limitMs: number,
): Promise<ServiceReached> {
  const { environment } = context.process;
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), limitMs);
  const authorities = await authoritiesOf(environment);
  const remote = openRemote({
    signal: giveUp.signal,
    answerMs: Math.min(limitMs, answerMsOf(environment.variables) ?? limitMs),
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
        finding: warning(
          `${baseUrl} responded with status ${reply.status} (${took}).`,
          'The service is failing. Try again later.',
        ),
      };
    if (reply.status >= 300 && reply.status < 400)
      return {
        reply,
        finding: warning(
          `${baseUrl} redirects to another URL (${reply.status}).`,
          'Set base_url to the URL it redirects to.',
        ),
      };
    return { reply, finding: passed(`${baseUrl} responded in ${took}.`) };
  } catch (error) {
    return {
      reply: undefined,
      finding: giveUp.signal.aborted
        ? failure(
            EXIT.network,
            `${baseUrl} did not respond within ${limitMs / 1000} s.`,
            'Check the URL and the network.',
          )
        : errorFinding(error),
    };
  } finally {
    clearTimeout(timer);
    await remote.close();
  }
}

export function checkProxy(context: Uses<'process'>, baseUrl: string): Finding {
  const proxy = proxyFor(new URL(baseUrl), context.process.environment.variables);
  if (!proxy) return passed('No proxy is used.');
  return passed(
    `Requests go through the proxy ${proxy.address} (${proxy.from}${proxy.authorization ? ', with a user name and password' : ''}).`,
  );
}

const SKEW_MS = 60_000;

export function checkClock(reply: Reply | undefined): Finding {
  const said = epochMsOf(reply?.headers.date ?? '');
  if (Number.isNaN(said)) return skipped('The service does not report its time.');
  const skewMs = Math.abs(wallClockMs() - said);
  if (skewMs <= SKEW_MS) return passed('The clocks of this machine and the service agree.');
  return warning(
    `The clocks of this machine and the service differ by ${Math.round(skewMs / 1000)} s.`,
    'Correct the clock. Access tokens and signatures depend on the time.',
  );
}

const DAY_MS = 24 * 60 * 60_000;
const EXPIRES_SOON_DAYS = 14;

/** Checks when the certificate expires, over a connection without a proxy. `reach` has found out whether it is trusted. */
export async function checkCertificate(context: Uses<'process'>, baseUrl: string): Promise<Finding> {
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:') return skipped('TLS is not used on this machine.');
  if (proxyFor(url, context.process.environment.variables))
    return skipped('The certificate is not checked behind a proxy.');
  const validTo = await validToOf(url, await authoritiesOf(context.process.environment));
  const days = Math.floor((epochMsOf(validTo ?? '') - wallClockMs()) / DAY_MS);
  if (Number.isNaN(days)) return skipped('The certificate of the service could not be read.');
  return days < EXPIRES_SOON_DAYS
    ? warning(
        `The certificate of ${url.host} expires in ${days} days.`,
        'Inform the operator of the service.',
      )
    : passed(`The certificate of ${url.host} is valid for ${days} days.`);
}

const CERTIFICATE_MS = 3000;

async function validToOf(url: URL, ca: string[] | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const socket = connect(
      {
        host,
        port: Number(url.port || 443),
        ...(isIP(host) === 0 && { servername: host }),
        rejectUnauthorized: true,
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

/** The request is not repeated. Its status tells whether the service knows the path. */
type Probe = { operation: string; path: string };

/** No service has this id. Requests are for lists and details only. */
const UNKNOWN_ID = 'esign-doctor';
const PROBES: readonly Probe[] = [
  { operation: 'template.list', path: '?limit=1&page=1' },
  { operation: 'webhook.list', path: '?limit=1&page=1' },
  { operation: 'template.detail', path: '' },
  { operation: 'transaction.detail', path: '' },
];

export type AccessFindings = { access: Finding; routes: Finding };

/** Checks whether the service accepts the token, and whether it knows the paths that the program assumes. */
export async function checkAccess(
  connect: () => Promise<Connection>,
  profile: Profile,
): Promise<AccessFindings> {
  let connection: Connection;
  try {
    connection = await connect();
  } catch (error) {
    return { access: errorFinding(error), routes: skipped('Not checked without an access token.') };
  }
  const ids = { templateId: UNKNOWN_ID, transactionId: UNKNOWN_ID };
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
      access ??= failure(
        EXIT.access,
        message ?? '',
        'Log in, or set ESIGN_ACCESS_TOKEN to a valid access token.',
      );
    const isUnknownId = path === '' && status === 404 && code !== 'route_not_found';
    if ((status === 404 && !isUnknownId) || status === 405)
      wrong.push(`${operation} (${ASSUMED_ROUTES[operation] ?? 'overridden'}, ${status})`);
  }
  return {
    access: access ?? passed('The access token is accepted.'),
    routes:
      wrong.length > 0
        ? warning(
            `This service uses other paths for: ${wrong.join(', ')}.`,
            'Set them with `esign config set routes.OPERATION "METHOD /path"`; `esign api routes` lists them.',
          )
        : access
          ? skipped('Not checked without a valid access token.')
          : passed('Lists and details are at the expected paths.'),
  };
}
