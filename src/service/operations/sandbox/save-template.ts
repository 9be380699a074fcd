import type { Handler } from '../../context.ts';
import { saveTemplate as save } from '../../sending/save-template.ts';

/** assumed: A34, the content of a transaction as a reusable template of its company. */
export const handleSaveTemplate: Handler<'sandbox.save_template'> = (context, { params, body }) =>
  save(context, { id: params.transactionId }, body);
