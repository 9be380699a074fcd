import { type Handler, ok } from '../../context.ts';
import { cancelTransaction as cancelAs } from '../../sending/cancel.ts';

export const handleCancelTransaction: Handler<'transaction.cancel'> = async (context, { params, body }) => {
  const wish = { id: params.transactionId, reason: body.cancelled_reason };
  const cancelled = await cancelAs(context, context.user, wish);
  return cancelled.ok ? ok({ cancelled: true }) : cancelled;
};
