// Written by `npm run generate` from src/api/contract. Do not edit.


/** A time as ISO 8601 in UTC with milliseconds: `2026-03-01T09:00:00.000Z`. */
export type Instant = string;

/** What an event is about. */
export type SandboxEventType =
  | 'transaction_completed'
  | 'transaction_created'
  | 'transaction_started'
  | 'transaction_expired'
  | 'transaction_rejected'
  | 'recipient_submitted'
  | 'transaction_cancelled';

/** What goes wrong, as in `esign sandbox faults add`. */
export type SandboxFaultKind =
  | 'latency'
  | 'rate-limit'
  | 'expired-token'
  | 'error-before-commit'
  | 'error-after-commit'
  | 'EMPTY_RESPONSE'
  | 'CONNECTION_RESET_BY_PEER'
  | 'MALFORMED_RESPONSE_CHUNK'
  | 'RANDOM_DATA_THEN_CLOSE'
  | 'limit_data'
  | 'slow-body'
  | 'timestamps-unavailable'
  | 'smtp-unavailable'
  | 'webhook-drop'
  | 'webhook-duplicate'
  | 'webhook-reorder'
  | 'webhook-delay';

/** The ID of an operation that fails, or `*` for all. */
export type SandboxOperation =
  | '*'
  | 'transaction.create'
  | 'transaction.update'
  | 'transaction.add_document'
  | 'transaction.fields'
  | 'transaction.start'
  | 'transaction.detail'
  | 'transaction.use_templates'
  | 'transaction.cancel'
  | 'transaction.remind'
  | 'file.upload'
  | 'file.content'
  | 'file.presigned'
  | 'template.detail'
  | 'template.list'
  | 'webhook.create'
  | 'webhook.list'
  | 'webhook.delete'
  | 'webhook.detail'
  | 'webhook.enable'
  | 'webhook.disable'
  | 'webhook.rotate'
  | 'webhook.ping'
  | 'event.list'
  | 'event.detail'
  | 'event.replay'
  | 'oauth.exchange_code'
  | 'oauth.refresh_token'
  | 'user.me'
  | 'signing.view'
  | 'signing.page'
  | 'signing.submit'
  | 'signing.reject';

/** What an access token allows. */
export type SandboxScope =
  | 'transaction:read'
  | 'transaction:create'
  | 'transaction:update'
  | 'webhook:read'
  | 'webhook:create'
  | 'webhook:remove'
  | 'file:create'
  | 'template:read';

/** As it is delivered to webhooks: `type` says which `data` it has. */
export type SandboxEvent = TransactionCompletedEvent | TransactionCreatedEvent | TransactionStartedEvent | TransactionExpiredEvent | TransactionRejectedEvent | RecipientSubmittedEvent | TransactionCancelledEvent;

export interface PingEvent {
  created: Instant;
  id: string;
  type: 'ping';
  data: PingEventData;
}

export interface PingEventData {
  id: string;
}

export interface RecipientSubmittedData {
  id: string;
  status: 'started';
  recipient: RecipientSubmittedDataRecipient;
}

export interface RecipientSubmittedDataRecipient {
  email: string;
  id: string;
  name: string;
  role: string;
  submitted_at: Instant | null;
}

export interface RecipientSubmittedEvent {
  created: Instant;
  id: string;
  type: 'recipient_submitted';
  data: RecipientSubmittedData;
}

export interface TransactionCancelledData {
  id: string;
  status: 'expired';
  cancelled_reason: string;
  cancelled_at: Instant;
}

export interface TransactionCancelledEvent {
  created: Instant;
  id: string;
  type: 'transaction_cancelled';
  data: TransactionCancelledData;
}

export interface TransactionCompletedData {
  id: string;
  status: 'completed';
  recipients: TransactionCompletedDataRecipient[];
  sealed_documents: TransactionCompletedDataSealedDocument[];
}

export interface TransactionCompletedDataRecipient {
  email: string;
  id: string;
  name: string;
  role: string;
  submitted_at: Instant | null;
}

export interface TransactionCompletedDataSealedDocument {
  created_at: Instant;
  id: string;
  name: string;
  /** In hexadecimal. SHA-256 of the sealed PDF, in hexadecimal. */
  sha256: string;
  document: TransactionCompletedDataSealedDocumentDocument;
}

export interface TransactionCompletedDataSealedDocumentDocument {
  id: string;
  name: string;
}

export interface TransactionCompletedEvent {
  created: Instant;
  id: string;
  type: 'transaction_completed';
  data: TransactionCompletedData;
}

export interface TransactionCreatedData {
  id: string;
  status: 'draft';
  created_by: TransactionCreatedDataCreatedBy;
}

export interface TransactionCreatedDataCreatedBy {
  email: string;
  id: string;
}

export interface TransactionCreatedEvent {
  created: Instant;
  id: string;
  type: 'transaction_created';
  data: TransactionCreatedData;
}

export interface TransactionExpiredData {
  id: string;
  status: 'expired';
  /** How many days after its start the transaction expires. */
  expiration_days: number | null;
  expired_at: Instant;
}

export interface TransactionExpiredEvent {
  created: Instant;
  id: string;
  type: 'transaction_expired';
  data: TransactionExpiredData;
}

export interface TransactionRejectedData {
  id: string;
  status: 'rejected';
  rejected_by: TransactionRejectedDataRejectedBy;
}

export interface TransactionRejectedDataRejectedBy {
  email: string;
  id: string;
  name: string;
  role: string;
}

export interface TransactionRejectedEvent {
  created: Instant;
  id: string;
  type: 'transaction_rejected';
  data: TransactionRejectedData;
}

export interface TransactionStartedData {
  id: string;
  status: 'started';
  started_by: TransactionStartedDataStartedBy;
}

export interface TransactionStartedDataStartedBy {
  email: string;
  id: string;
}

export interface TransactionStartedEvent {
  created: Instant;
  id: string;
  type: 'transaction_started';
  data: TransactionStartedData;
}
