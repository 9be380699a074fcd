// What a client receives of a transaction and of lists, from whichever service. Status, role and type are plain text here:
// a service may know values that we do not.
import {
  neededId,
  neededObject,
  neededText,
  type ReadBy,
  record,
  someFlag,
  someId,
  someList,
  someNumber,
  someRecord,
  someText,
} from './lenient.ts';

export const receivedId = record({ id: neededId });

/** For operations whose answer no caller reads. */
export const receivedAnything = neededObject;

/** `meta` of a list. */
export const receivedPages = someRecord({
  is_last_page: someFlag,
  next_page: someNumber,
  page_count: someNumber,
});

export type ReceivedPages = ReadBy<typeof receivedPages>;

/** How many receivers have received an event, will receive it, and will never receive it. */
export const receivedCounts = someRecord({
  waiting: someNumber,
  delivered: someNumber,
  undelivered: someNumber,
});

/** Extension (assumed: A27). */
export const receivedRemarks = someList(record({ code: someText, message: someText, page: someNumber }));

const recipient = record({
  id: neededId,
  role: someText,
  color: someText,
  index: someNumber,
  name: neededText,
  email: neededText,
  token: someId,
  submitted_at: someText,
  opened_at: someText,
  undelivered_email: someRecord({ kind: someText, reason: someText, at: someText }),
  is_current: someFlag,
});

const document = record({
  id: neededId,
  index: someNumber,
  file: someRecord({ id: someId, original_name: someText }),
  pages: someList(
    record({
      id: someText,
      file: someRecord({ id: someId }),
      width: someNumber,
      height: someNumber,
    }),
  ),
  remarks: receivedRemarks,
});

const field = record({
  id: someText,
  document_id: someText,
  recipient_id: someText,
  page: someNumber,
  width: someNumber,
  height: someNumber,
  positionX: someNumber,
  positionY: someNumber,
  type: neededText,
  template_id: someText,
  label: someText,
  is_required: someFlag,
});

export const receivedTransaction = record({
  id: neededId,
  created_at: someText,
  updated_at: someText,
  expiration_days: someNumber,
  rejected_reason: someText,
  rejected_by_id: someText,
  rejected_at: someText,
  completed_at: someText,
  sent_at: someText,
  expires_at: someText,
  expired_at: someText,
  status: neededId,
  cancelled_at: someText,
  cancelled_reason: someText,
  sealing_failed_at: someText,
  sealing_failed_reason: someText,
  sealed_documents: someList(
    record({
      id: neededId,
      name: neededText,
      sha256: someText,
      document: someRecord({ id: someText, name: someText }),
    }),
  ),
  template: someRecord({
    name: someText,
    description: someText,
    edit_navigation: someFlag,
    email_alias: someText,
    email_subject: someText,
    email_body: someText,
    fields: someList(field),
    recipients: someList(recipient),
    documents: someList(document),
  }),
});

export type ReceivedTransaction = ReadBy<typeof receivedTransaction>;
export type ReceivedRecipient = ReadBy<typeof recipient>;
export type ReceivedDocument = ReadBy<typeof document>;
export type ReceivedField = ReadBy<typeof field>;
