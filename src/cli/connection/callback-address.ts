// The Callback URL of a login as an address of this machine.

const HOSTS: Record<string, readonly string[]> = {
  '127.0.0.1': ['127.0.0.1'],
  '[::1]': ['::1'],
  localhost: ['127.0.0.1', '::1'],
};

export const isLoopbackName = (hostname: string): boolean => Object.hasOwn(HOSTS, hostname);

/** The addresses of this machine that a browser which follows the Callback URL comes to; none when it goes elsewhere. */
export const hostsOf = ({ protocol, hostname }: URL): readonly string[] =>
  protocol === 'http:' && isLoopbackName(hostname) ? (HOSTS[hostname] ?? []) : [];

export const isLoopback = (callback: URL): boolean => hostsOf(callback).length > 0;

export const portOf = (callback: URL): number => Number(callback.port || 80);
