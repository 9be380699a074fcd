// Shows the mailbox of the service: the mails to recipients, whether or not they left the service as well.
import type { OutputOf } from '../../../api/contract/operations.ts';
import { type Handler, ok, type RequestContext, refuse } from '../../context.ts';
import { inMailbox } from '../../mail/in-mailbox.ts';
import { renderMailHtml } from '../../mail/mail-html.ts';
import type { MailMessage } from '../../mail/mail-message.ts';
import { type Mail, renderMailText } from '../../mail/mail-text.ts';
import { attemptsOf, type Delivery, type DeliveryAttempt, loadDeliveriesOf } from '../../store/deliveries.ts';
import {
  attachmentsOf,
  deliveryStatesOf,
  findMail,
  listMails,
  type MailAttachment,
  type MailPerson,
} from '../../store/mails.ts';
import { attemptView } from '../event/view.ts';

const DEFAULT_LIMIT = 1000;

export const listMail: Handler<'sandbox.mail'> = async (context, { query }) => {
  const { limit = DEFAULT_LIMIT, ...rest } = query;
  const { keys } = context.store;
  const { mails, states } = await context.read(async (db) => {
    const found = await listMails<MailMessage>(db, keys, { ...rest, limit });
    return {
      mails: found.map((mail) => inMailbox(keys, mail)),
      states: await deliveryStatesOf(
        db,
        found.map(({ id }) => id),
      ),
    };
  });
  const items = mails.map(async (mail) => ({
    ...(await viewOf(mail)),
    delivery: states.get(mail.id) ?? null,
  }));
  return ok({ items: await Promise.all(items) });
};

export const readMail: Handler<'sandbox.mail_detail'> = async (context, { params }) => {
  const found = await find(context, params.mailId);
  if (!found) return refuse('mail_not_found', { id: params.mailId });
  const attachments = found.attached.map(({ id, name, size_bytes }) => ({ id, name, size_bytes }));
  return ok({
    ...(await viewOf(found.mail)),
    html: await renderMailHtml(found.mail),
    attachments,
    delivery: found.delivery,
  });
};

export const mailMessage: Handler<'sandbox.mail_message'> = async (context, { params }) => {
  const { composeStored } = await import('../../mail/compose.ts');
  const { keys } = context.store;
  const composed = await composeStored(context.store, params.mailId, (mail) => inMailbox(keys, mail));
  return composed
    ? ok({ bytes: composed.message, mediaType: 'message/rfc822' })
    : refuse('mail_not_found', { id: params.mailId });
};

type Found = {
  mail: Mail;
  attached: MailAttachment[];
  delivery: OutputOf<'sandbox.mail_detail'>['delivery'];
};

const find = ({ read, store }: RequestContext, id: string): Promise<Found | undefined> =>
  read(async (db) => {
    const mail = await findMail<MailMessage>(db, store.keys, id);
    if (!mail) return undefined;
    const [delivery] = await loadDeliveriesOf(db, id);
    return {
      mail: inMailbox(store.keys, mail),
      attached: await attachmentsOf(db, mail.attachments),
      delivery: delivery ? shownDelivery(delivery, await attemptsOf(db, delivery.id)) : null,
    };
  });

const shownDelivery = (
  { state, reason, due_at }: Delivery,
  attempts: readonly DeliveryAttempt[],
): Found['delivery'] => ({
  state,
  reason,
  next_at: state === 'waiting' ? due_at : null,
  attempts: attempts.map((attempt) => attemptView(attempt, { isFromOwner: true })),
});

const viewOf = async (mail: Mail) => ({
  id: mail.id,
  transaction_id: mail.transaction_id,
  recipient_id: mail.recipient_id,
  kind: mail.kind,
  language: mail.language,
  created: mail.created,
  from: written(mail.from),
  reply_to: mail.replyTo ? written(mail.replyTo) : null,
  to: written(mail.to),
  subject: mail.subject,
  body: await renderMailText(mail),
});

const written = ({ name, email }: MailPerson): string => (name === '' ? email : `${name} <${email}>`);
