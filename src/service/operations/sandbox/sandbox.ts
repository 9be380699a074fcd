// Puts together what only a sandbox can do: operations under `/_sandbox/`, which need its control secret.
import type { Handlers } from '../../context.ts';
import { accountHandlers } from './accounts.ts';
import { actHandlers } from './act.ts';
import { clockHandlers } from './clock.ts';
import { faultHandlers } from './faults.ts';
import { recordHandlers } from './records.ts';
import { storeHandlers } from './store.ts';

export const sandboxHandlers: Handlers<'sandbox'> = {
  ...accountHandlers,
  ...actHandlers,
  ...clockHandlers,
  ...faultHandlers,
  ...recordHandlers,
  ...storeHandlers,
};
