// Checks whether a program listens at an address of this machine.

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
