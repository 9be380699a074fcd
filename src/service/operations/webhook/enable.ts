import type { OutputOf } from '../../../api/contract/operations.ts';
import { type Handler, ok, type Result, type UserContext } from '../../context.ts';
import { setWebhookEnabled } from '../../sending/webhooks.ts';
import { webhookView } from './detail.ts';

/** Extension: what happens from now on is sent again; what was given up meanwhile can be replayed (assumed: A30). */
export const webhookEnable: Handler<'webhook.enable'> = (context, { params }) =>
  setEnabled(context, params.webhookId, true);

/** Extension: what waits is given up and can be replayed (assumed: A30). */
export const webhookDisable: Handler<'webhook.disable'> = (context, { params }) =>
  setEnabled(context, params.webhookId, false);

async function setEnabled(
  context: UserContext,
  id: string,
  isEnabled: boolean,
): Promise<Result<OutputOf<'webhook.detail'>>> {
  const changed = await setWebhookEnabled(context, { id, company_id: context.user.company_id }, isEnabled);
  return changed.ok ? ok(await context.read((db) => webhookView(db, changed.output, context))) : changed;
}
