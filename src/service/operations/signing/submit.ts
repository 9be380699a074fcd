import { type Handler, ok } from '../../context.ts';
import { submitTurn } from '../../signing/finish.ts';
import { wireStatusOf } from '../transaction/view.ts';

/** The recipient has done what was asked (spec §6 recipient_submitted). */
export const signingSubmit: Handler<'signing.submit'> = async (context, { query, body }) => {
  const submitted = await submitTurn(context, query.token, async () => ok(body.values));
  if (!submitted.ok) return submitted;
  return ok({ status: wireStatusOf(submitted.output), submitted_at: context.now });
};
