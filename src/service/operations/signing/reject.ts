import { type Handler, ok } from '../../context.ts';
import { rejectTurn } from '../../signing/finish.ts';
import { wireStatusOf } from '../transaction/view.ts';

/** The recipient rejects the transaction (spec §6 transaction_rejected). */
export const signingReject: Handler<'signing.reject'> = async (context, { query, body }) => {
  const rejected = await rejectTurn(context, query.token, body.reason);
  return rejected.ok ? ok({ status: wireStatusOf(rejected.output), rejected_at: context.now }) : rejected;
};
