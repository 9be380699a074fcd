// Lists what the store of a sandbox recorded: events, transactions, and mails to recipients, whether or not they left the service as well.
import type { OutputOf } from '../../../api/contract/operations.ts';
import type { Role } from '../../../api/contract/recipients.ts';
import { type Handlers, ok, type RequestContext, refuse } from '../../context.ts';
import type { MailMessage } from '../../mail/letter.ts';
import { inMailbox, type Mail, renderMailHtml, renderMailText } from '../../mail/letter.ts';
import {
  attemptsOf,
  type Delivery,
  type DeliveryAttempt,
  loadDeliveriesOf,
} from '../../store/delivery/deliveries.ts';
import { numberEvents } from '../../store/delivery/events.ts';
import {
  attachmentsOf,
  deliveryStatesOf,
  findMail,
  listMails,
  type MailAttachment,
  type MailPerson,
} from '../../store/delivery/mails.ts';
import { listRecordedEvents } from '../../store/delivery/records.ts';
import { listNamed } from '../../store/transactions/overviews.ts';
import { attemptView } from '../events.ts';

export const recordHandlers = {
  'sandbox.events': async (context, { query }) => {
    const { limit = DEFAULT_LIMIT, ...rest } = query;
    await numberEvents(context.store);
    return ok({ items: await context.read((db) => listRecordedEvents(db, { ...rest, limit })) });
  },

  'sandbox.list_transactions': async (context, { query }) => {
    const transactions = await context.read((db) => listNamed(db, query));
    return ok({
      items: transactions.map(({ recipients, ...transaction }) => ({
        ...transaction,
        recipients: recipients.map(({ role, ...recipient }) => ({ ...recipient, role: role as Role })),
      })),
    });
  },

  'sandbox.mail': async (context, { query }) => {
    const { limit = DEFAULT_LIMIT, ...rest } = query;
    const { keys } = context.store;
    const { mails, states } = await context.read(async (db) => {
      const stored = await listMails<MailMessage>(db, keys, { ...rest, limit });
      return {
        mails: stored.map((mail) => inMailbox(keys, mail)),
        states: await deliveryStatesOf(
          db,
          stored.map(({ id }) => id),
        ),
      };
    });
    const items = mails.map(async (mail) => ({
      ...(await mailView(mail)),
      delivery: states.get(mail.id) ?? null,
    }));
    return ok({ items: await Promise.all(items) });
  },

  'sandbox.mail_detail': async (context, { params }) => {
    const stored = await findStoredMail(context, params.mailId);
    if (!stored) return refuse('mail_not_found', { id: params.mailId });
    const attachments = stored.attachments.map(({ id, name, size_bytes }) => ({ id, name, size_bytes }));
    return ok({
      ...(await mailView(stored.mail)),
      html: await renderMailHtml(stored.mail),
      attachments,
      delivery: stored.delivery,
    });
  },

  'sandbox.mail_message': async (context, { params }) => {
    const { composeStored } = await import('../../mail/compose.ts');
    const { keys } = context.store;
    const composed = await composeStored(context.store, params.mailId, (mail) => inMailbox(keys, mail));
    return composed
      ? ok({ bytes: composed.message, mediaType: 'message/rfc822' })
      : refuse('mail_not_found', { id: params.mailId });
  },
} satisfies Partial<Handlers<'sandbox'>>;

const DEFAULT_LIMIT = 1000;

type StoredMail = {
  mail: Mail;
  attachments: MailAttachment[];
  delivery: OutputOf<'sandbox.mail_detail'>['delivery'];
};

const findStoredMail = ({ read, store }: RequestContext, id: string): Promise<StoredMail | undefined> =>
  read(async (db) => {
    const mail = await findMail<MailMessage>(db, store.keys, id);
    if (!mail) return undefined;
    const [delivery] = await loadDeliveriesOf(db, id);
    return {
      mail: inMailbox(store.keys, mail),
      attachments: await attachmentsOf(db, mail.attachments),
      delivery: delivery ? mailDeliveryView(delivery, await attemptsOf(db, delivery.id)) : null,
    };
  });

const mailDeliveryView = (
  { state, reason, due_at }: Delivery,
  attempts: readonly DeliveryAttempt[],
): StoredMail['delivery'] => ({
  state,
  reason,
  next_at: state === 'waiting' ? due_at : null,
  attempts: attempts.map((attempt) => attemptView(attempt, { isFromOwner: true })),
});

const mailView = async (mail: Mail) => ({
  id: mail.id,
  transaction_id: mail.transaction_id,
  recipient_id: mail.recipient_id,
  kind: mail.kind,
  language: mail.language,
  created: mail.created,
  from: addressOf(mail.from),
  reply_to: mail.replyTo ? addressOf(mail.replyTo) : null,
  to: addressOf(mail.to),
  subject: mail.subject,
  body: await renderMailText(mail),
});

const addressOf = ({ name, email }: MailPerson): string => (name === '' ? email : `${name} <${email}>`);
