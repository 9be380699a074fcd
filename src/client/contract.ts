// Written by `npm run generate` from src/api/contract. Do not edit.


import type { CallOptions, FileContent } from './options.ts';

/** A time as ISO 8601 in UTC with milliseconds: `2026-03-01T09:00:00.000Z`. */
export type Instant = string;

/** Every code with which the service refuses a request. A newer service may have more. */
export type ProblemCode =
  | 'malformed_json'
  | 'malformed_multipart'
  | 'malformed_path'
  | 'host_not_allowed'
  | 'invalid_grant'
  | 'token_missing'
  | 'token_invalid'
  | 'token_expired'
  | 'invalid_client'
  | 'insufficient_scope'
  | 'control_secret_required'
  | 'link_invalid'
  | 'route_not_found'
  | 'transaction_not_found'
  | 'template_not_found'
  | 'webhook_not_found'
  | 'event_not_found'
  | 'file_not_found'
  | 'client_not_found'
  | 'mail_not_found'
  | 'snapshot_not_found'
  | 'user_not_found'
  | 'signing_link_invalid'
  | 'method_not_allowed'
  | 'transaction_not_draft'
  | 'transaction_not_started'
  | 'not_your_turn'
  | 'values_changed'
  | 'transaction_changed'
  | 'submission_under_way'
  | 'client_is_own'
  | 'user_exists'
  | 'documents_not_checked'
  | 'file_too_large'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'file_type_not_accepted'
  | 'validation_failed'
  | 'sender_email_mismatch'
  | 'transaction_incomplete'
  | 'file_empty'
  | 'file_missing'
  | 'file_token_unknown'
  | 'document_encrypted'
  | 'document_unreadable'
  | 'document_too_long'
  | 'document_too_complex'
  | 'document_not_drawable'
  | 'document_not_sealable'
  | 'too_many_events'
  | 'idempotency_key_reused'
  | 'reminded_recently'
  | 'rate_limited'
  | 'failed_on_purpose'
  | 'sealing_unavailable'
  | 'sealing_failed'
  | 'receiving_busy'
  | 'documents_busy'
  | 'internal_error'
  | 'storage_damaged'
  | 'storage_unusable'
  | 'storage_unavailable'
  | 'storage_full';

/** A client: one method for each operation of the service. */
export interface Client {
  /** From a draft to its end. */
  readonly transactions: TransactionsMethods;
  /** Files to use as documents. */
  readonly files: FilesMethods;
  /** Reusable content. */
  readonly templates: TemplatesMethods;
  /** URLs that events are sent to. */
  readonly webhooks: WebhooksMethods;
  /** What happened, and where it was delivered. */
  readonly events: EventsMethods;
  /** Tokens for OAuth applications. */
  readonly oauth: OauthMethods;
  /** The user of the access token. */
  readonly users: UsersMethods;
  /** What a recipient does, with the token of the signing URL. */
  readonly signing: SigningMethods;
  /** Operations that only the esign sandbox has. */
  readonly sandbox: SandboxMethods;
}

/** One page of a list. */
export type ListPage<Item> = {
  items: Item[];
  meta?: Pagination | null;
};

/**
 * A list that comes in pages. `await` returns the first page (or the page that was asked for); `for await` goes through the items
 * of this page and of all that follow, and requests each page when it is needed. Nothing is sent before.
 */
export interface Pages<Item> extends PromiseLike<ListPage<Item>>, AsyncIterable<Item> {}

/** From a draft to its end. */
export interface TransactionsMethods {
  /**
   * Create a transaction as a draft.
   * Scope: `transaction:create`.
   * Honors an idempotency key.
   */
  create(input?: TransactionCreateRequest, options?: CallOptions): Promise<TransactionCreateResponse>;
  /**
   * Set name, texts, documents and recipients of a draft.
   * Scope: `transaction:update`.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_draft`, `sender_email_mismatch`
   */
  update(transactionId: string, input: TransactionUpdateRequest, options?: CallOptions): Promise<TransactionUpdateResponse>;
  /**
   * Attach an uploaded file to a draft as a document.
   * Scope: `transaction:update`.
   * Honors an idempotency key.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_draft`, `file_token_unknown`
   */
  addDocument(transactionId: string, input: TransactionAddDocumentRequest, options?: CallOptions): Promise<TransactionAddDocumentResponse>;
  /**
   * Set the fields that the recipients of a draft fill in.
   * Scope: `transaction:update`.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_draft`
   */
  setFields(transactionId: string, input: TransactionFieldsRequest, options?: CallOptions): Promise<TransactionFieldsResponse>;
  /**
   * Start a draft and ask the first recipient to sign.
   * Scope: `transaction:update`.
   * Sent once: not repeated when its response is lost, unless there is an idempotency key.
   * Honors an idempotency key.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_draft`, `transaction_incomplete`, `document_not_drawable`, `documents_not_checked`, `documents_busy`
   */
  start(transactionId: string, options?: CallOptions): Promise<TransactionStartResponse>;
  /**
   * Get a transaction.
   * Scope: `transaction:read`.
   * @throws {EsignError} `transaction_not_found`
   */
  get(transactionId: string, options?: CallOptions): Promise<Transaction>;
  /**
   * Add the documents, recipients and fields of templates to a draft.
   * Scope: `transaction:update`.
   * Honors an idempotency key.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_draft`, `template_not_found`
   */
  useTemplates(transactionId: string, input: TransactionUseTemplatesRequest, options?: CallOptions): Promise<Transaction>;
  /**
   * Cancel a started transaction.
   * Scope: `transaction:update`.
   * Sent once: not repeated when its response is lost.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_started`
   */
  cancel(transactionId: string, input: TransactionCancelRequest, options?: CallOptions): Promise<TransactionCancelResponse>;
  /**
   * Remind the current recipient by email.
   * Scope: `transaction:update`.
   * Sent once: not repeated when its response is lost, unless there is an idempotency key.
   * Honors an idempotency key.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_started`, `reminded_recently`
   */
  remind(transactionId: string, options?: CallOptions): Promise<TransactionRemindResponse>;
}

/** Files to use as documents. */
export interface FilesMethods {
  /**
   * Upload a file and get a token for it.
   * Scope: `file:create`.
   * Honors an idempotency key.
   * @throws {EsignError} `file_missing`, `file_empty`, `file_too_large`, `file_type_not_accepted`, `document_encrypted`, `document_unreadable`, `document_too_long`, `document_too_complex`, `documents_busy`
   */
  upload(file: FileContent, input?: { name?: string }, options?: CallOptions): Promise<FileUploadResponse>;
  /**
   * Read a stored file: a document (always as PDF), or the image of a page (PNG).
   * Scope: `transaction:read`.
   * @throws {EsignError} `file_not_found`, `document_too_complex`, `documents_busy`
   */
  download(fileId: string, options?: CallOptions): Promise<Response>;
  /**
   * Read a stored file (a document always as PDF) by its signed URL, which is valid for an hour.
   * @throws {EsignError} `link_invalid`, `file_not_found`, `document_too_complex`, `documents_busy`
   */
  downloadPresigned(fileId: string, input: FilePresignedQuery, options?: CallOptions): Promise<Response>;
}

/** Reusable content. */
export interface TemplatesMethods {
  /**
   * Get a template and its fields.
   * Scope: `template:read`.
   * @throws {EsignError} `template_not_found`
   */
  get(templateId: string, options?: CallOptions): Promise<TemplateDetailResponse>;
  /**
   * List templates, newest first.
   * Scope: `template:read`.
   */
  list(input?: TemplateListQuery, options?: CallOptions): Pages<TemplateListResponseItem>;
}

/** URLs that events are sent to. */
export interface WebhooksMethods {
  /**
   * Create a webhook that sends events to a URL.
   * Scope: `webhook:create`.
   * Honors an idempotency key.
   */
  create(input: WebhookCreateRequest, options?: CallOptions): Promise<WebhookCreateResponse>;
  /**
   * List the webhooks of the company, newest first.
   * Scope: `webhook:read`.
   */
  list(input?: WebhookListQuery, options?: CallOptions): Pages<WebhookListResponseItem>;
  /**
   * Delete a webhook.
   * Scope: `webhook:remove`.
   * @throws {EsignError} `webhook_not_found`
   */
  delete(webhookId: string, options?: CallOptions): Promise<WebhookDeleteResponse>;
  /**
   * Get a webhook and its last delivery attempts.
   * Scope: `webhook:read`.
   * @throws {EsignError} `webhook_not_found`
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /**
   * Enable a webhook.
   * Scope: `webhook:create`.
   * @throws {EsignError} `webhook_not_found`
   */
  enable(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /**
   * Disable a webhook; waiting deliveries become undelivered.
   * Scope: `webhook:create`.
   * @throws {EsignError} `webhook_not_found`
   */
  disable(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /**
   * Replace the secret of a webhook; for one day both secrets sign.
   * Scope: `webhook:create`.
   * Honors an idempotency key.
   * @throws {EsignError} `webhook_not_found`
   */
  rotate(webhookId: string, options?: CallOptions): Promise<WebhookRotateResponse>;
  /**
   * Send one signed event of type ping to a webhook and return its response.
   * Scope: `webhook:create`.
   * @throws {EsignError} `webhook_not_found`
   */
  ping(webhookId: string, options?: CallOptions): Promise<WebhookPingResponse>;
}

/** What happened, and where it was delivered. */
export interface EventsMethods {
  /**
   * List the events of the company, newest first.
   * Scope: `transaction:read`.
   * @throws {EsignError} `event_not_found`
   */
  list(input?: EventListQuery, options?: CallOptions): Pages<EventListItem>;
  /**
   * Get an event with every attempt to deliver it.
   * Scope: `transaction:read`.
   * @throws {EsignError} `event_not_found`
   */
  get(eventId: string, options?: CallOptions): Promise<EventDetail>;
  /**
   * Send events again, with the same IDs and bytes.
   * Scope: `webhook:create`.
   * Honors an idempotency key.
   * @throws {EsignError} `event_not_found`, `transaction_not_found`, `webhook_not_found`, `too_many_events`
   */
  replay(input?: EventReplayRequest, options?: CallOptions): Promise<EventReplayResponse>;
}

/** Tokens for OAuth applications. */
export interface OauthMethods {
  /**
   * Exchange an authorization code for tokens.
   * @throws {EsignError} `invalid_client`, `invalid_grant`
   */
  exchangeCode(input: OauthExchangeCodeRequest, options?: CallOptions): Promise<OauthExchangeCodeResponse>;
  /**
   * Get a new access token.
   * @throws {EsignError} `invalid_client`, `invalid_grant`
   */
  refreshToken(input: OauthRefreshTokenRequest, options?: CallOptions): Promise<OauthRefreshTokenResponse>;
}

/** The user of the access token. */
export interface UsersMethods {
  /**
   * Get the user that the access token belongs to; any scope will do.
   */
  me(options?: CallOptions): Promise<UserMeResponse>;
}

/** What a recipient does, with the token of the signing URL. */
export interface SigningMethods {
  /**
   * Get what the current recipient sees.
   * @throws {EsignError} `signing_link_invalid`
   */
  view(input: SigningViewQuery, options?: CallOptions): Promise<SigningViewResponse>;
  /**
   * Get the image of a page (PNG).
   * @throws {EsignError} `signing_link_invalid`, `file_not_found`, `document_too_complex`, `documents_busy`
   */
  page(pageId: string, input: SigningPageQuery, options?: CallOptions): Promise<Response>;
  /**
   * Submit the values and sign.
   * @throws {EsignError} `signing_link_invalid`, `transaction_changed`, `submission_under_way`, `document_not_sealable`, `document_too_complex`, `documents_busy`, `sealing_unavailable`, `sealing_failed`
   */
  submit(input: SigningSubmitQuery & SigningSubmitRequest, options?: CallOptions): Promise<SigningSubmitResponse>;
  /**
   * Reject the transaction with a reason.
   * @throws {EsignError} `signing_link_invalid`
   */
  reject(input: SigningRejectQuery & SigningRejectRequest, options?: CallOptions): Promise<SigningRejectResponse>;
}

/** Operations that only the esign sandbox has. */
export interface SandboxMethods {
  /**
   * Count what the sandbox contains.
   * Needs the control secret of the sandbox.
   */
  status(options?: CallOptions): Promise<SandboxStatusResponse>;
  /**
   * Get the root certificate of the certificate authority that documents are sealed with.
   * Needs the control secret of the sandbox.
   */
  authority(options?: CallOptions): Promise<SandboxAuthorityResponse>;
  /**
   * Issue a certificate for a server on this machine; its key is shown only once.
   * Needs the control secret of the sandbox.
   */
  issueCertificate(input: SandboxIssueCertificateRequest, options?: CallOptions): Promise<SandboxIssueCertificateResponse>;
  /**
   * Delete all data; the URL, keys and default user are kept.
   * Needs the control secret of the sandbox.
   */
  reset(options?: CallOptions): Promise<SandboxResetResponse>;
  /**
   * List the events in the order in which they happened.
   * Needs the control secret of the sandbox.
   */
  listEvents(input?: SandboxEventsQuery, options?: CallOptions): Promise<SandboxEventsResponse>;
  /**
   * Show the time by the clock of the sandbox.
   * Needs the control secret of the sandbox.
   */
  getClock(options?: CallOptions): Promise<SandboxClockResponse>;
  /**
   * Set the clock of the sandbox, forward or back.
   * Needs the control secret of the sandbox.
   */
  setClock(input: SandboxSetClockRequest, options?: CallOptions): Promise<SandboxSetClockResponse>;
  /**
   * Move the clock of the sandbox forward, and do all that becomes due on the way.
   * Needs the control secret of the sandbox.
   * Sent once: not repeated when its response is lost.
   */
  advanceClock(input?: SandboxAdvanceClockRequest, options?: CallOptions): Promise<SandboxAdvanceClockResponse>;
  /**
   * Stop the clock of the sandbox.
   * Needs the control secret of the sandbox.
   */
  pauseClock(input?: SandboxPauseClockRequest, options?: CallOptions): Promise<SandboxPauseClockResponse>;
  /**
   * Let the clock of the sandbox run on from where it is.
   * Needs the control secret of the sandbox.
   */
  resumeClock(options?: CallOptions): Promise<SandboxResumeClockResponse>;
  /**
   * Set the clock of the sandbox to the time of the machine again.
   * Needs the control secret of the sandbox.
   */
  resetClock(options?: CallOptions): Promise<SandboxResetClockResponse>;
  /**
   * List the faults of the sandbox, with how often each was met.
   * Needs the control secret of the sandbox.
   */
  listFaults(options?: CallOptions): Promise<SandboxListFaultsResponse>;
  /**
   * Make requests, emails, seals or events of the sandbox fail on purpose.
   * Needs the control secret of the sandbox.
   */
  addFault(input: SandboxAddFaultRequest, options?: CallOptions): Promise<SandboxAddFaultResponse>;
  /**
   * Remove all faults of the sandbox.
   * Needs the control secret of the sandbox.
   */
  clearFaults(options?: CallOptions): Promise<SandboxClearFaultsResponse>;
  /**
   * List the snapshots of the sandbox.
   * Needs the control secret of the sandbox.
   */
  listSnapshots(options?: CallOptions): Promise<SandboxListSnapshotsResponse>;
  /**
   * Save the state of the sandbox; a snapshot with this name is replaced.
   * Needs the control secret of the sandbox.
   */
  saveSnapshot(name: string, options?: CallOptions): Promise<SandboxSaveSnapshotResponse>;
  /**
   * Put the sandbox back into a saved state, with its clock.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `snapshot_not_found`
   */
  restoreSnapshot(name: string, options?: CallOptions): Promise<SandboxRestoreSnapshotResponse>;
  /**
   * Delete a snapshot.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `snapshot_not_found`
   */
  deleteSnapshot(name: string, options?: CallOptions): Promise<SandboxDeleteSnapshotResponse>;
  /**
   * List the emails to recipients, newest first.
   * Needs the control secret of the sandbox.
   */
  listMail(input?: SandboxMailQuery, options?: CallOptions): Promise<SandboxMailResponse>;
  /**
   * Show an email with its HTML and its attachments.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `mail_not_found`
   */
  getMail(mailId: string, options?: CallOptions): Promise<SandboxMailDetailResponse>;
  /**
   * Get an email in the format that is sent (RFC 5322).
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `mail_not_found`
   */
  downloadMail(mailId: string, options?: CallOptions): Promise<Response>;
  /**
   * List transactions, newest first, at most 1000.
   * Needs the control secret of the sandbox.
   */
  listTransactions(input?: SandboxListTransactionsQuery, options?: CallOptions): Promise<SandboxListTransactionsResponse>;
  /**
   * Sign as the current recipient.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_started`, `not_your_turn`, `transaction_changed`, `submission_under_way`, `document_not_sealable`, `document_too_complex`, `documents_busy`, `sealing_unavailable`, `sealing_failed`
   */
  sign(transactionId: string, input?: SandboxSignRequest, options?: CallOptions): Promise<SandboxSignResponse>;
  /**
   * Reject as the current recipient.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_started`, `not_your_turn`
   */
  reject(transactionId: string, input: SandboxRejectRequest, options?: CallOptions): Promise<SandboxRejectResponse>;
  /**
   * Make a started transaction expire now.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_started`
   */
  expire(transactionId: string, options?: CallOptions): Promise<SandboxExpireResponse>;
  /**
   * Save the content of a transaction as a reusable template.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `transaction_not_found`
   */
  saveTemplate(transactionId: string, input: SandboxSaveTemplateRequest, options?: CallOptions): Promise<SandboxSaveTemplateResponse>;
  /**
   * Add a user to the company with the given name.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `user_exists`
   */
  addUser(input: SandboxAddUserRequest, options?: CallOptions): Promise<User>;
  /**
   * List the users.
   * Needs the control secret of the sandbox.
   */
  listUsers(options?: CallOptions): Promise<SandboxListUsersResponse>;
  /**
   * Verify a user who registered, so that email in their name is sent.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `user_not_found`
   */
  verifyUser(input: SandboxVerifyUserRequest, options?: CallOptions): Promise<SandboxVerifyUserResponse>;
  /**
   * Set the dashboard password of a user; existing sessions are ended.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `user_not_found`
   */
  setPassword(input?: SandboxSetPasswordRequest, options?: CallOptions): Promise<SandboxSetPasswordResponse>;
  /**
   * Create a link to the dashboard that signs in once, from this machine, within two minutes.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `mail_not_found`, `transaction_not_found`, `transaction_not_draft`
   */
  signInLink(input?: SandboxSignInLinkRequest, options?: CallOptions): Promise<SandboxSignInLinkResponse>;
  /**
   * Register an OAuth application; its secret is shown only once.
   * Needs the control secret of the sandbox.
   */
  addClient(input: SandboxAddClientRequest, options?: CallOptions): Promise<SandboxAddClientResponse>;
  /**
   * List the OAuth applications.
   * Needs the control secret of the sandbox.
   */
  listClients(options?: CallOptions): Promise<SandboxListClientsResponse>;
  /**
   * Delete an OAuth application and everything issued to it.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `client_not_found`, `client_is_own`
   */
  deleteClient(clientId: string, options?: CallOptions): Promise<SandboxDeleteClientResponse>;
  /**
   * Replace the secret that notifications are signed with; for one day both secrets sign.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `client_not_found`
   */
  rotateNotificationSecret(clientId: string, options?: CallOptions): Promise<SandboxRotateNotificationSecretResponse>;
  /**
   * Issue an access token or a code without a browser.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `user_not_found`, `client_not_found`
   */
  token(input?: SandboxTokenRequest, options?: CallOptions): Promise<SandboxTokenResponse>;
}

/** What a webhook or a notification endpoint receives. */
export type WebhookEvent = Event | PingEvent;

/** Parameters of the query. */
export interface FilePresignedQuery {
  expires: number;
  /** 1 to 512 characters. */
  signature: string;
}

/** Parameters of the query. */
export interface TemplateListQuery {
  /** At most 255 characters. */
  search?: string;
  /** How many items are requested at once. Default: 100. 1 to 100. */
  limit?: number;
  /** The page to begin with. Default: 1. 1 to 1000000. */
  page?: number;
}

/** Parameters of the query. */
export interface WebhookListQuery {
  /** How many items are requested at once. Default: 100. 1 to 100. */
  limit?: number;
  /** The page to begin with. Default: 1. 1 to 1000000. */
  page?: number;
}

/** Parameters of the query. */
export interface EventListQuery {
  transaction_id?: string;
  type?: 'transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled' | (string & {});
  /** Only events that a receiver has not received. */
  undelivered?: boolean;
  /** The ID of an event: only what happened later, oldest first. */
  after?: string;
  /** How many items are requested at once. Default: 100. 1 to 100. */
  limit?: number;
  /** The page to begin with. Default: 1. 1 to 1000000. */
  page?: number;
}

/** Parameters of the query. */
export interface SigningViewQuery {
  /** 1 to 512 characters. */
  token: string;
}

/** Parameters of the query. */
export interface SigningPageQuery {
  /** 1 to 512 characters. */
  token: string;
}

/** Parameters of the query. */
export interface SigningSubmitQuery {
  /** 1 to 512 characters. */
  token: string;
}

/** Parameters of the query. */
export interface SigningRejectQuery {
  /** 1 to 512 characters. */
  token: string;
}

/** Parameters of the query. */
export interface SandboxEventsQuery {
  transaction_id?: string;
  type?: 'transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled' | (string & {});
  /** The ID of an event: only what happened later, oldest first. */
  after?: string;
  /** 1 to 1000. */
  limit?: number;
}

/** Parameters of the query. */
export interface SandboxMailQuery {
  transaction_id?: string;
  /** An email address. */
  to?: string;
  /** 1 to 1000. */
  limit?: number;
}

/** Parameters of the query. */
export interface SandboxListTransactionsQuery {
  /** An email address. */
  user?: string;
  /** 1 to 255 characters. */
  name?: string;
}

export interface Attempt {
  at?: Instant | null;
  ok?: boolean | null;
  status?: number | null;
  why?: string | null;
  answer?: string | null;
  /** In milliseconds. */
  duration_ms?: number | null;
  next_at?: Instant | null;
}

export interface Delivery {
  id?: string | null;
  kind?: 'webhook' | 'notification' | (string & {}) | null;
  webhook_id?: string | null;
  endpoint?: string | null;
  state?: 'waiting' | 'delivered' | 'undelivered' | (string & {}) | null;
  reason?: string | null;
  created?: Instant | null;
  next_at?: Instant | null;
  attempts?: Attempt[] | null;
}

export interface DeliveryCounts {
  delivered?: number | null;
  waiting?: number | null;
  /** Only events that a receiver has not received. */
  undelivered?: number | null;
}

export interface Document {
  id: string;
  /** The place in the order, from 0. */
  index?: number | null;
  status?: 'processed' | null;
  file?: StoredFile | null;
  pages?: Page[] | null;
  /** What could not be kept or displayed. */
  remarks?: Remark[] | null;
  /** What the sender stated about the original of the file. Absent where nothing was stated. */
  preparation?: Preparation | null;
}

export interface DocumentInput {
  id: string;
  /** The place in the order, from 0. 0 to 49. */
  index: number;
  isLoading?: boolean;
}

export type Event = TransactionCompletedEvent | TransactionCreatedEvent | TransactionStartedEvent | TransactionExpiredEvent | TransactionRejectedEvent | RecipientSubmittedEvent | TransactionCancelledEvent;

export interface EventDeliveries {
  deliveries?: Delivery[] | null;
}

export interface EventDeliveryCounts {
  deliveries?: DeliveryCounts | null;
}

export type EventDetail = TransactionCompletedEvent & EventDeliveries | TransactionCreatedEvent & EventDeliveries | TransactionStartedEvent & EventDeliveries | TransactionExpiredEvent & EventDeliveries | TransactionRejectedEvent & EventDeliveries | RecipientSubmittedEvent & EventDeliveries | TransactionCancelledEvent & EventDeliveries;

export type EventListItem = TransactionCompletedEvent & EventDeliveryCounts | TransactionCreatedEvent & EventDeliveryCounts | TransactionStartedEvent & EventDeliveryCounts | TransactionExpiredEvent & EventDeliveryCounts | TransactionRejectedEvent & EventDeliveryCounts | RecipientSubmittedEvent & EventDeliveryCounts | TransactionCancelledEvent & EventDeliveryCounts;

export interface EventReplayRequest {
  /** 1 to 10000 entries. */
  ids?: string[];
  transaction_id?: string;
  /** Events from this time on. */
  since?: Instant;
  webhook_id?: string;
  /** Only events that a receiver has not received. */
  undelivered?: boolean;
}

export interface EventReplayResponse {
  events?: number | null;
  deliveries: number;
}

export interface Field {
  id?: string | null;
  document_id?: string | null;
  recipient_id?: string | null;
  /** The page that the field is on, from 0. */
  page?: number | null;
  /** In points (1/72 inch). */
  width?: number | null;
  /** In points (1/72 inch). */
  height?: number | null;
  /** From the left edge of the page as it is displayed, in points (1/72 inch). */
  positionX?: number | null;
  /** From the top edge of the page as it is displayed, in points (1/72 inch). */
  positionY?: number | null;
  type: 'text' | 'signature' | 'person_name' | 'email' | 'initials' | 'date' | 'number' | 'checkbox' | 'select' | 'radio' | (string & {});
  label?: string | null;
  is_required?: boolean | null;
  bold?: boolean | null;
  italic?: boolean | null;
  underline?: boolean | null;
  font_family?: string | null;
  font_size?: number | null;
  font_color?: string | null;
  /** A hint for the recipient. */
  helper_text?: string | null;
  template_id?: string | null;
  max_length?: number | null;
  min_length?: number | null;
  max_value?: number | null;
  min_value?: number | null;
  /** A pattern (RE2) that the value must match. */
  regex?: string | null;
  /** What can be chosen from. */
  options?: string[] | null;
  /** What the sender has filled in. Absent where nothing is. */
  value?: string | null;
  /** The recipient cannot change the value. Absent where the sender has filled in nothing. */
  readonly?: boolean | null;
  /** How the date is written into the document. Absent for YYYY-MM-DD. */
  date_format?: 'YYYY-MM-DD' | 'DD.MM.YYYY' | 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'D MMMM YYYY' | 'MMMM D, YYYY' | (string & {}) | null;
}

export interface FieldInput {
  document_id: string;
  recipient_id: string;
  /** The page that the field is on, from 0. 0 to 1000. */
  page: number;
  /** In points (1/72 inch). */
  width: number;
  /** In points (1/72 inch). */
  height: number;
  /** From the left edge of the page as it is displayed, in points (1/72 inch). */
  positionX: number;
  /** From the top edge of the page as it is displayed, in points (1/72 inch). */
  positionY: number;
  type: 'text' | 'signature' | 'person_name' | 'email' | 'initials' | 'date' | 'number' | 'checkbox' | 'select' | 'radio' | (string & {});
  id?: string;
  /** At most 255 characters. */
  label?: string;
  /** Default: true. */
  is_required?: boolean;
  /** Default: false. */
  bold?: boolean;
  /** Default: false. */
  italic?: boolean;
  /** Default: false. */
  underline?: boolean;
  /** Default: "Helvetica". 1 to 255 characters. */
  font_family?: string;
  /** Default: 12. 1 to 200. */
  font_size?: number;
  /** Default: "#000000". */
  font_color?: string;
  /** A hint for the recipient. Default: "". At most 10000 characters. */
  helper_text?: string;
  /** Default: null. 0 to 10000. */
  max_length?: number | null;
  /** Default: null. 0 to 10000. */
  min_length?: number | null;
  /** Default: null. */
  max_value?: number | null;
  /** Default: null. */
  min_value?: number | null;
  /** A pattern (RE2) that the value must match. Default: null. At most 500 characters. */
  regex?: string | null;
  /** What can be chosen from. Default: []. At most 200 entries. */
  options?: string[];
  /** What the sender fills in. The recipient can change it, unless the field is read-only. Default: null. */
  value?: string | boolean | number | null;
  /** The recipient cannot change the value, which the sender has filled in. Default: false. */
  readonly?: boolean;
  /** For a date: how it is written into the document, with English names of months. The value is YYYY-MM-DD whatever the form. Default: "YYYY-MM-DD". */
  date_format?: 'YYYY-MM-DD' | 'DD.MM.YYYY' | 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'D MMMM YYYY' | 'MMMM D, YYYY' | (string & {});
}

export interface FieldValue {
  field_id: string;
  value: string | boolean | number | null;
}

export interface FileUploadResponse {
  /** What `transactions.addDocument` takes. */
  token: string;
  /** The URL of the file, valid for one hour. URL of the stored file, valid for one hour. It returns a PDF: an image or a Word document was converted when it was uploaded. */
  presigned_url?: string | null;
  /** What could not be kept or displayed. */
  remarks?: Remark[] | null;
}

export interface OauthExchangeCodeRequest {
  /** 1 to 512 characters. */
  client_id: string;
  /** Required, except for a public application, which has none. 1 to 512 characters. */
  client_secret?: string;
  /** 1 to 512 characters. */
  code: string;
  /** The text whose SHA-256 the authorization link had as code_challenge. */
  code_verifier?: string;
}

export interface OauthExchangeCodeResponse {
  access_token: string;
  refresh_token?: string | null;
  /** In seconds. */
  expires_in?: number | null;
}

export interface OauthRefreshTokenRequest {
  /** 1 to 512 characters. */
  client_id: string;
  /** Required, except for a public application, which has none. 1 to 512 characters. */
  client_secret?: string;
  /** 1 to 512 characters. */
  refresh_token: string;
}

export interface OauthRefreshTokenResponse {
  access_token: string;
  /** In seconds. */
  expires_in?: number | null;
  /** Of a public application: replaces the refresh token of the request. */
  refresh_token?: string | null;
}

export interface Page {
  document_id?: string | null;
  id?: string | null;
  file?: StoredFile | null;
  /** In points (1/72 inch). Width of the page as displayed, in points (1/72 inch). */
  width?: number | null;
  /** In points (1/72 inch). Height of the page as displayed, in points (1/72 inch). */
  height?: number | null;
}

export interface Pagination {
  limit?: number | null;
  is_first_page?: boolean | null;
  is_last_page?: boolean | null;
  current_page?: number | null;
  previous_page?: number | null;
  next_page?: number | null;
  page_count?: number | null;
}

export interface PingEvent {
  created: Instant;
  id: string;
  type: 'ping';
  data: PingEventData;
}

export interface PingEventData {
  id?: string | null;
}

export interface Preparation {
  original?: PreparationOriginal | null;
  removed_tags?: PreparationRemovedTag[] | null;
  emptied_form_boxes?: number | null;
  drawn_values?: number | null;
}

export interface PreparationInput {
  original: PreparationInputOriginal;
  /** Tags that were removed from the pages, with their text. Default: []. At most 2000 entries. */
  removed_tags?: PreparationInputRemovedTag[];
  /** Number of boxes of form fields that were emptied. The form became part of the pages. Default: 0. 0 to 20000. */
  emptied_form_boxes?: number;
  /** Number of values that were drawn into the pages. Default: 0. 0 to 2000. */
  drawn_values?: number;
}

/** The file that the uploaded file was made from. */
export interface PreparationInputOriginal {
  /** In hexadecimal. SHA-256 of the original, in lowercase hexadecimal. */
  sha256: string;
  /** Size of the original. */
  bytes: number;
}

export interface PreparationInputRemovedTag {
  /** 0 to 999. */
  page: number;
  /** 1 to 255 characters. */
  text: string;
}

export interface PreparationOriginal {
  /** In hexadecimal. */
  sha256?: string | null;
  bytes?: number | null;
}

export interface PreparationRemovedTag {
  page?: number | null;
  text?: string | null;
}

export interface Recipient {
  id: string;
  role?: 'sender' | 'signer' | 'proxy' | (string & {}) | null;
  /** The color of the fields of this recipient. */
  color?: string | null;
  /** The place in the order, from 0. */
  index?: number | null;
  name: string;
  email: string;
  /** The signing token, for the recipient whose turn it is. */
  token?: string | null;
  submitted_at?: Instant | null;
  /** When the signing link of the recipient was first opened, by them or by a program such as a mail scanner. */
  opened_at?: Instant | null;
  /** The last email to the recipient, if it could not be delivered. `reason` is the end of a sentence. */
  undelivered_email?: RecipientUndeliveredEmail | null;
  /** It is the turn of this recipient. */
  is_current?: boolean | null;
  created_at?: Instant | null;
  updated_at?: Instant | null;
}

export interface RecipientInput {
  id?: string;
  role: 'sender' | 'signer' | 'proxy' | (string & {});
  /** The color of the fields of this recipient. 1 to 32 characters. */
  color?: string;
  /** The place in the order, from 0. 0 to 99. */
  index: number;
  /** 1 to 255 characters. */
  name: string;
  /** An email address. */
  email: string;
}

export interface RecipientSubmittedData {
  id?: string | null;
  status?: 'started' | null;
  recipient?: RecipientSubmittedDataRecipient | null;
}

export interface RecipientSubmittedDataRecipient {
  email?: string | null;
  id?: string | null;
  name?: string | null;
  role?: string | null;
  submitted_at?: Instant | null;
}

export interface RecipientSubmittedEvent {
  created: Instant;
  id: string;
  type: 'recipient_submitted';
  data: RecipientSubmittedData;
}

export interface RecipientUndeliveredEmail {
  kind?: 'invitation' | 'reminder' | 'completed' | 'rejected' | 'cancelled' | 'expired' | (string & {}) | null;
  reason?: string | null;
  at?: Instant | null;
}

export interface Remark {
  code?: 'approximate_layout' | 'fonts_missing' | 'content_not_shown' | 'tracked_changes' | 'fields_not_updated' | 'dynamic_form' | 'already_signed' | 'encrypted_permissions' | 'page_not_drawable' | (string & {}) | null;
  message?: string | null;
  page?: number | null;
}

export interface SandboxAddClientRequest {
  /** 1 to 255 characters. */
  name: string;
  /** 1 to 2048 characters. A URL. */
  callback_url: string;
  /** Default: false. */
  is_public?: boolean;
}

export interface SandboxAddClientResponse {
  id: string;
  name: string;
  callback_url: string;
  is_public?: boolean | null;
  created_at: Instant;
  client_id: string;
  client_secret?: string | null;
  notification_secret: string;
}

export interface SandboxAddFaultRequest {
  operation: string;
  kind: 'latency' | 'rate-limit' | 'expired-token' | 'error-before-commit' | 'error-after-commit' | 'EMPTY_RESPONSE' | 'CONNECTION_RESET_BY_PEER' | 'MALFORMED_RESPONSE_CHUNK' | 'RANDOM_DATA_THEN_CLOSE' | 'limit_data' | 'slow-body' | 'timestamps-unavailable' | 'smtp-unavailable' | 'webhook-drop' | 'webhook-duplicate' | 'webhook-reorder' | 'webhook-delay' | (string & {});
  count?: number;
  probability?: number;
  seed?: number;
  latency?: number | string;
  jitter?: number | string;
  retry_after?: number;
  bytes?: number;
}

export interface SandboxAddFaultResponse {
  id: string;
  operation: string;
  kind: 'latency' | 'rate-limit' | 'expired-token' | 'error-before-commit' | 'error-after-commit' | 'EMPTY_RESPONSE' | 'CONNECTION_RESET_BY_PEER' | 'MALFORMED_RESPONSE_CHUNK' | 'RANDOM_DATA_THEN_CLOSE' | 'limit_data' | 'slow-body' | 'timestamps-unavailable' | 'smtp-unavailable' | 'webhook-drop' | 'webhook-duplicate' | 'webhook-reorder' | 'webhook-delay' | (string & {});
  count?: number | null;
  probability?: number | null;
  seed?: number | null;
  latency?: number | null;
  jitter?: number | null;
  retry_after?: number | null;
  bytes?: number | null;
  hits: number;
}

export interface SandboxAddUserRequest {
  /** 1 to 255 characters. */
  name: string;
  /** An email address. */
  email: string;
  /** 1 to 255 characters. */
  company?: string;
  /** 8 to 1024 characters. */
  password?: string;
}

export interface SandboxAdvanceClockRequest {
  by?: number | string;
  to?: string;
}

export interface SandboxAdvanceClockResponse {
  now: Instant;
  real_time: Instant;
  is_paused: boolean;
  status?: 'ready' | null;
  fired: SandboxAdvanceClockResponseFired[];
  fired_total: number;
}

export interface SandboxAdvanceClockResponseFired {
  type: 'transaction_expired' | 'delivery_attempted' | (string & {});
  at: Instant;
  transaction_id: string;
  id: string;
  attempt?: SandboxAdvanceClockResponseFiredAttempt | null;
}

export interface SandboxAdvanceClockResponseFiredAttempt {
  kind: 'webhook' | 'notification' | 'mail' | (string & {});
  endpoint: string;
  ok: boolean;
  status?: number | null;
  why?: string | null;
  next_at?: Instant | null;
}

export interface SandboxAuthorityResponse {
  name: string;
  pem: string;
  /** In hexadecimal. */
  sha256: string;
  valid_from: Instant;
  valid_to: Instant;
}

export interface SandboxClearFaultsResponse {
  removed: number;
}

export interface SandboxClockResponse {
  now: Instant;
  real_time: Instant;
  is_paused: boolean;
}

export interface SandboxDeleteClientResponse {
  removed?: true | null;
}

export interface SandboxDeleteSnapshotResponse {
  name?: string | null;
}

export interface SandboxEventsResponse {
  items: Event[];
}

export interface SandboxExpireResponse {
  id: string;
  status: 'draft' | 'started' | 'completed' | 'expired' | 'rejected' | (string & {});
}

export interface SandboxIssueCertificateRequest {
  /** 1 to 20 entries. */
  names: string[];
}

export interface SandboxIssueCertificateResponse {
  certificate: string;
  key: string;
  root: string;
  valid_to: Instant;
}

export interface SandboxListClientsResponse {
  items: SandboxListClientsResponseItem[];
}

export interface SandboxListClientsResponseItem {
  id: string;
  name: string;
  callback_url: string;
  is_public?: boolean | null;
  created_at: Instant;
  client_id: string;
}

export interface SandboxListFaultsResponse {
  items: SandboxListFaultsResponseItem[];
}

export interface SandboxListFaultsResponseItem {
  id: string;
  operation: string;
  kind: 'latency' | 'rate-limit' | 'expired-token' | 'error-before-commit' | 'error-after-commit' | 'EMPTY_RESPONSE' | 'CONNECTION_RESET_BY_PEER' | 'MALFORMED_RESPONSE_CHUNK' | 'RANDOM_DATA_THEN_CLOSE' | 'limit_data' | 'slow-body' | 'timestamps-unavailable' | 'smtp-unavailable' | 'webhook-drop' | 'webhook-duplicate' | 'webhook-reorder' | 'webhook-delay' | (string & {});
  count?: number | null;
  probability?: number | null;
  seed?: number | null;
  latency?: number | null;
  jitter?: number | null;
  retry_after?: number | null;
  bytes?: number | null;
  hits: number;
}

export interface SandboxListSnapshotsResponse {
  items: SandboxListSnapshotsResponseItem[];
}

export interface SandboxListSnapshotsResponseItem {
  name: string;
  saved_at: Instant;
}

export interface SandboxListTransactionsResponse {
  items: SandboxListTransactionsResponseItem[];
}

export interface SandboxListTransactionsResponseItem {
  id: string;
  name: string;
  status: 'draft' | 'started' | 'completed' | 'expired' | 'rejected' | 'cancelled' | (string & {});
  created_at: Instant;
  sender: string;
  recipients: SandboxListTransactionsResponseItemRecipient[];
}

export interface SandboxListTransactionsResponseItemRecipient {
  name: string;
  email: string;
  role: 'sender' | 'signer' | 'proxy' | (string & {});
  submitted_at?: Instant | null;
}

export interface SandboxListUsersResponse {
  items: User[];
}

export interface SandboxMailDetailResponse {
  id: string;
  transaction_id: string;
  recipient_id: string;
  kind: 'invitation' | 'reminder' | 'completed' | 'rejected' | 'cancelled' | 'expired' | (string & {});
  language: string;
  created: Instant;
  from: string;
  reply_to?: string | null;
  to: string;
  subject: string;
  body: string;
  html: string;
  attachments: SandboxMailDetailResponseAttachment[];
  delivery?: SandboxMailDetailResponseDelivery | null;
}

export interface SandboxMailDetailResponseAttachment {
  id: string;
  name: string;
  size_bytes: number;
}

export interface SandboxMailDetailResponseDelivery {
  state: 'waiting' | 'delivered' | 'undelivered' | (string & {});
  reason?: string | null;
  next_at?: Instant | null;
  attempts?: Attempt[] | null;
}

export interface SandboxMailResponse {
  items: SandboxMailResponseItem[];
}

export interface SandboxMailResponseItem {
  id: string;
  transaction_id: string;
  recipient_id: string;
  kind: 'invitation' | 'reminder' | 'completed' | 'rejected' | 'cancelled' | 'expired' | (string & {});
  language: string;
  created: Instant;
  from: string;
  reply_to?: string | null;
  to: string;
  subject: string;
  body: string;
  delivery?: SandboxMailResponseItemDelivery | null;
}

export interface SandboxMailResponseItemDelivery {
  state: 'waiting' | 'delivered' | 'undelivered' | (string & {});
  reason?: string | null;
}

export interface SandboxPauseClockRequest {
  at?: string;
}

export interface SandboxPauseClockResponse {
  now: Instant;
  real_time: Instant;
  is_paused: boolean;
}

export interface SandboxRejectRequest {
  /** An email address. */
  as?: string;
  /** 1 to 2000 characters. */
  reason: string;
}

export interface SandboxRejectResponse {
  id: string;
  status: 'draft' | 'started' | 'completed' | 'expired' | 'rejected' | (string & {});
  recipient: SandboxRejectResponseRecipient;
}

export interface SandboxRejectResponseRecipient {
  id: string;
  name: string;
  email: string;
}

export interface SandboxResetClockResponse {
  now: Instant;
  real_time: Instant;
  is_paused: boolean;
}

export interface SandboxResetResponse {
  reset?: true | null;
}

export interface SandboxRestoreSnapshotResponse {
  name?: string | null;
}

export interface SandboxResumeClockResponse {
  now: Instant;
  real_time: Instant;
  is_paused: boolean;
}

export interface SandboxRotateNotificationSecretResponse {
  client_id: string;
  notification_secret: string;
  previous_valid_until: Instant;
}

export interface SandboxSaveSnapshotResponse {
  name?: string | null;
}

export interface SandboxSaveTemplateRequest {
  /** 1 to 255 characters. */
  name: string;
  /** At most 10000 characters. */
  description?: string;
}

export interface SandboxSaveTemplateResponse {
  id: string;
}

export interface SandboxSetClockRequest {
  to: string;
}

export interface SandboxSetClockResponse {
  now: Instant;
  real_time: Instant;
  is_paused: boolean;
}

export interface SandboxSetPasswordRequest {
  /** An email address. */
  email?: string;
  /** 8 to 1024 characters. */
  password?: string;
}

export interface SandboxSetPasswordResponse {
  email: string;
  password?: string | null;
}

export interface SandboxSignInLinkRequest {
  mail_id?: string;
  page?: 'transactions' | 'templates' | 'mailbox' | 'webhooks' | 'applications' | (string & {});
  edit_id?: string;
  /** A URL. */
  return_to?: string;
}

export interface SandboxSignInLinkResponse {
  sign_in_url: string;
  page_url: string;
  expires_at?: Instant | null;
}

export interface SandboxSignRequest {
  /** An email address. */
  as?: string;
  /** Default: {}. */
  values?: Record<string, string>;
}

export interface SandboxSignResponse {
  id: string;
  status: 'draft' | 'started' | 'completed' | 'expired' | 'rejected' | (string & {});
  recipient: SandboxSignResponseRecipient;
}

export interface SandboxSignResponseRecipient {
  id: string;
  name: string;
  email: string;
}

export interface SandboxStatusResponse {
  origin: string;
  now: Instant;
  transactions: SandboxStatusResponseTransactions;
  templates: number;
  users: number;
  clients: number;
  events: number;
  mails: number;
}

export interface SandboxStatusResponseTransactions {
  draft: number;
  started: number;
  completed: number;
  rejected: number;
  expired: number;
  cancelled: number;
}

export interface SandboxTokenRequest {
  scopes?: ('transaction:read' | 'transaction:create' | 'transaction:update' | 'webhook:read' | 'webhook:create' | 'webhook:remove' | 'file:create' | 'template:read' | (string & {}))[];
  /** An email address. */
  user?: string;
  client_id?: string;
  /** Default: "token". */
  kind?: 'token' | 'code' | (string & {});
  code_challenge?: string;
  /** In seconds. 1 to 31536000. */
  expires_in?: number;
}

export interface SandboxTokenResponse {
  client_id?: string | null;
  scopes: string[];
  access_token?: string | null;
  refresh_token?: string | null;
  /** In seconds. */
  expires_in: number;
  code?: string | null;
}

export interface SandboxVerifyUserRequest {
  /** An email address. */
  email: string;
}

export interface SandboxVerifyUserResponse {
  id: string;
  email: string;
  verified_at: Instant;
}

export interface SealedDocument {
  id: string;
  name: string;
  /** In hexadecimal. */
  sha256?: string | null;
  created_at?: Instant | null;
  document?: SealedDocumentDocument | null;
  /** The URL of the file, valid for one hour. URL of the sealed PDF, valid for one hour. */
  presigned_url?: string | null;
}

export interface SealedDocumentDocument {
  id?: string | null;
  name?: string | null;
}

export interface SigningRejectRequest {
  /** 1 to 2000 characters. */
  reason: string;
}

export interface SigningRejectResponse {
  status?: 'draft' | 'started' | 'completed' | 'expired' | 'rejected' | (string & {}) | null;
  rejected_at?: Instant | null;
}

export interface SigningSubmitRequest {
  /** Default: []. At most 2000 entries. */
  values?: FieldValue[];
}

export interface SigningSubmitResponse {
  status?: 'draft' | 'started' | 'completed' | 'expired' | 'rejected' | (string & {}) | null;
  submitted_at?: Instant | null;
}

export interface SigningViewResponse {
  transaction?: SigningViewResponseTransaction | null;
  sender?: SigningViewResponseSender | null;
  recipient?: SigningViewResponseRecipient | null;
  documents?: SigningViewResponseDocument[] | null;
  fields?: SigningViewResponseField[] | null;
}

export interface SigningViewResponseDocument {
  id?: string | null;
  name?: string | null;
  pages?: SigningViewResponseDocumentPage[] | null;
}

export interface SigningViewResponseDocumentPage {
  id?: string | null;
  /** In points (1/72 inch). */
  width?: number | null;
  /** In points (1/72 inch). */
  height?: number | null;
  picture?: string | null;
}

export interface SigningViewResponseField {
  id?: string | null;
  document_id?: string | null;
  page?: number | null;
  /** In points (1/72 inch). */
  width?: number | null;
  /** In points (1/72 inch). */
  height?: number | null;
  /** From the left edge of the page as it is displayed, in points (1/72 inch). */
  positionX?: number | null;
  /** From the top edge of the page as it is displayed, in points (1/72 inch). */
  positionY?: number | null;
  type?: 'text' | 'signature' | 'person_name' | 'email' | 'initials' | 'date' | 'number' | 'checkbox' | 'select' | 'radio' | (string & {}) | null;
  label?: string | null;
  /** A hint for the recipient. */
  helper_text?: string | null;
  is_required?: boolean | null;
  min_length?: number | null;
  max_length?: number | null;
  min_value?: number | null;
  max_value?: number | null;
  /** A pattern (RE2) that the value must match. */
  regex?: string | null;
  /** What can be chosen from. */
  options?: string[] | null;
  value?: string | null;
  readonly?: boolean | null;
  date_format?: 'YYYY-MM-DD' | 'DD.MM.YYYY' | 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'D MMMM YYYY' | 'MMMM D, YYYY' | (string & {}) | null;
}

export interface SigningViewResponseRecipient {
  id?: string | null;
  name?: string | null;
  email?: string | null;
  role?: 'sender' | 'signer' | 'proxy' | (string & {}) | null;
}

export interface SigningViewResponseSender {
  name?: string | null;
}

export interface SigningViewResponseTransaction {
  id?: string | null;
  name?: string | null;
  description?: string | null;
  expires_at?: Instant | null;
}

export interface StoredFile {
  id?: string | null;
  original_name?: string | null;
  stored_name?: string | null;
}

export interface Template {
  id?: string | null;
  name?: string | null;
  description?: string | null;
  created_by_id?: string | null;
  edit_navigation?: boolean | null;
  reusable?: boolean | null;
  /** The name of the sender in emails. */
  email_alias?: string | null;
  email_subject?: string | null;
  email_body?: string | null;
  created_at?: Instant | null;
  updated_at?: Instant | null;
  company_id?: string | null;
  fields?: Field[] | null;
  recipients?: Recipient[] | null;
  documents?: Document[] | null;
}

export interface TemplateDetailResponse {
  id: string;
  name: string;
  description?: string | null;
  /** All recipients in signing order, including those without fields. */
  recipients?: TemplateDetailResponseRecipient[] | null;
  fields?: TemplateDetailResponseField[] | null;
}

export interface TemplateDetailResponseField {
  id?: string | null;
  label?: string | null;
  type?: 'text' | 'signature' | 'person_name' | 'email' | 'initials' | 'date' | 'number' | 'checkbox' | 'select' | 'radio' | (string & {}) | null;
  recipient?: TemplateDetailResponseFieldRecipient | null;
}

export interface TemplateDetailResponseFieldRecipient {
  id?: string | null;
  name?: string | null;
  email?: string | null;
  role?: 'sender' | 'signer' | 'proxy' | (string & {}) | null;
}

export interface TemplateDetailResponseRecipient {
  id?: string | null;
  name?: string | null;
  email?: string | null;
  role?: 'sender' | 'signer' | 'proxy' | (string & {}) | null;
  /** The place in the order, from 0. */
  index?: number | null;
}

export interface TemplateListResponseItem {
  id: string;
  name?: string | null;
}

export interface Transaction {
  id: string;
  template_id?: string | null;
  created_at?: Instant | null;
  updated_at?: Instant | null;
  created_by_id?: string | null;
  sender_id?: string | null;
  provider_type?: string | null;
  provider_id?: string | null;
  is_provider_ready?: boolean | null;
  /** How many days after its start the transaction expires. */
  expiration_days?: number | null;
  rejected_reason?: string | null;
  rejected_at?: Instant | null;
  rejected_by_id?: string | null;
  completed_at?: Instant | null;
  sent_at?: Instant | null;
  expires_at?: Instant | null;
  expired_at?: Instant | null;
  status: 'draft' | 'started' | 'completed' | 'expired' | 'rejected' | (string & {});
  company_id?: string | null;
  is_sealed?: boolean | null;
  is_archived?: boolean | null;
  /** When the transaction was cancelled. The status of a cancelled transaction is `expired`. */
  cancelled_at?: Instant | null;
  /** Why the transaction was cancelled. */
  cancelled_reason?: string | null;
  /** When the last signature was refused because the documents could not be sealed. Null once they are sealed. */
  sealing_failed_at?: Instant | null;
  /** Why the documents could not be sealed. */
  sealing_failed_reason?: string | null;
  /** The sealed documents. Empty until the transaction is completed. */
  sealed_documents?: SealedDocument[] | null;
  template?: Template | null;
}

export interface TransactionAddDocumentRequest {
  /** The token of an uploaded file. 1 to 512 characters. */
  token: string;
  /** What the program of the sender did to the file before the upload. It is recorded in the evidence as a statement of the sender. */
  preparation?: PreparationInput;
}

export interface TransactionAddDocumentResponse {
  id: string;
  /** The ID of the new document. `id` is that of the transaction. */
  document_id?: string | null;
}

export interface TransactionCancelRequest {
  /** 1 to 2000 characters. */
  cancelled_reason: string;
}

export interface TransactionCancelResponse {
  cancelled?: boolean | null;
}

export interface TransactionCancelledData {
  id?: string | null;
  status?: 'expired' | null;
  cancelled_reason?: string | null;
  cancelled_at?: Instant | null;
}

export interface TransactionCancelledEvent {
  created: Instant;
  id: string;
  type: 'transaction_cancelled';
  data: TransactionCancelledData;
}

export interface TransactionCompletedData {
  id?: string | null;
  status?: 'completed' | null;
  recipients?: TransactionCompletedDataRecipient[] | null;
  sealed_documents?: TransactionCompletedDataSealedDocument[] | null;
}

export interface TransactionCompletedDataRecipient {
  email?: string | null;
  id?: string | null;
  name?: string | null;
  role?: string | null;
  submitted_at?: Instant | null;
}

export interface TransactionCompletedDataSealedDocument {
  created_at?: Instant | null;
  id?: string | null;
  name?: string | null;
  /** In hexadecimal. SHA-256 of the sealed PDF, in hexadecimal. */
  sha256?: string | null;
  document?: TransactionCompletedDataSealedDocumentDocument | null;
}

export interface TransactionCompletedDataSealedDocumentDocument {
  id?: string | null;
  name?: string | null;
}

export interface TransactionCompletedEvent {
  created: Instant;
  id: string;
  type: 'transaction_completed';
  data: TransactionCompletedData;
}

export interface TransactionCreateRequest {
  /** 1 to 255 characters. */
  name?: string;
  /** A URL that receives the events of this transaction. 1 to 255 characters. A URL. */
  notification_endpoint?: string | null;
}

export interface TransactionCreateResponse {
  id: string;
}

export interface TransactionCreatedData {
  id?: string | null;
  status?: 'draft' | null;
  created_by?: TransactionCreatedDataCreatedBy | null;
}

export interface TransactionCreatedDataCreatedBy {
  email?: string | null;
  id?: string | null;
}

export interface TransactionCreatedEvent {
  created: Instant;
  id: string;
  type: 'transaction_created';
  data: TransactionCreatedData;
}

export interface TransactionExpiredData {
  id?: string | null;
  status?: 'expired' | null;
  /** How many days after its start the transaction expires. */
  expiration_days?: number | null;
  expired_at?: Instant | null;
}

export interface TransactionExpiredEvent {
  created: Instant;
  id: string;
  type: 'transaction_expired';
  data: TransactionExpiredData;
}

export interface TransactionFieldsRequest {
  /** At most 2000 entries. */
  fields: FieldInput[];
}

export interface TransactionFieldsResponse {
  updated?: boolean | null;
}

export interface TransactionRejectedData {
  id?: string | null;
  status?: 'rejected' | null;
  rejected_by?: TransactionRejectedDataRejectedBy | null;
}

export interface TransactionRejectedDataRejectedBy {
  email?: string | null;
  id?: string | null;
  name?: string | null;
  role?: string | null;
}

export interface TransactionRejectedEvent {
  created: Instant;
  id: string;
  type: 'transaction_rejected';
  data: TransactionRejectedData;
}

export interface TransactionRemindResponse {
  reminded?: boolean | null;
  recipient?: TransactionRemindResponseRecipient | null;
}

export interface TransactionRemindResponseRecipient {
  id?: string | null;
  name?: string | null;
  email?: string | null;
}

export interface TransactionStartResponse {
  /** The signing address of the first recipient. */
  url: string;
}

export interface TransactionStartedData {
  id?: string | null;
  status?: 'started' | null;
  started_by?: TransactionStartedDataStartedBy | null;
}

export interface TransactionStartedDataStartedBy {
  email?: string | null;
  id?: string | null;
}

export interface TransactionStartedEvent {
  created: Instant;
  id: string;
  type: 'transaction_started';
  data: TransactionStartedData;
}

export interface TransactionUpdateRequest {
  edit_navigation?: boolean | null;
  /** 1 to 50 entries. */
  documents: DocumentInput[];
  /** The name of the sender in emails. At most 255 characters. */
  email_alias?: string | null;
  /** 1 to 255 characters. */
  name: string;
  /** At most 10000 characters. */
  description?: string;
  /** At most 10000 characters. */
  email_body?: string | null;
  /** At most 10000 characters. */
  email_subject?: string | null;
  /** How many days after its start the transaction expires. 1 to 3650. */
  expiration_days?: number | null;
  /** 1 to 100 entries. */
  recipients: RecipientInput[];
  /** At most 2000 entries. */
  fields?: FieldInput[];
}

export interface TransactionUpdateResponse {
  id?: string | null;
}

export interface TransactionUseTemplatesRequest {
  /** 1 to 20 entries. */
  templates: TransactionUseTemplatesRequestTemplate[];
}

export interface TransactionUseTemplatesRequestTemplate {
  id: string;
}

export interface User {
  id: string;
  name: string;
  email: string;
  company: string;
  created_at: Instant;
  verified_at?: Instant | null;
}

export interface UserMeResponse {
  id?: string | null;
  name?: string | null;
  email: string;
  company?: UserMeResponseCompany | null;
}

export interface UserMeResponseCompany {
  id?: string | null;
  name?: string | null;
}

export interface Webhook {
  id: string;
  name?: string | null;
  endpoint?: string | null;
  events?: ('transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled' | (string & {}))[] | null;
  enabled?: boolean | null;
  created_at?: Instant | null;
  rotated_at?: Instant | null;
  disabled_at?: Instant | null;
  disabled_reason?: string | null;
  deliveries?: WebhookDeliveries | null;
  /** The share of the last attempts that succeeded, from 0 to 1. */
  success_rate?: number | null;
  last_attempts?: WebhookLastAttempt[] | null;
}

export interface WebhookCreateRequest {
  /** 1 to 255 characters. */
  name: string;
  /** 1 to 2048 characters. A URL. */
  endpoint: string;
  /** 1 to 7 entries. */
  events: ('transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled' | (string & {}))[];
}

export interface WebhookCreateResponse {
  id: string;
  /** What deliveries are signed with (Standard Webhooks). Shown only once. */
  secret?: string | null;
}

export interface WebhookDeleteResponse {
  removed?: boolean | null;
}

export interface WebhookDeliveries {
  waiting?: number | null;
  delivered?: number | null;
  /** Only events that a receiver has not received. */
  undelivered?: number | null;
}

export interface WebhookLastAttempt {
  at?: Instant | null;
  ok?: boolean | null;
  status?: number | null;
  why?: string | null;
  answer?: string | null;
  /** In milliseconds. */
  duration_ms?: number | null;
  next_at?: Instant | null;
  event?: WebhookLastAttemptEvent | null;
}

export interface WebhookLastAttemptEvent {
  id?: string | null;
  type?: 'transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled' | (string & {}) | null;
}

export interface WebhookListResponseItem {
  id: string;
  name?: string | null;
  /** The URL that events are sent to. */
  endpoint?: string | null;
  events?: ('transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled' | (string & {}))[] | null;
  enabled?: boolean | null;
}

export interface WebhookPingResponse {
  id?: string | null;
  endpoint?: string | null;
  ok: boolean;
  status?: number | null;
  why?: string | null;
  answer?: string | null;
  /** In milliseconds. */
  duration_ms?: number | null;
}

export interface WebhookRotateResponse {
  id?: string | null;
  secret: string;
  previous_valid_until?: Instant | null;
}
