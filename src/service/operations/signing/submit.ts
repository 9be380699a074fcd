import { type Handler, ok } from '../../context.ts';
import { redrawPictures } from '../../documents/signature-picture.ts';
import { isSignatureField } from '../../domain/draft.ts';
import { fieldsOfRecipient } from '../../signing/fill.ts';
import { withTurn } from '../../signing/find-turn.ts';
import { submitTurn } from '../../signing/finish.ts';
import { wireStatusOf } from '../transaction/view.ts';

/** The recipient has done what was asked (spec §6 recipient_submitted). */
export const signingSubmit: Handler<'signing.submit'> = (context, { query, body }) =>
  withTurn(context, query.token, (turn) =>
    context.submissions.run(turn.transaction.id, async () => {
      const { company_id } = turn.transaction;
      const marks = fieldsOfRecipient(turn).filter(isSignatureField);
      const values = await redrawPictures(context, body.values, marks, company_id);
      if (!values.ok) return values;
      const submitted = await submitTurn(context, query.token, async () => values);
      if (!submitted.ok) return submitted;
      return ok({ status: wireStatusOf(submitted.output), submitted_at: context.now });
    }),
  );
