// Returns the root certificate of the authority that seals documents. The first call creates it.
import { instantOf } from '../../../common/instant.ts';
import { realClockOf } from '../../clock.ts';
import { type Handler, ok } from '../../context.ts';

export const authority: Handler<'sandbox.authority'> = async ({ store, storeFacts }) => {
  const { ensureRoot: rootOf } = await import('../../sealing/root.ts');
  return ok(
    await rootOf({
      store,
      isSandbox: true,
      clock: () => instantOf(realClockOf(store)()),
      random: storeFacts.random,
    }),
  );
};
