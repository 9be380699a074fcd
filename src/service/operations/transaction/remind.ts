import { type Handler, ok } from '../../context.ts';
import { remindRecipient } from '../../sending/remind.ts';

export const remindTransaction: Handler<'transaction.remind'> = async (context, { params }) => {
  const { company_id } = context.user;
  const reminded = await remindRecipient(context, { id: params.transactionId, company_id });
  if (!reminded.ok) return reminded;
  const { id, name, email } = reminded.output;
  return ok({ reminded: true, recipient: { id, name, email } });
};
