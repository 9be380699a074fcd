// Issues a certificate for a server on this machine. The first call creates its authority.
import { instantOf } from '../../../common/instant.ts';
import { realClockOf } from '../../clock.ts';
import { type Handler, ok } from '../../context.ts';

export const handleIssueCertificate: Handler<'sandbox.issue_certificate'> = async (
  { store, storeFacts },
  { body },
) => {
  const { issueServerCertificate } = await import('../../sealing/loopback.ts');
  const parts = {
    store,
    isSandbox: true,
    clock: () => instantOf(realClockOf(store)()),
    random: storeFacts.random,
  };
  return ok(await issueServerCertificate(body.names, parts));
};
