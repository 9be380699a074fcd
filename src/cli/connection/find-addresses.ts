// Asks a service where its dashboard and its signing pages are, and what it can do. Many services do not say so.
import {
  ADDRESSES_PATH,
  parseServiceAddress,
  SERVICE_EXTENSIONS,
  type ServiceAddresses,
} from '../../api/contract/service-address.ts';
import { openRemote } from '../../api/remote.ts';
import { ConnectionError } from '../../api/transport.ts';
import { parseUrl } from '../../common/parse-url.ts';
import { proxyFor } from '../../config/proxy.ts';
import type { ProcessContext } from '../command/context.ts';
import { authoritiesOf } from './certificate-authorities.ts';

/** The user is asked where no answer has come by then. */
const ANSWER_WITHIN_MS = 5000;

const MOST_CHARACTERS = 10_000;

export type FindAddresses = (baseUrl: string, clientId?: string) => Promise<ServiceAddresses | undefined>;

/** Asks about the same address and application once, so that a person who goes back to a question does not wait again. */
export function findAddressesOnce(
  process: Pick<ProcessContext, 'environment' | 'abort' | 'checkpoint'>,
): FindAddresses {
  const results = new Map<string, ReturnType<FindAddresses>>();
  return (baseUrl, clientId) => {
    const key = JSON.stringify([baseUrl, clientId]);
    const result = results.get(key) ?? findAddresses(process, baseUrl, clientId);
    results.set(key, result);
    return result;
  };
}

/**
 * @param clientId the application to ask about, where the service knows public ones
 * Sends one request, without a token. The addresses are checked like those that a user types.
 * @returns undefined where the service does not say so, or not in time
 * @throws ConnectionError where it cannot be reached, or has a certificate that is not trusted
 */
export async function findAddresses(
  { environment, abort, checkpoint }: Pick<ProcessContext, 'environment' | 'abort' | 'checkpoint'>,
  baseUrl: string,
  clientId?: string,
): Promise<ServiceAddresses | undefined> {
  const { variables } = environment;
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), ANSWER_WITHIN_MS);
  const remote = openRemote({
    signal: AbortSignal.any([giveUp.signal, abort]),
    answerMs: ANSWER_WITHIN_MS,
    authorities: await authoritiesOf(environment),
    proxyFor: (url) => proxyFor(url, variables),
  });
  try {
    const query = clientId === undefined ? '' : `?client_id=${encodeURIComponent(clientId)}`;
    const url = baseUrl + ADDRESSES_PATH + query;
    const reply = await remote.transport({ method: 'GET', url, headers: {} });
    return reply.status === 200 ? readAddresses(Buffer.from(reply.body).toString()) : undefined;
  } catch (error) {
    // A signal ends the command, and asks for nothing more.
    checkpoint();
    if (error instanceof ConnectionError && error.delivery === 'not_sent' && !giveUp.signal.aborted)
      throw error;
    return undefined;
  } finally {
    clearTimeout(timer);
    await remote.close();
  }
}

function readAddresses(text: string): ServiceAddresses | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  try {
    const { dashboard_url, app_url, extensions, application } = JSON.parse(text);
    const [dashboard, app] = [dashboard_url, app_url].map((value) =>
      // The address as a URL has no control characters.
      typeof value === 'string' ? parseServiceAddress(parseUrl(value)?.href ?? '') : undefined,
    );
    if (dashboard === undefined || app === undefined) return undefined;
    const named: unknown[] = Array.isArray(extensions) ? extensions : [];
    return {
      dashboard_url: dashboard,
      app_url: app,
      extensions: SERVICE_EXTENSIONS.filter((name) => named.includes(name)),
      ...(typeof application?.is_public === 'boolean' && {
        application: { is_public: application.is_public },
      }),
    };
  } catch {
    return undefined;
  }
}
