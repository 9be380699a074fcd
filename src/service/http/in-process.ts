// Calls the service from the same process, where an answer that a fault breaks is the error that a connection would cause.
import type { Transport } from '../../api/transport.ts';
import { fetchOver, type WebTransport } from '../../api/web.ts';

/** @param served the service as a server calls it: a reply says how its connection is to be broken */
export const inProcess = (served: Transport): { transport: Transport; fetch: WebTransport } => ({
  transport: broken(served, async (call) => {
    const { connectionError } = await import('./broken-answers.ts');
    return (cause) => connectionError(call.url, cause);
  }),
  fetch: fetchOver(broken(served, async () => (await import('./broken-answers.ts')).fetchError)),
});

type Fail = (cause: Error) => Error;

const broken =
  (served: Transport, failing: (call: Parameters<Transport>[0]) => Promise<Fail>): Transport =>
  async (call) => {
    const reply = await served(call);
    if (!reply.wireFault) return reply;
    const { breakInProcess } = await import('./broken-answers.ts');
    return breakInProcess(reply, await failing(call));
  };
