// Reads the proxy that the service sends events through.
import { ConfigError } from './config-error.ts';
import { type Variables, variable } from './environment.ts';

const DELIVERY_PROXY = 'ESIGN_DELIVERY_PROXY';

/** Reads ESIGN_DELIVERY_PROXY. Events are sent through a proxy only if it is set; HTTPS_PROXY is for requests of the command line. */
export function readDeliveryProxy(variables: Variables): string | undefined {
  const proxy = variable(variables, DELIVERY_PROXY);
  if (proxy === undefined || /^http:\/\/[^/?#\s]+\/?$/i.test(proxy)) return proxy;
  throw new ConfigError(
    'value_invalid',
    `The value of ${DELIVERY_PROXY} is not a valid proxy URL.`,
    'Use a URL such as http://proxy.example.com:3128.',
  );
}
