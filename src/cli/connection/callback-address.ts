// Finds the addresses of this machine that the Callback URL of a login names.

const HOSTS: Record<string, readonly string[]> = {
  '127.0.0.1': ['127.0.0.1'],
  '[::1]': ['::1'],
  localhost: ['127.0.0.1', '::1'],
};

export const isLoopbackName = (hostname: string): boolean => Object.hasOwn(HOSTS, hostname);

/** The addresses of this machine that a browser may connect to for the Callback URL; none when it names another machine. */
export const hostsOf = ({ protocol, hostname }: URL): readonly string[] =>
  protocol === 'http:' && isLoopbackName(hostname) ? (HOSTS[hostname] ?? []) : [];

export const isLoopback = (callback: URL): boolean => hostsOf(callback).length > 0;

export const portOf = (callback: URL): number => Number(callback.port || 80);
