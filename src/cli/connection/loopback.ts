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

const PROBE_MS = 200;

/** Connects without a request. @param url of an http service */
export async function isListening(url: string): Promise<boolean> {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 80), timeout: PROBE_MS });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}
