// Decides whether this service sends events to an address.
import {
  type EndpointUse,
  judgeEndpoint,
  LOOPBACK_REFUSED,
  refusedEndpoint,
  TLS_ON_THIS_MACHINE,
} from '../../api/contract/egress.ts';
import { inSentences } from '../../api/contract/wrong-values.ts';
import { type RequestContext, refuse } from '../context.ts';

/**
 * Refuses an address that the contract allows and this service does not send to: settings permit the machine that it runs on, and receivers in its
 * network.
 * @param path where the address stands in the request
 */
export function refusedReceiver(
  {
    allowsLoopbackReceivers,
    insideReceivers,
  }: Pick<RequestContext, 'allowsLoopbackReceivers' | 'insideReceivers'>,
  { path, address, use }: { path: string; address: string; use: EndpointUse },
): ReturnType<typeof refuse> | undefined {
  const verdict = judgeEndpoint(address, use, insideReceivers);
  if (verdict.isAllowed && (allowsLoopbackReceivers || !verdict.isLoopback)) return undefined;
  const isLoopback = verdict.isAllowed || (!allowsLoopbackReceivers && verdict.why === TLS_ON_THIS_MACHINE);
  const message = refusedEndpoint(address, isLoopback ? LOOPBACK_REFUSED : verdict.why);
  const errors = [{ path, message }];
  return refuse('validation_failed', { summary: inSentences(errors, 1) }, errors);
}
