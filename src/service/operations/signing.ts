// Lets clients have signing pages of their own (extension): a recipient sees, signs or rejects what their token is for.
import { type Handlers, ok, refuse } from '../context.ts';
import { loadPicture } from '../documents/pages.ts';
import { redrawPictures } from '../documents/signature-picture.ts';
import { isSignatureField } from '../domain/draft.ts';
import { dayOfSigning, extensionsOf, isDateOfSigning } from '../domain/known-value.ts';
import { rejectTransaction, submitSignature } from '../signing/sign.ts';
import { fieldsOfRecipient, withSigningSession } from '../signing/signing-session.ts';
import { findPage } from '../store/documents/files.ts';
import { findSigning } from '../store/transactions/signing.ts';
import { wireStatusOf } from './transaction-view.ts';

export const signingHandlers: Handlers<'signing'> = {
  /** Shows the current recipient the documents, and their own fields only. */
  'signing.view': (context, { query }) =>
    withSigningSession(context, query.token, async ({ transaction, recipient }) => {
      const { content } = transaction;
      const { time_zone } = await context.read((db) =>
        findSigning(db, context.store.keys, recipient.id, context.now),
      );
      const day = dayOfSigning(context.now, time_zone);
      const sender = content.recipients.find(({ role }) => role === 'sender');
      return ok({
        transaction: {
          id: transaction.id,
          name: content.name,
          description: content.description,
          expires_at: transaction.expires_at,
        },
        sender: { name: content.email_alias || sender?.name || '' },
        recipient: { id: recipient.id, name: recipient.name, email: recipient.email, role: recipient.role },
        documents: content.documents.map(({ id, file, pages }) => ({
          id,
          name: file.original_name,
          pages: pages.map((page) => ({
            id: page.id,
            width: page.width,
            height: page.height,
            picture: `${context.origin}/sign/page/${page.id}?token=${query.token}`,
          })),
        })),
        fields: content.fields
          .filter((field) => field.recipient_id === recipient.id)
          .map(
            ({
              recipient_id,
              bold,
              italic,
              underline,
              font_family,
              font_size,
              font_color,
              value,
              adoption,
              known_value,
              is_readonly,
              date_format,
              date_language,
              ...field
            }) => ({
              ...field,
              ...extensionsOf({
                known_value: isDateOfSigning({ type: field.type, known_value }) ? day : known_value,
                is_readonly,
                date_format,
                date_language,
              }),
            }),
          ),
      });
    }),

  /** Sends the picture of a page of the transaction that the token is for, and of no other. */
  'signing.page': (context, { params, query }) =>
    withSigningSession(context, query.token, async ({ transaction }) => {
      const page = await context.read((db) => findPage(db, { id: params.pageId }));
      if (page?.template_id !== transaction.content.id)
        return refuse('file_not_found', { id: params.pageId });
      return loadPicture(context, page);
    }),

  /** Submits the values of the recipient (spec §6 recipient_submitted). */
  'signing.submit': (context, { query, body }) =>
    withSigningSession(context, query.token, (session) =>
      context.submissions.run(session.transaction.id, async () => {
        const { company_id } = session.transaction;
        const marks = fieldsOfRecipient(session).filter(isSignatureField);
        const values = await redrawPictures(context, body.values, marks, company_id);
        if (!values.ok) return values;
        const submitted = await submitSignature(context, {
          token: query.token,
          submitted: { values: values.output },
          details: {},
        });
        if (!submitted.ok) return submitted;
        return ok({ status: wireStatusOf(submitted.output), submitted_at: context.now });
      }),
    ),

  /** Rejects the transaction for the recipient (spec §6 transaction_rejected). */
  'signing.reject': async (context, { query, body }) => {
    const rejected = await rejectTransaction(context, query.token, body.reason);
    return rejected.ok ? ok({ status: wireStatusOf(rejected.output), rejected_at: context.now }) : rejected;
  },
};
