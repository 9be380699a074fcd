import { type Handler, ok } from '../../context.ts';
import { dayOfSigning, extensionsOf, isDateOfSigning } from '../../domain/known-value.ts';
import { withTurn } from '../../signing/find-turn.ts';
import { findSigning } from '../../store/signing.ts';

/** What the recipient who is asked sees: the documents, and their own fields only. */
export const signingView: Handler<'signing.view'> = (context, { query }) =>
  withTurn(context, query.token, async ({ transaction, recipient }) => {
    const { content } = transaction;
    const { time_zone } = await context.read((db) =>
      findSigning(db, context.store.keys, recipient.id, context.now),
    );
    const day = dayOfSigning(context.now, time_zone);
    const sender = content.recipients.find((one) => one.role === 'sender');
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
  });
