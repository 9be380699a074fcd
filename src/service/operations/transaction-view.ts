// Shows a transaction in the form of the wire (spec §2, full detail; assumed: A10, A36, A38).

import { remarkOf } from '../../api/contract/documents.ts';
import type { WireRecipient } from '../../api/contract/recipients.ts';
import type * as wire from '../../api/contract/transactions.ts';
import type { RequestContext, UserContext } from '../context.ts';
import { sealedView } from '../domain/act.ts';
import { extensionsOf } from '../domain/known-value.ts';
import { currentOf } from '../domain/recipients.ts';
import type { Content, Document, Field, Recipient, Transaction } from '../domain/transaction.ts';
import { markOf, signingUrl } from '../mail/links.ts';
import { findUser } from '../store/accounts/accounts.ts';
import type { UndeliveredMail } from '../store/delivery/mails.ts';
import { presignedUrl } from './files.ts';

/** assumed: A10, the sample of the specification shows `expired` for a cancelled transaction. */
export const wireStatusOf = ({ status }: Pick<Transaction, 'status'>): wire.WireStatus =>
  status === 'cancelled' ? 'expired' : status;

/**
 * Shows a transaction to the user of the request, with addresses that are good for a while from now on. Whoever has the token of a recipient can sign for
 * them, so that only the user who sends the transaction gets it (assumed: A38).
 */
export function viewOf(
  context: UserContext,
  transaction: Transaction,
  undelivered: UndeliveredMails = NONE_UNDELIVERED,
): wire.WireTransaction {
  const { content, status, notification_endpoint, cancelled_by_id, client_id, sealed_documents, ...rest } =
    transaction;
  return {
    ...rest,
    status: wireStatusOf({ status }),
    template_id: content.id,
    provider_type: 'embedded',
    provider_id: null,
    is_provider_ready: true,
    is_sealed: sealed_documents.length > 0,
    is_archived: false,
    sealed_documents: sealed_documents.map((sealed) => ({
      ...sealedView(sealed, content),
      presigned_url: presignedUrl(context, sealed.id),
    })),
    template: templateView(content, { undelivered, showsTokens: isSender(context, transaction) }),
  };
}

const isSender = ({ user }: UserContext, { sender_id }: Pick<Transaction, 'sender_id'>): boolean =>
  user.id === sender_id;

/** The keys are ids of recipients. */
type UndeliveredMails = ReadonlyMap<string, UndeliveredMail>;

const NONE_UNDELIVERED: UndeliveredMails = new Map();

const templateView = (
  { documents, recipients, fields, ...rest }: Content,
  shown: RecipientsShown,
): wire.WireTemplate => ({
  ...rest,
  fields: fields.map((field) => fieldView(field, rest.id)),
  recipients: recipients.map((recipient) => recipientView(recipient, shown)),
  documents: documents.map(documentView),
});

type RecipientsShown = { undelivered: UndeliveredMails; showsTokens: boolean };

/** Shows a recipient. Only the pending one has a token (assumed: A38). */
const recipientView = (
  recipient: Recipient,
  { undelivered, showsTokens }: RecipientsShown,
): WireRecipient => ({
  ...recipient,
  token: showsTokens ? recipient.token : null,
  undelivered_email: undelivered.get(recipient.id) ?? null,
});

const documentView = ({ id, index, file, pages, remarks, preparation }: Document): wire.WireDocument => ({
  id,
  index,
  status: 'processed',
  file,
  pages: pages.map((page, position) => ({
    document_id: id,
    id: page.id,
    file: {
      id: page.file_id,
      original_name: `${file.original_name} page ${position + 1}.png`,
      stored_name: `${page.file_id}.png`,
    },
    width: page.width,
    height: page.height,
  })),
  remarks: remarks.map(remarkOf),
  ...(preparation && { preparation }),
});

/** Shows a field, without the value of its recipient, which is in the sealed documents only. */
const fieldView = (
  { value: _, adoption, known_value, is_readonly, date_format, date_language, ...field }: Field,
  template_id: string,
) => ({ ...field, template_id, ...extensionsOf({ known_value, is_readonly, date_format, date_language }) });

/**
 * Decides whether a user of the sender's company is shown the address at which the current recipient signs. The bearer of the address can sign as
 * that recipient: the dashboard shows it for users of the company alone, other recipients get it by email. Where email leaves the service, it shows
 * the address to that recipient and to the user who sends the transaction, who gets the token from the API as well (A38).
 */
export async function signingAddressFor(
  viewer: { id: string },
  context: Pick<RequestContext, 'read' | 'origin' | 'mail' | 'store'>,
  { content, company_id, sender_id }: Transaction,
): Promise<string | undefined> {
  const current = currentOf(content);
  if (!current || current.token === null) return undefined;
  const user = await context.read((db) => findUser(db, current.email));
  if (user?.company_id !== company_id) return undefined;
  const maySee = context.mail.smtp === undefined || [user.id, sender_id].includes(viewer.id);
  if (!maySee) return undefined;
  const mark = markOf(context.store.keys, current.token, { by: 'dashboard', user_id: viewer.id });
  return signingUrl(context.origin, current.token, mark);
}
