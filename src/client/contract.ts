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
  | 'document_not_as_shown'
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
  | 'program_replaced'
  | 'storage_damaged'
  | 'storage_unusable'
  | 'storage_unavailable'
  | 'storage_full';

/** The ID of an operation that can have a fault. */
export type FaultedOperation =
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

/**
 * The service that a client is for: `esign` is the sandbox or a team server of this version; `other` is another service with this API, which may
 * leave out what the client does not need. It changes the types only: whatever the service, the client checks what it needs.
 */
export type ServiceKind = 'esign' | 'other';

/** A value that esign always sends, and another service may leave out. */
export type Sent<S extends ServiceKind, T> = S extends 'other' ? T | null | undefined : T;

/** A name of a set, of which another service may know more. */
export type Open<S extends ServiceKind, T extends string> = S extends 'other' ? T | (string & {}) : T;

/** A client: one method for each operation of the service. */
export interface Client<S extends ServiceKind = 'esign'> {
  /** From a draft to its end. */
  readonly transactions: TransactionsMethods<S>;
  /** Files to use as documents. */
  readonly files: FilesMethods<S>;
  /** Reusable content. */
  readonly templates: TemplatesMethods<S>;
  /** URLs that events are sent to. */
  readonly webhooks: WebhooksMethods<S>;
  /** What happened, and where it was delivered. */
  readonly events: EventsMethods<S>;
  /** Tokens for OAuth applications. */
  readonly oauth: OauthMethods<S>;
  /** The user of the access token. */
  readonly users: UsersMethods<S>;
  /** What a recipient does, with the token of the signing URL. */
  readonly signing: SigningMethods<S>;
  /** Operations that only the esign sandbox has. */
  readonly sandbox: SandboxMethods<S>;
}

/** One page of a list. */
export type ListPage<Item, S extends ServiceKind = 'esign'> = {
  items: Item[];
  meta: Sent<S, Pagination<S>>;
};

/**
 * A list that comes in pages. `await` returns the first page (or the page that was asked for); `for await` goes through the items
 * of this page and of all that follow, and requests each page when it is needed. Nothing is sent before.
 */
export interface Pages<Item, S extends ServiceKind = 'esign'>
  extends PromiseLike<ListPage<Item, S>>,
    AsyncIterable<Item> {}

/** From a draft to its end. */
export interface TransactionsMethods<S extends ServiceKind = 'esign'> {
  /**
   * Create a transaction as a draft.
   * Scope: `transaction:create`.
   * Honors an idempotency key.
   */
  create(input?: TransactionCreateRequest, options?: CallOptions): Promise<TransactionCreateResponse<S>>;
  /**
   * Set name, texts, documents and recipients of a draft.
   * Scope: `transaction:update`.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_draft`, `sender_email_mismatch`
   */
  update(transactionId: string, input: TransactionUpdateRequest, options?: CallOptions): Promise<TransactionUpdateResponse<S>>;
  /**
   * Attach an uploaded file to a draft as a document.
   * Scope: `transaction:update`.
   * Honors an idempotency key.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_draft`, `file_token_unknown`
   */
  addDocument(transactionId: string, input: TransactionAddDocumentRequest, options?: CallOptions): Promise<TransactionAddDocumentResponse<S>>;
  /**
   * Set the fields that the recipients of a draft fill in.
   * Scope: `transaction:update`.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_draft`
   */
  setFields(transactionId: string, input: TransactionFieldsRequest, options?: CallOptions): Promise<TransactionFieldsResponse<S>>;
  /**
   * Start a draft and ask the first recipient to sign.
   * Scope: `transaction:update`.
   * Sent once: not repeated when its response is lost, unless there is an idempotency key.
   * Honors an idempotency key.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_draft`, `transaction_incomplete`, `document_not_drawable`, `document_not_sealable`, `document_not_as_shown`, `documents_not_checked`, `documents_busy`
   */
  start(transactionId: string, options?: CallOptions): Promise<TransactionStartResponse<S>>;
  /**
   * Get a transaction.
   * Scope: `transaction:read`.
   * @throws {EsignError} `transaction_not_found`
   */
  get(transactionId: string, options?: CallOptions): Promise<Transaction<S>>;
  /**
   * Add the documents, recipients and fields of templates to a draft.
   * Scope: `transaction:update`.
   * Honors an idempotency key.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_draft`, `template_not_found`
   */
  useTemplates(transactionId: string, input: TransactionUseTemplatesRequest, options?: CallOptions): Promise<Transaction<S>>;
  /**
   * Cancel a started transaction.
   * Scope: `transaction:update`.
   * Sent once: not repeated when its response is lost.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_started`
   */
  cancel(transactionId: string, input: TransactionCancelRequest, options?: CallOptions): Promise<TransactionCancelResponse<S>>;
  /**
   * Remind the current recipient by email.
   * Scope: `transaction:update`.
   * Sent once: not repeated when its response is lost, unless there is an idempotency key.
   * Honors an idempotency key.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_started`, `reminded_recently`
   */
  remind(transactionId: string, options?: CallOptions): Promise<TransactionRemindResponse<S>>;
}

/** Files to use as documents. */
export interface FilesMethods<S extends ServiceKind = 'esign'> {
  /**
   * Upload a file and get a token for it.
   * Scope: `file:create`.
   * Honors an idempotency key.
   * @throws {EsignError} `file_missing`, `file_empty`, `file_too_large`, `file_type_not_accepted`, `document_encrypted`, `document_unreadable`, `document_too_long`, `document_too_complex`, `documents_busy`
   */
  upload(file: FileContent, input?: { name?: string }, options?: CallOptions): Promise<FileUploadResponse<S>>;
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
export interface TemplatesMethods<S extends ServiceKind = 'esign'> {
  /**
   * Get a template and its fields.
   * Scope: `template:read`.
   * @throws {EsignError} `template_not_found`
   */
  get(templateId: string, options?: CallOptions): Promise<TemplateDetailResponse<S>>;
  /**
   * List templates, newest first.
   * Scope: `template:read`.
   */
  list(input?: TemplateListQuery, options?: CallOptions): Pages<TemplateListResponseItem<S>, S>;
}

/** URLs that events are sent to. */
export interface WebhooksMethods<S extends ServiceKind = 'esign'> {
  /**
   * Create a webhook that sends events to a URL.
   * Scope: `webhook:create`.
   * Honors an idempotency key.
   */
  create(input: WebhookCreateRequest, options?: CallOptions): Promise<WebhookCreateResponse<S>>;
  /**
   * List the webhooks of the company, newest first.
   * Scope: `webhook:read`.
   */
  list(input?: WebhookListQuery, options?: CallOptions): Pages<WebhookListResponseItem<S>, S>;
  /**
   * Delete a webhook.
   * Scope: `webhook:remove`.
   * @throws {EsignError} `webhook_not_found`
   */
  delete(webhookId: string, options?: CallOptions): Promise<WebhookDeleteResponse<S>>;
  /**
   * Get a webhook and its last delivery attempts.
   * Scope: `webhook:read`.
   * @throws {EsignError} `webhook_not_found`
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook<S>>;
  /**
   * Enable a webhook.
   * Scope: `webhook:create`.
   * @throws {EsignError} `webhook_not_found`
   */
  enable(webhookId: string, options?: CallOptions): Promise<Webhook<S>>;
  /**
   * Disable a webhook; waiting deliveries become undelivered.
   * Scope: `webhook:create`.
   * @throws {EsignError} `webhook_not_found`
   */
  disable(webhookId: string, options?: CallOptions): Promise<Webhook<S>>;
  /**
   * Replace the secret of a webhook; for one day both secrets sign.
   * Scope: `webhook:create`.
   * Honors an idempotency key.
   * @throws {EsignError} `webhook_not_found`
   */
  rotate(webhookId: string, options?: CallOptions): Promise<WebhookRotateResponse<S>>;
  /**
   * Send one signed event of type ping to a webhook and return its response.
   * Scope: `webhook:create`.
   * @throws {EsignError} `webhook_not_found`
   */
  ping(webhookId: string, options?: CallOptions): Promise<WebhookPingResponse<S>>;
}

/** What happened, and where it was delivered. */
export interface EventsMethods<S extends ServiceKind = 'esign'> {
  /**
   * List the events of the company, newest first.
   * Scope: `transaction:read`.
   * @throws {EsignError} `event_not_found`
   */
  list(input?: EventListQuery, options?: CallOptions): Pages<EventListItem<S>, S>;
  /**
   * Get an event with every attempt to deliver it.
   * Scope: `transaction:read`.
   * @throws {EsignError} `event_not_found`
   */
  get(eventId: string, options?: CallOptions): Promise<EventDetail<S>>;
  /**
   * Send events again, with the same IDs and bytes.
   * Scope: `webhook:create`.
   * Honors an idempotency key.
   * @throws {EsignError} `event_not_found`, `transaction_not_found`, `webhook_not_found`, `too_many_events`
   */
  replay(input?: EventReplayRequest, options?: CallOptions): Promise<EventReplayResponse<S>>;
}

/** Tokens for OAuth applications. */
export interface OauthMethods<S extends ServiceKind = 'esign'> {
  /**
   * Exchange an authorization code for tokens.
   * @throws {EsignError} `invalid_client`, `invalid_grant`
   */
  exchangeCode(input: OauthExchangeCodeRequest, options?: CallOptions): Promise<OauthExchangeCodeResponse<S>>;
  /**
   * Get a new access token.
   * @throws {EsignError} `invalid_client`, `invalid_grant`
   */
  refreshToken(input: OauthRefreshTokenRequest, options?: CallOptions): Promise<OauthRefreshTokenResponse<S>>;
}

/** The user of the access token. */
export interface UsersMethods<S extends ServiceKind = 'esign'> {
  /**
   * Get the user that the access token belongs to; any scope will do.
   */
  me(options?: CallOptions): Promise<UserMeResponse<S>>;
}

/** What a recipient does, with the token of the signing URL. */
export interface SigningMethods<S extends ServiceKind = 'esign'> {
  /**
   * Get what the current recipient sees.
   * @throws {EsignError} `signing_link_invalid`
   */
  view(input: SigningViewQuery, options?: CallOptions): Promise<SigningViewResponse<S>>;
  /**
   * Get the image of a page (PNG).
   * @throws {EsignError} `signing_link_invalid`, `file_not_found`, `document_too_complex`, `documents_busy`
   */
  page(pageId: string, input: SigningPageQuery, options?: CallOptions): Promise<Response>;
  /**
   * Submit the values and sign.
   * @throws {EsignError} `signing_link_invalid`, `transaction_changed`, `submission_under_way`, `document_not_sealable`, `document_not_as_shown`, `document_too_complex`, `documents_busy`, `sealing_unavailable`, `sealing_failed`
   */
  submit(input: SigningSubmitQuery & SigningSubmitRequest, options?: CallOptions): Promise<SigningSubmitResponse<S>>;
  /**
   * Reject the transaction with a reason.
   * @throws {EsignError} `signing_link_invalid`
   */
  reject(input: SigningRejectQuery & SigningRejectRequest, options?: CallOptions): Promise<SigningRejectResponse<S>>;
}

/** Operations that only the esign sandbox has. */
export interface SandboxMethods<S extends ServiceKind = 'esign'> {
  /**
   * Count what the sandbox contains.
   * Needs the control secret of the sandbox.
   */
  status(options?: CallOptions): Promise<SandboxStatusResponse<S>>;
  /**
   * Get the root certificate of the certificate authority that documents are sealed with.
   * Needs the control secret of the sandbox.
   */
  authority(options?: CallOptions): Promise<SandboxAuthorityResponse<S>>;
  /**
   * Issue a certificate for a server on this machine; its key is shown only once.
   * Needs the control secret of the sandbox.
   */
  issueCertificate(input: SandboxIssueCertificateRequest, options?: CallOptions): Promise<SandboxIssueCertificateResponse<S>>;
  /**
   * Delete all data; the URL, keys and default user are kept.
   * Needs the control secret of the sandbox.
   */
  reset(options?: CallOptions): Promise<SandboxResetResponse<S>>;
  /**
   * List the events in the order in which they happened.
   * Needs the control secret of the sandbox.
   */
  listEvents(input?: SandboxEventsQuery, options?: CallOptions): Promise<SandboxEventsResponse<S>>;
  /**
   * Show the time by the clock of the sandbox.
   * Needs the control secret of the sandbox.
   */
  getClock(options?: CallOptions): Promise<SandboxClockResponse<S>>;
  /**
   * Set the clock of the sandbox, forward or back.
   * Needs the control secret of the sandbox.
   */
  setClock(input: SandboxSetClockRequest, options?: CallOptions): Promise<SandboxSetClockResponse<S>>;
  /**
   * Move the clock of the sandbox forward, and do all that becomes due on the way.
   * Needs the control secret of the sandbox.
   * Sent once: not repeated when its response is lost.
   */
  advanceClock(input?: SandboxAdvanceClockRequest, options?: CallOptions): Promise<SandboxAdvanceClockResponse<S>>;
  /**
   * Stop the clock of the sandbox.
   * Needs the control secret of the sandbox.
   */
  pauseClock(input?: SandboxPauseClockRequest, options?: CallOptions): Promise<SandboxPauseClockResponse<S>>;
  /**
   * Let the clock of the sandbox run on from where it is.
   * Needs the control secret of the sandbox.
   */
  resumeClock(options?: CallOptions): Promise<SandboxResumeClockResponse<S>>;
  /**
   * Set the clock of the sandbox to the time of the machine again.
   * Needs the control secret of the sandbox.
   */
  resetClock(options?: CallOptions): Promise<SandboxResetClockResponse<S>>;
  /**
   * List the faults of the sandbox, with how often each was met.
   * Needs the control secret of the sandbox.
   */
  listFaults(options?: CallOptions): Promise<SandboxListFaultsResponse<S>>;
  /**
   * Make requests, emails, seals or events of the sandbox fail on purpose.
   * Needs the control secret of the sandbox.
   */
  addFault(input: SandboxAddFaultRequest, options?: CallOptions): Promise<SandboxAddFaultResponse<S>>;
  /**
   * Remove all faults of the sandbox.
   * Needs the control secret of the sandbox.
   */
  clearFaults(options?: CallOptions): Promise<SandboxClearFaultsResponse<S>>;
  /**
   * List the snapshots of the sandbox.
   * Needs the control secret of the sandbox.
   */
  listSnapshots(options?: CallOptions): Promise<SandboxListSnapshotsResponse<S>>;
  /**
   * Save the state of the sandbox; a snapshot with this name is replaced.
   * Needs the control secret of the sandbox.
   */
  saveSnapshot(name: string, options?: CallOptions): Promise<SandboxSaveSnapshotResponse<S>>;
  /**
   * Put the sandbox back into a saved state, with its clock.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `snapshot_not_found`
   */
  restoreSnapshot(name: string, options?: CallOptions): Promise<SandboxRestoreSnapshotResponse<S>>;
  /**
   * Delete a snapshot.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `snapshot_not_found`
   */
  deleteSnapshot(name: string, options?: CallOptions): Promise<SandboxDeleteSnapshotResponse<S>>;
  /**
   * List the emails to recipients, newest first.
   * Needs the control secret of the sandbox.
   */
  listMail(input?: SandboxMailQuery, options?: CallOptions): Promise<SandboxMailResponse<S>>;
  /**
   * Show an email with its HTML and its attachments.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `mail_not_found`
   */
  getMail(mailId: string, options?: CallOptions): Promise<SandboxMailDetailResponse<S>>;
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
  listTransactions(input?: SandboxListTransactionsQuery, options?: CallOptions): Promise<SandboxListTransactionsResponse<S>>;
  /**
   * Sign as the current recipient.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_started`, `not_your_turn`, `transaction_changed`, `submission_under_way`, `document_not_sealable`, `document_not_as_shown`, `document_too_complex`, `documents_busy`, `sealing_unavailable`, `sealing_failed`
   */
  sign(transactionId: string, input?: SandboxSignRequest, options?: CallOptions): Promise<SandboxSignResponse<S>>;
  /**
   * Reject as the current recipient.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_started`, `not_your_turn`
   */
  reject(transactionId: string, input: SandboxRejectRequest, options?: CallOptions): Promise<SandboxRejectResponse<S>>;
  /**
   * Make a started transaction expire now.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `transaction_not_found`, `transaction_not_started`
   */
  expire(transactionId: string, options?: CallOptions): Promise<SandboxExpireResponse<S>>;
  /**
   * Save the content of a transaction as a reusable template.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `transaction_not_found`
   */
  saveTemplate(transactionId: string, input: SandboxSaveTemplateRequest, options?: CallOptions): Promise<SandboxSaveTemplateResponse<S>>;
  /**
   * Add a user to the company with the given name.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `user_exists`
   */
  addUser(input: SandboxAddUserRequest, options?: CallOptions): Promise<User<S>>;
  /**
   * List the users.
   * Needs the control secret of the sandbox.
   */
  listUsers(options?: CallOptions): Promise<SandboxListUsersResponse<S>>;
  /**
   * Verify a user who registered, so that email in their name is sent.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `user_not_found`
   */
  verifyUser(input: SandboxVerifyUserRequest, options?: CallOptions): Promise<SandboxVerifyUserResponse<S>>;
  /**
   * Set the dashboard password of a user; existing sessions are ended.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `user_not_found`
   */
  setPassword(input?: SandboxSetPasswordRequest, options?: CallOptions): Promise<SandboxSetPasswordResponse<S>>;
  /**
   * Create a link to the dashboard that signs in once, from this machine, within two minutes.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `mail_not_found`, `transaction_not_found`, `transaction_not_draft`
   */
  signInLink(input?: SandboxSignInLinkRequest, options?: CallOptions): Promise<SandboxSignInLinkResponse<S>>;
  /**
   * Register an OAuth application; its secret is shown only once.
   * Needs the control secret of the sandbox.
   */
  addClient(input: SandboxAddClientRequest, options?: CallOptions): Promise<SandboxAddClientResponse<S>>;
  /**
   * List the OAuth applications.
   * Needs the control secret of the sandbox.
   */
  listClients(options?: CallOptions): Promise<SandboxListClientsResponse<S>>;
  /**
   * Delete an OAuth application and everything issued to it.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `client_not_found`, `client_is_own`
   */
  deleteClient(clientId: string, options?: CallOptions): Promise<SandboxDeleteClientResponse<S>>;
  /**
   * Replace the secret that notifications are signed with; for one day both secrets sign.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `client_not_found`
   */
  rotateNotificationSecret(clientId: string, options?: CallOptions): Promise<SandboxRotateNotificationSecretResponse<S>>;
  /**
   * Issue an access token or a code without a browser.
   * Needs the control secret of the sandbox.
   * @throws {EsignError} `user_not_found`, `client_not_found`
   */
  token(input?: SandboxTokenRequest, options?: CallOptions): Promise<SandboxTokenResponse<S>>;
}

/** What a webhook or a notification endpoint receives. */
export type WebhookEvent<S extends ServiceKind = 'esign'> = Event<S> | PingEvent<S>;

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
  type?: 'transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled';
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

export interface Attempt<S extends ServiceKind = 'esign'> {
  at: Sent<S, Instant>;
  ok: Sent<S, boolean>;
  status: Sent<S, number | null>;
  why: Sent<S, string | null>;
  answer: Sent<S, string>;
  /** In milliseconds. */
  duration_ms: Sent<S, number>;
  next_at: Sent<S, Instant | null>;
}

export interface Delivery<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  kind: Sent<S, Open<S, 'webhook' | 'notification'>>;
  webhook_id: Sent<S, string | null>;
  endpoint: Sent<S, string | null>;
  state: Sent<S, Open<S, 'waiting' | 'delivered' | 'undelivered'>>;
  reason: Sent<S, string | null>;
  created: Sent<S, Instant>;
  next_at: Sent<S, Instant | null>;
  attempts: Sent<S, Attempt<S>[]>;
}

export interface DeliveryCounts<S extends ServiceKind = 'esign'> {
  delivered: Sent<S, number>;
  waiting: Sent<S, number>;
  /** Only events that a receiver has not received. */
  undelivered: Sent<S, number>;
}

export interface Document<S extends ServiceKind = 'esign'> {
  id: string;
  /** The place in the order, from 0. */
  index: Sent<S, number>;
  status: Sent<S, 'processed'>;
  file: Sent<S, StoredFile<S>>;
  pages: Sent<S, Page<S>[]>;
  /** What could not be kept or displayed. */
  remarks: Sent<S, Remark<S>[]>;
  /** What the sender stated about the original of the file. Absent where nothing was stated. */
  preparation?: Sent<S, Preparation<S>>;
}

export interface DocumentInput {
  id: string;
  /** The place in the order, from 0. 0 to 49. */
  index: number;
  isLoading?: boolean;
}

export type Event<S extends ServiceKind = 'esign'> = TransactionCompletedEvent<S> | TransactionCreatedEvent<S> | TransactionStartedEvent<S> | TransactionExpiredEvent<S> | TransactionRejectedEvent<S> | RecipientSubmittedEvent<S> | TransactionCancelledEvent<S>;

export interface EventDeliveries<S extends ServiceKind = 'esign'> {
  deliveries: Sent<S, Delivery<S>[]>;
}

export interface EventDeliveryCounts<S extends ServiceKind = 'esign'> {
  deliveries: Sent<S, DeliveryCounts<S>>;
}

export type EventDetail<S extends ServiceKind = 'esign'> = TransactionCompletedEvent<S> & EventDeliveries<S> | TransactionCreatedEvent<S> & EventDeliveries<S> | TransactionStartedEvent<S> & EventDeliveries<S> | TransactionExpiredEvent<S> & EventDeliveries<S> | TransactionRejectedEvent<S> & EventDeliveries<S> | RecipientSubmittedEvent<S> & EventDeliveries<S> | TransactionCancelledEvent<S> & EventDeliveries<S>;

export type EventListItem<S extends ServiceKind = 'esign'> = TransactionCompletedEvent<S> & EventDeliveryCounts<S> | TransactionCreatedEvent<S> & EventDeliveryCounts<S> | TransactionStartedEvent<S> & EventDeliveryCounts<S> | TransactionExpiredEvent<S> & EventDeliveryCounts<S> | TransactionRejectedEvent<S> & EventDeliveryCounts<S> | RecipientSubmittedEvent<S> & EventDeliveryCounts<S> | TransactionCancelledEvent<S> & EventDeliveryCounts<S>;

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

export interface EventReplayResponse<S extends ServiceKind = 'esign'> {
  events: Sent<S, number>;
  deliveries: number;
}

export interface Field<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  document_id: Sent<S, string>;
  recipient_id: Sent<S, string>;
  /** The page that the field is on, from 0. */
  page: Sent<S, number>;
  /** In points (1/72 inch). */
  width: Sent<S, number>;
  /** In points (1/72 inch). */
  height: Sent<S, number>;
  /** From the left edge of the page as it is displayed, in points (1/72 inch). */
  positionX: Sent<S, number>;
  /** From the top edge of the page as it is displayed, in points (1/72 inch). */
  positionY: Sent<S, number>;
  type: Open<S, 'text' | 'signature' | 'person_name' | 'email' | 'initials' | 'date' | 'number' | 'checkbox' | 'select' | 'radio'>;
  label: Sent<S, string>;
  is_required: Sent<S, boolean>;
  bold: Sent<S, boolean>;
  italic: Sent<S, boolean>;
  underline: Sent<S, boolean>;
  font_family: Sent<S, string>;
  font_size: Sent<S, number>;
  font_color: Sent<S, string>;
  /** A hint for the recipient. */
  helper_text: Sent<S, string>;
  template_id: Sent<S, string>;
  max_length: Sent<S, number | null>;
  min_length: Sent<S, number | null>;
  max_value: Sent<S, number | null>;
  min_value: Sent<S, number | null>;
  /** A pattern (RE2) that the value must match. */
  regex: Sent<S, string | null>;
  /** What can be chosen from. */
  options: Sent<S, string[]>;
  /** What the sender has filled in, or "today" for the date of signing. Absent where nothing is. */
  value?: Sent<S, string>;
  /** The recipient cannot change the value. Absent where the sender has filled in nothing. */
  readonly?: Sent<S, boolean>;
  /** How the date is written into the document. Absent for YYYY-MM-DD. */
  date_format?: Sent<S, Open<S, 'YYYY-MM-DD' | 'DD.MM.YYYY' | 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'D MMMM YYYY' | 'MMMM D, YYYY' | 'D. MMMM YYYY' | 'D de MMMM de YYYY'>>;
  /** The language of the names of months. Absent for English. */
  date_language?: Sent<S, Open<S, 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl' | 'pl'>>;
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
  /** What the sender fills in. The recipient can change it, unless the field is read-only. The value "today" of a date is the date of signing in the time zone of the recipient (UTC where it is not known), which the service fills in; the field is read-only. Default: null. */
  value?: string | boolean | number | null;
  /** The recipient cannot change the value, which the sender has filled in. Default: false. */
  readonly?: boolean;
  /** For a date: how it is written into the document. The value is YYYY-MM-DD whatever the form. Default: "YYYY-MM-DD". */
  date_format?: 'YYYY-MM-DD' | 'DD.MM.YYYY' | 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'D MMMM YYYY' | 'MMMM D, YYYY' | 'D. MMMM YYYY' | 'D de MMMM de YYYY' | (string & {});
  /** For a date: the language of the names of months, whatever language the signer reads. Default: "en". */
  date_language?: 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl' | 'pl' | (string & {});
}

export interface FieldValue {
  field_id: string;
  value: string | boolean | number | null;
}

export interface FileUploadResponse<S extends ServiceKind = 'esign'> {
  /** What `transactions.addDocument` takes. */
  token: string;
  /** The URL of the file, valid for one hour. URL of the stored file, valid for one hour. It returns a PDF: an image or a Word document was converted when it was uploaded. */
  presigned_url?: Sent<S, string>;
  /** What could not be kept or displayed. */
  remarks?: Sent<S, Remark<S>[]>;
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

export interface OauthExchangeCodeResponse<S extends ServiceKind = 'esign'> {
  access_token: string;
  refresh_token: Sent<S, string>;
  /** In seconds. */
  expires_in: Sent<S, number>;
}

export interface OauthRefreshTokenRequest {
  /** 1 to 512 characters. */
  client_id: string;
  /** Required, except for a public application, which has none. 1 to 512 characters. */
  client_secret?: string;
  /** 1 to 512 characters. */
  refresh_token: string;
}

export interface OauthRefreshTokenResponse<S extends ServiceKind = 'esign'> {
  access_token: string;
  /** In seconds. */
  expires_in: Sent<S, number>;
  /** Of a public application: replaces the refresh token of the request. */
  refresh_token?: Sent<S, string>;
}

export interface Page<S extends ServiceKind = 'esign'> {
  document_id: Sent<S, string>;
  id: Sent<S, string>;
  file: Sent<S, StoredFile<S>>;
  /** In points (1/72 inch). Width of the page as displayed, in points (1/72 inch). */
  width: Sent<S, number>;
  /** In points (1/72 inch). Height of the page as displayed, in points (1/72 inch). */
  height: Sent<S, number>;
}

export interface Pagination<S extends ServiceKind = 'esign'> {
  limit: Sent<S, number>;
  is_first_page: Sent<S, boolean>;
  is_last_page: Sent<S, boolean>;
  current_page: Sent<S, number>;
  previous_page: Sent<S, number | null>;
  next_page: Sent<S, number | null>;
  page_count: Sent<S, number>;
}

export interface PingEvent<S extends ServiceKind = 'esign'> {
  created: Instant;
  id: string;
  type: 'ping';
  data: PingEventData<S>;
}

export interface PingEventData<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
}

export interface Preparation<S extends ServiceKind = 'esign'> {
  original: Sent<S, PreparationOriginal<S>>;
  removed_tags: Sent<S, PreparationRemovedTag<S>[]>;
  emptied_form_boxes: Sent<S, number>;
  drawn_values: Sent<S, number>;
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

export interface PreparationOriginal<S extends ServiceKind = 'esign'> {
  /** In hexadecimal. */
  sha256: Sent<S, string>;
  bytes: Sent<S, number>;
}

export interface PreparationRemovedTag<S extends ServiceKind = 'esign'> {
  page: Sent<S, number>;
  text: Sent<S, string>;
}

export interface Recipient<S extends ServiceKind = 'esign'> {
  id: string;
  role: Sent<S, Open<S, 'sender' | 'signer' | 'proxy'>>;
  /** The color of the fields of this recipient. */
  color: Sent<S, string>;
  /** The place in the order, from 0. */
  index: Sent<S, number>;
  name: string;
  email: string;
  /** The signing token, for the recipient whose turn it is. */
  token: Sent<S, string | null>;
  submitted_at: Sent<S, Instant | null>;
  /** When the signing link of the recipient was first opened, by them or by a program such as a mail scanner. */
  opened_at: Sent<S, Instant | null>;
  /** The last email to the recipient, if it could not be delivered. `reason` is the end of a sentence. */
  undelivered_email: Sent<S, RecipientUndeliveredEmail<S> | null>;
  /** It is the turn of this recipient. */
  is_current: Sent<S, boolean>;
  created_at: Sent<S, Instant>;
  updated_at: Sent<S, Instant>;
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

export interface RecipientSubmittedData<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  status: Sent<S, 'started'>;
  recipient: Sent<S, RecipientSubmittedDataRecipient<S>>;
}

export interface RecipientSubmittedDataRecipient<S extends ServiceKind = 'esign'> {
  email: Sent<S, string>;
  id: Sent<S, string>;
  name: Sent<S, string>;
  role: Sent<S, string>;
  submitted_at: Sent<S, Instant | null>;
}

export interface RecipientSubmittedEvent<S extends ServiceKind = 'esign'> {
  created: Instant;
  id: string;
  type: 'recipient_submitted';
  data: RecipientSubmittedData<S>;
}

export interface RecipientUndeliveredEmail<S extends ServiceKind = 'esign'> {
  kind: Sent<S, Open<S, 'invitation' | 'reminder' | 'completed' | 'rejected' | 'cancelled' | 'expired'>>;
  reason: Sent<S, string>;
  at: Sent<S, Instant>;
}

export interface Remark<S extends ServiceKind = 'esign'> {
  code: Sent<S, Open<S, 'approximate_layout' | 'fonts_missing' | 'fonts_replaced' | 'content_not_shown' | 'tracked_changes' | 'fields_not_updated' | 'dynamic_form' | 'already_signed' | 'encrypted_permissions' | 'page_not_drawable'>>;
  message: Sent<S, string>;
  page?: Sent<S, number>;
}

export interface SandboxAddClientRequest {
  /** 1 to 255 characters. */
  name: string;
  /** 1 to 2048 characters. A URL. */
  callback_url: string;
  /** Default: false. */
  is_public?: boolean;
}

export interface SandboxAddClientResponse<S extends ServiceKind = 'esign'> {
  id: string;
  name: string;
  callback_url: string;
  is_public: Sent<S, boolean>;
  created_at: Instant;
  client_id: string;
  client_secret?: Sent<S, string>;
  notification_secret: string;
}

export interface SandboxAddFaultRequest {
  operation: FaultedOperation | '*';
  kind: 'latency' | 'rate-limit' | 'expired-token' | 'error-before-commit' | 'error-after-commit' | 'EMPTY_RESPONSE' | 'CONNECTION_RESET_BY_PEER' | 'MALFORMED_RESPONSE_CHUNK' | 'RANDOM_DATA_THEN_CLOSE' | 'limit_data' | 'slow-body' | 'timestamps-unavailable' | 'smtp-unavailable' | 'webhook-drop' | 'webhook-duplicate' | 'webhook-reorder' | 'webhook-delay';
  count?: number;
  probability?: number;
  seed?: number;
  latency?: number | string;
  jitter?: number | string;
  retry_after?: number;
  bytes?: number;
}

export interface SandboxAddFaultResponse<S extends ServiceKind = 'esign'> {
  id: string;
  operation: string;
  kind: Open<S, 'latency' | 'rate-limit' | 'expired-token' | 'error-before-commit' | 'error-after-commit' | 'EMPTY_RESPONSE' | 'CONNECTION_RESET_BY_PEER' | 'MALFORMED_RESPONSE_CHUNK' | 'RANDOM_DATA_THEN_CLOSE' | 'limit_data' | 'slow-body' | 'timestamps-unavailable' | 'smtp-unavailable' | 'webhook-drop' | 'webhook-duplicate' | 'webhook-reorder' | 'webhook-delay'>;
  count: Sent<S, number | null>;
  probability: Sent<S, number | null>;
  seed: Sent<S, number | null>;
  latency: Sent<S, number | null>;
  jitter: Sent<S, number | null>;
  retry_after: Sent<S, number | null>;
  bytes: Sent<S, number | null>;
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

export interface SandboxAdvanceClockResponse<S extends ServiceKind = 'esign'> {
  now: Instant;
  real_time: Instant;
  is_paused: boolean;
  status: Sent<S, 'ready'>;
  fired: SandboxAdvanceClockResponseFired<S>[];
  fired_total: number;
}

export interface SandboxAdvanceClockResponseFired<S extends ServiceKind = 'esign'> {
  type: Open<S, 'transaction_expired' | 'delivery_attempted'>;
  at: Instant;
  transaction_id: string;
  id: string;
  attempt: Sent<S, SandboxAdvanceClockResponseFiredAttempt<S> | null>;
}

export interface SandboxAdvanceClockResponseFiredAttempt<S extends ServiceKind = 'esign'> {
  kind: Open<S, 'webhook' | 'notification' | 'mail'>;
  endpoint: string;
  ok: boolean;
  status: Sent<S, number | null>;
  why: Sent<S, string | null>;
  next_at: Sent<S, Instant | null>;
}

export interface SandboxAuthorityResponse<S extends ServiceKind = 'esign'> {
  name: string;
  pem: string;
  /** In hexadecimal. */
  sha256: string;
  valid_from: Instant;
  valid_to: Instant;
}

export interface SandboxClearFaultsResponse<S extends ServiceKind = 'esign'> {
  removed: number;
}

export interface SandboxClockResponse<S extends ServiceKind = 'esign'> {
  now: Instant;
  real_time: Instant;
  is_paused: boolean;
}

export interface SandboxDeleteClientResponse<S extends ServiceKind = 'esign'> {
  removed: Sent<S, true>;
}

export interface SandboxDeleteSnapshotResponse<S extends ServiceKind = 'esign'> {
  name: Sent<S, string>;
}

export interface SandboxEventsResponse<S extends ServiceKind = 'esign'> {
  items: Event<S>[];
}

export interface SandboxExpireResponse<S extends ServiceKind = 'esign'> {
  id: string;
  status: Open<S, 'draft' | 'started' | 'completed' | 'expired' | 'rejected'>;
}

export interface SandboxIssueCertificateRequest {
  /** 1 to 20 entries. */
  names: string[];
}

export interface SandboxIssueCertificateResponse<S extends ServiceKind = 'esign'> {
  certificate: string;
  key: string;
  root: string;
  valid_to: Instant;
}

export interface SandboxListClientsResponse<S extends ServiceKind = 'esign'> {
  items: SandboxListClientsResponseItem<S>[];
}

export interface SandboxListClientsResponseItem<S extends ServiceKind = 'esign'> {
  id: string;
  name: string;
  callback_url: string;
  is_public: Sent<S, boolean>;
  created_at: Instant;
  client_id: string;
}

export interface SandboxListFaultsResponse<S extends ServiceKind = 'esign'> {
  items: SandboxListFaultsResponseItem<S>[];
}

export interface SandboxListFaultsResponseItem<S extends ServiceKind = 'esign'> {
  id: string;
  operation: string;
  kind: Open<S, 'latency' | 'rate-limit' | 'expired-token' | 'error-before-commit' | 'error-after-commit' | 'EMPTY_RESPONSE' | 'CONNECTION_RESET_BY_PEER' | 'MALFORMED_RESPONSE_CHUNK' | 'RANDOM_DATA_THEN_CLOSE' | 'limit_data' | 'slow-body' | 'timestamps-unavailable' | 'smtp-unavailable' | 'webhook-drop' | 'webhook-duplicate' | 'webhook-reorder' | 'webhook-delay'>;
  count: Sent<S, number | null>;
  probability: Sent<S, number | null>;
  seed: Sent<S, number | null>;
  latency: Sent<S, number | null>;
  jitter: Sent<S, number | null>;
  retry_after: Sent<S, number | null>;
  bytes: Sent<S, number | null>;
  hits: number;
}

export interface SandboxListSnapshotsResponse<S extends ServiceKind = 'esign'> {
  items: SandboxListSnapshotsResponseItem<S>[];
}

export interface SandboxListSnapshotsResponseItem<S extends ServiceKind = 'esign'> {
  name: string;
  saved_at: Instant;
}

export interface SandboxListTransactionsResponse<S extends ServiceKind = 'esign'> {
  items: SandboxListTransactionsResponseItem<S>[];
}

export interface SandboxListTransactionsResponseItem<S extends ServiceKind = 'esign'> {
  id: string;
  name: string;
  status: Open<S, 'draft' | 'started' | 'completed' | 'expired' | 'rejected' | 'cancelled'>;
  created_at: Instant;
  sender: string;
  recipients: SandboxListTransactionsResponseItemRecipient<S>[];
}

export interface SandboxListTransactionsResponseItemRecipient<S extends ServiceKind = 'esign'> {
  name: string;
  email: string;
  role: Open<S, 'sender' | 'signer' | 'proxy'>;
  submitted_at: Sent<S, Instant | null>;
}

export interface SandboxListUsersResponse<S extends ServiceKind = 'esign'> {
  items: User<S>[];
}

export interface SandboxMailDetailResponse<S extends ServiceKind = 'esign'> {
  id: string;
  transaction_id: string;
  recipient_id: string;
  kind: Open<S, 'invitation' | 'reminder' | 'completed' | 'rejected' | 'cancelled' | 'expired'>;
  language: string;
  created: Instant;
  from: string;
  reply_to: Sent<S, string | null>;
  to: string;
  subject: string;
  body: string;
  html: string;
  attachments: SandboxMailDetailResponseAttachment<S>[];
  delivery: Sent<S, SandboxMailDetailResponseDelivery<S> | null>;
}

export interface SandboxMailDetailResponseAttachment<S extends ServiceKind = 'esign'> {
  id: string;
  name: string;
  size_bytes: number;
}

export interface SandboxMailDetailResponseDelivery<S extends ServiceKind = 'esign'> {
  state: Open<S, 'waiting' | 'delivered' | 'undelivered'>;
  reason: Sent<S, string | null>;
  next_at: Sent<S, Instant | null>;
  attempts: Sent<S, Attempt<S>[]>;
}

export interface SandboxMailResponse<S extends ServiceKind = 'esign'> {
  items: SandboxMailResponseItem<S>[];
}

export interface SandboxMailResponseItem<S extends ServiceKind = 'esign'> {
  id: string;
  transaction_id: string;
  recipient_id: string;
  kind: Open<S, 'invitation' | 'reminder' | 'completed' | 'rejected' | 'cancelled' | 'expired'>;
  language: string;
  created: Instant;
  from: string;
  reply_to: Sent<S, string | null>;
  to: string;
  subject: string;
  body: string;
  delivery: Sent<S, SandboxMailResponseItemDelivery<S> | null>;
}

export interface SandboxMailResponseItemDelivery<S extends ServiceKind = 'esign'> {
  state: Open<S, 'waiting' | 'delivered' | 'undelivered'>;
  reason: Sent<S, string | null>;
}

export interface SandboxPauseClockRequest {
  at?: string;
}

export interface SandboxPauseClockResponse<S extends ServiceKind = 'esign'> {
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

export interface SandboxRejectResponse<S extends ServiceKind = 'esign'> {
  id: string;
  status: Open<S, 'draft' | 'started' | 'completed' | 'expired' | 'rejected'>;
  recipient: SandboxRejectResponseRecipient<S>;
}

export interface SandboxRejectResponseRecipient<S extends ServiceKind = 'esign'> {
  id: string;
  name: string;
  email: string;
}

export interface SandboxResetClockResponse<S extends ServiceKind = 'esign'> {
  now: Instant;
  real_time: Instant;
  is_paused: boolean;
}

export interface SandboxResetResponse<S extends ServiceKind = 'esign'> {
  reset: Sent<S, true>;
}

export interface SandboxRestoreSnapshotResponse<S extends ServiceKind = 'esign'> {
  name: Sent<S, string>;
}

export interface SandboxResumeClockResponse<S extends ServiceKind = 'esign'> {
  now: Instant;
  real_time: Instant;
  is_paused: boolean;
}

export interface SandboxRotateNotificationSecretResponse<S extends ServiceKind = 'esign'> {
  client_id: string;
  notification_secret: string;
  previous_valid_until: Instant;
}

export interface SandboxSaveSnapshotResponse<S extends ServiceKind = 'esign'> {
  name: Sent<S, string>;
}

export interface SandboxSaveTemplateRequest {
  /** 1 to 255 characters. */
  name: string;
  /** At most 10000 characters. */
  description?: string;
}

export interface SandboxSaveTemplateResponse<S extends ServiceKind = 'esign'> {
  id: string;
}

export interface SandboxSetClockRequest {
  to: string;
}

export interface SandboxSetClockResponse<S extends ServiceKind = 'esign'> {
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

export interface SandboxSetPasswordResponse<S extends ServiceKind = 'esign'> {
  email: string;
  password?: Sent<S, string>;
}

export interface SandboxSignInLinkRequest {
  mail_id?: string;
  page?: 'transactions' | 'templates' | 'mailbox' | 'webhooks' | 'applications';
  edit_id?: string;
  /** A URL. */
  return_to?: string;
  sends?: boolean;
}

export interface SandboxSignInLinkResponse<S extends ServiceKind = 'esign'> {
  sign_in_url: string;
  page_url: string;
  expires_at: Sent<S, Instant>;
}

export interface SandboxSignRequest {
  /** An email address. */
  as?: string;
  /** Default: {}. */
  values?: Record<string, string>;
}

export interface SandboxSignResponse<S extends ServiceKind = 'esign'> {
  id: string;
  status: Open<S, 'draft' | 'started' | 'completed' | 'expired' | 'rejected'>;
  recipient: SandboxSignResponseRecipient<S>;
}

export interface SandboxSignResponseRecipient<S extends ServiceKind = 'esign'> {
  id: string;
  name: string;
  email: string;
}

export interface SandboxStatusResponse<S extends ServiceKind = 'esign'> {
  origin: string;
  now: Instant;
  transactions: SandboxStatusResponseTransactions<S>;
  templates: number;
  users: number;
  clients: number;
  events: number;
  mails: number;
}

export interface SandboxStatusResponseTransactions<S extends ServiceKind = 'esign'> {
  draft: number;
  started: number;
  completed: number;
  rejected: number;
  expired: number;
  cancelled: number;
}

export interface SandboxTokenRequest {
  scopes?: ('transaction:read' | 'transaction:create' | 'transaction:update' | 'webhook:read' | 'webhook:create' | 'webhook:remove' | 'file:create' | 'template:read')[];
  /** An email address. */
  user?: string;
  client_id?: string;
  /** Default: "token". */
  kind?: 'token' | 'code';
  code_challenge?: string;
  /** In seconds. 1 to 31536000. */
  expires_in?: number;
}

export interface SandboxTokenResponse<S extends ServiceKind = 'esign'> {
  client_id: Sent<S, string>;
  scopes: string[];
  access_token?: Sent<S, string>;
  refresh_token?: Sent<S, string>;
  /** In seconds. */
  expires_in: number;
  code?: Sent<S, string>;
}

export interface SandboxVerifyUserRequest {
  /** An email address. */
  email: string;
}

export interface SandboxVerifyUserResponse<S extends ServiceKind = 'esign'> {
  id: string;
  email: string;
  verified_at: Instant;
}

export interface SealedDocument<S extends ServiceKind = 'esign'> {
  id: string;
  name: string;
  /** In hexadecimal. */
  sha256: Sent<S, string>;
  created_at: Sent<S, Instant>;
  document: Sent<S, SealedDocumentDocument<S>>;
  /** The URL of the file, valid for one hour. URL of the sealed PDF, valid for one hour. */
  presigned_url: Sent<S, string>;
}

export interface SealedDocumentDocument<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
}

export interface SigningRejectRequest {
  /** 1 to 2000 characters. */
  reason: string;
}

export interface SigningRejectResponse<S extends ServiceKind = 'esign'> {
  status: Sent<S, Open<S, 'draft' | 'started' | 'completed' | 'expired' | 'rejected'>>;
  rejected_at: Sent<S, Instant>;
}

export interface SigningSubmitRequest {
  /** Default: []. At most 2000 entries. */
  values?: FieldValue[];
}

export interface SigningSubmitResponse<S extends ServiceKind = 'esign'> {
  status: Sent<S, Open<S, 'draft' | 'started' | 'completed' | 'expired' | 'rejected'>>;
  submitted_at: Sent<S, Instant>;
}

export interface SigningViewResponse<S extends ServiceKind = 'esign'> {
  transaction: Sent<S, SigningViewResponseTransaction<S>>;
  sender: Sent<S, SigningViewResponseSender<S>>;
  recipient: Sent<S, SigningViewResponseRecipient<S>>;
  documents: Sent<S, SigningViewResponseDocument<S>[]>;
  fields: Sent<S, SigningViewResponseField<S>[]>;
}

export interface SigningViewResponseDocument<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
  pages: Sent<S, SigningViewResponseDocumentPage<S>[]>;
}

export interface SigningViewResponseDocumentPage<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  /** In points (1/72 inch). */
  width: Sent<S, number>;
  /** In points (1/72 inch). */
  height: Sent<S, number>;
  picture: Sent<S, string>;
}

export interface SigningViewResponseField<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  document_id: Sent<S, string>;
  page: Sent<S, number>;
  /** In points (1/72 inch). */
  width: Sent<S, number>;
  /** In points (1/72 inch). */
  height: Sent<S, number>;
  /** From the left edge of the page as it is displayed, in points (1/72 inch). */
  positionX: Sent<S, number>;
  /** From the top edge of the page as it is displayed, in points (1/72 inch). */
  positionY: Sent<S, number>;
  type: Sent<S, Open<S, 'text' | 'signature' | 'person_name' | 'email' | 'initials' | 'date' | 'number' | 'checkbox' | 'select' | 'radio'>>;
  label: Sent<S, string>;
  /** A hint for the recipient. */
  helper_text: Sent<S, string>;
  is_required: Sent<S, boolean>;
  min_length: Sent<S, number | null>;
  max_length: Sent<S, number | null>;
  min_value: Sent<S, number | null>;
  max_value: Sent<S, number | null>;
  /** A pattern (RE2) that the value must match. */
  regex: Sent<S, string | null>;
  /** What can be chosen from. */
  options: Sent<S, string[]>;
  /** What the sender has filled in. A date of signing has the current day: show it and submit it with this value. It is refused when the day has changed meanwhile. */
  value?: Sent<S, string>;
  readonly?: Sent<S, boolean>;
  date_format?: Sent<S, Open<S, 'YYYY-MM-DD' | 'DD.MM.YYYY' | 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'D MMMM YYYY' | 'MMMM D, YYYY' | 'D. MMMM YYYY' | 'D de MMMM de YYYY'>>;
  date_language?: Sent<S, Open<S, 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl' | 'pl'>>;
}

export interface SigningViewResponseRecipient<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
  email: Sent<S, string>;
  role: Sent<S, Open<S, 'sender' | 'signer' | 'proxy'>>;
}

export interface SigningViewResponseSender<S extends ServiceKind = 'esign'> {
  name: Sent<S, string>;
}

export interface SigningViewResponseTransaction<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
  description: Sent<S, string>;
  expires_at: Sent<S, Instant | null>;
}

export interface StoredFile<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  original_name: Sent<S, string>;
  stored_name: Sent<S, string>;
}

export interface Template<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
  description: Sent<S, string>;
  created_by_id: Sent<S, string>;
  edit_navigation: Sent<S, boolean>;
  reusable: Sent<S, boolean>;
  /** The name of the sender in emails. */
  email_alias: Sent<S, string>;
  email_subject: Sent<S, string>;
  email_body: Sent<S, string>;
  created_at: Sent<S, Instant>;
  updated_at: Sent<S, Instant>;
  company_id: Sent<S, string>;
  fields: Sent<S, Field<S>[]>;
  recipients: Sent<S, Recipient<S>[]>;
  documents: Sent<S, Document<S>[]>;
}

export interface TemplateDetailResponse<S extends ServiceKind = 'esign'> {
  id: string;
  name: string;
  description: Sent<S, string>;
  /** All recipients in signing order, including those without fields. */
  recipients: Sent<S, TemplateDetailResponseRecipient<S>[]>;
  fields: Sent<S, TemplateDetailResponseField<S>[]>;
}

export interface TemplateDetailResponseField<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  label: Sent<S, string>;
  type: Sent<S, Open<S, 'text' | 'signature' | 'person_name' | 'email' | 'initials' | 'date' | 'number' | 'checkbox' | 'select' | 'radio'>>;
  recipient: Sent<S, TemplateDetailResponseFieldRecipient<S>>;
}

export interface TemplateDetailResponseFieldRecipient<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
  email: Sent<S, string>;
  role: Sent<S, Open<S, 'sender' | 'signer' | 'proxy'>>;
}

export interface TemplateDetailResponseRecipient<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
  email: Sent<S, string>;
  role: Sent<S, Open<S, 'sender' | 'signer' | 'proxy'>>;
  /** The place in the order, from 0. */
  index: Sent<S, number>;
}

export interface TemplateListResponseItem<S extends ServiceKind = 'esign'> {
  id: string;
  name: Sent<S, string>;
}

export interface Transaction<S extends ServiceKind = 'esign'> {
  id: string;
  template_id: Sent<S, string>;
  created_at: Sent<S, Instant>;
  updated_at: Sent<S, Instant>;
  created_by_id: Sent<S, string>;
  sender_id: Sent<S, string>;
  provider_type: Sent<S, string>;
  provider_id: Sent<S, string | null>;
  is_provider_ready: Sent<S, boolean>;
  /** How many days after its start the transaction expires. */
  expiration_days: Sent<S, number | null>;
  rejected_reason: Sent<S, string | null>;
  rejected_at: Sent<S, Instant | null>;
  rejected_by_id: Sent<S, string | null>;
  completed_at: Sent<S, Instant | null>;
  sent_at: Sent<S, Instant | null>;
  expires_at: Sent<S, Instant | null>;
  expired_at: Sent<S, Instant | null>;
  status: Open<S, 'draft' | 'started' | 'completed' | 'expired' | 'rejected'>;
  company_id: Sent<S, string>;
  is_sealed: Sent<S, boolean>;
  is_archived: Sent<S, boolean>;
  /** When the transaction was cancelled. The status of a cancelled transaction is `expired`. */
  cancelled_at: Sent<S, Instant | null>;
  /** Why the transaction was cancelled. */
  cancelled_reason: Sent<S, string | null>;
  /** When the last signature was refused because the documents could not be sealed. Null once they are sealed. */
  sealing_failed_at: Sent<S, Instant | null>;
  /** Why the documents could not be sealed. */
  sealing_failed_reason: Sent<S, string | null>;
  /** The sealed documents. Empty until the transaction is completed. */
  sealed_documents: Sent<S, SealedDocument<S>[]>;
  template: Sent<S, Template<S>>;
}

export interface TransactionAddDocumentRequest {
  /** The token of an uploaded file. 1 to 512 characters. */
  token: string;
  /** What the program of the sender did to the file before the upload. It is recorded in the evidence as a statement of the sender. */
  preparation?: PreparationInput;
}

export interface TransactionAddDocumentResponse<S extends ServiceKind = 'esign'> {
  id: string;
  /** The ID of the new document. `id` is that of the transaction. */
  document_id: Sent<S, string>;
}

export interface TransactionCancelRequest {
  /** 1 to 2000 characters. */
  cancelled_reason: string;
}

export interface TransactionCancelResponse<S extends ServiceKind = 'esign'> {
  cancelled: Sent<S, boolean>;
}

export interface TransactionCancelledData<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  status: Sent<S, 'expired'>;
  cancelled_reason: Sent<S, string>;
  cancelled_at: Sent<S, Instant>;
}

export interface TransactionCancelledEvent<S extends ServiceKind = 'esign'> {
  created: Instant;
  id: string;
  type: 'transaction_cancelled';
  data: TransactionCancelledData<S>;
}

export interface TransactionCompletedData<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  status: Sent<S, 'completed'>;
  recipients: Sent<S, TransactionCompletedDataRecipient<S>[]>;
  sealed_documents: Sent<S, TransactionCompletedDataSealedDocument<S>[]>;
}

export interface TransactionCompletedDataRecipient<S extends ServiceKind = 'esign'> {
  email: Sent<S, string>;
  id: Sent<S, string>;
  name: Sent<S, string>;
  role: Sent<S, string>;
  submitted_at: Sent<S, Instant | null>;
}

export interface TransactionCompletedDataSealedDocument<S extends ServiceKind = 'esign'> {
  created_at: Sent<S, Instant>;
  id: Sent<S, string>;
  name: Sent<S, string>;
  /** In hexadecimal. SHA-256 of the sealed PDF, in hexadecimal. */
  sha256: Sent<S, string>;
  document: Sent<S, TransactionCompletedDataSealedDocumentDocument<S>>;
}

export interface TransactionCompletedDataSealedDocumentDocument<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
}

export interface TransactionCompletedEvent<S extends ServiceKind = 'esign'> {
  created: Instant;
  id: string;
  type: 'transaction_completed';
  data: TransactionCompletedData<S>;
}

export interface TransactionCreateRequest {
  /** 1 to 255 characters. */
  name?: string;
  /** A URL that receives the events of this transaction. 1 to 255 characters. A URL. */
  notification_endpoint?: string | null;
}

export interface TransactionCreateResponse<S extends ServiceKind = 'esign'> {
  id: string;
}

export interface TransactionCreatedData<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  status: Sent<S, 'draft'>;
  created_by: Sent<S, TransactionCreatedDataCreatedBy<S>>;
}

export interface TransactionCreatedDataCreatedBy<S extends ServiceKind = 'esign'> {
  email: Sent<S, string>;
  id: Sent<S, string>;
}

export interface TransactionCreatedEvent<S extends ServiceKind = 'esign'> {
  created: Instant;
  id: string;
  type: 'transaction_created';
  data: TransactionCreatedData<S>;
}

export interface TransactionExpiredData<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  status: Sent<S, 'expired'>;
  /** How many days after its start the transaction expires. */
  expiration_days: Sent<S, number | null>;
  expired_at: Sent<S, Instant>;
}

export interface TransactionExpiredEvent<S extends ServiceKind = 'esign'> {
  created: Instant;
  id: string;
  type: 'transaction_expired';
  data: TransactionExpiredData<S>;
}

export interface TransactionFieldsRequest {
  /** At most 2000 entries. */
  fields: FieldInput[];
}

export interface TransactionFieldsResponse<S extends ServiceKind = 'esign'> {
  updated: Sent<S, boolean>;
}

export interface TransactionRejectedData<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  status: Sent<S, 'rejected'>;
  rejected_by: Sent<S, TransactionRejectedDataRejectedBy<S>>;
}

export interface TransactionRejectedDataRejectedBy<S extends ServiceKind = 'esign'> {
  email: Sent<S, string>;
  id: Sent<S, string>;
  name: Sent<S, string>;
  role: Sent<S, string>;
}

export interface TransactionRejectedEvent<S extends ServiceKind = 'esign'> {
  created: Instant;
  id: string;
  type: 'transaction_rejected';
  data: TransactionRejectedData<S>;
}

export interface TransactionRemindResponse<S extends ServiceKind = 'esign'> {
  reminded: Sent<S, boolean>;
  recipient: Sent<S, TransactionRemindResponseRecipient<S>>;
}

export interface TransactionRemindResponseRecipient<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
  email: Sent<S, string>;
}

export interface TransactionStartResponse<S extends ServiceKind = 'esign'> {
  /** The signing address of the first recipient. */
  url: string;
}

export interface TransactionStartedData<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  status: Sent<S, 'started'>;
  started_by: Sent<S, TransactionStartedDataStartedBy<S>>;
}

export interface TransactionStartedDataStartedBy<S extends ServiceKind = 'esign'> {
  email: Sent<S, string>;
  id: Sent<S, string>;
}

export interface TransactionStartedEvent<S extends ServiceKind = 'esign'> {
  created: Instant;
  id: string;
  type: 'transaction_started';
  data: TransactionStartedData<S>;
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

export interface TransactionUpdateResponse<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
}

export interface TransactionUseTemplatesRequest {
  /** 1 to 20 entries. */
  templates: TransactionUseTemplatesRequestTemplate[];
}

export interface TransactionUseTemplatesRequestTemplate {
  id: string;
}

export interface User<S extends ServiceKind = 'esign'> {
  id: string;
  name: string;
  email: string;
  company: string;
  created_at: Instant;
  verified_at: Sent<S, Instant | null>;
}

export interface UserMeResponse<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
  email: string;
  company: Sent<S, UserMeResponseCompany<S>>;
}

export interface UserMeResponseCompany<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  name: Sent<S, string>;
}

export interface Webhook<S extends ServiceKind = 'esign'> {
  id: string;
  name: Sent<S, string>;
  endpoint: Sent<S, string>;
  events: Sent<S, Open<S, 'transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled'>[]>;
  enabled: Sent<S, boolean>;
  created_at: Sent<S, Instant>;
  rotated_at: Sent<S, Instant | null>;
  disabled_at: Sent<S, Instant | null>;
  disabled_reason: Sent<S, string | null>;
  deliveries: Sent<S, WebhookDeliveries<S>>;
  /** The share of the last attempts that succeeded, from 0 to 1. */
  success_rate: Sent<S, number | null>;
  last_attempts: Sent<S, WebhookLastAttempt<S>[]>;
}

export interface WebhookCreateRequest {
  /** 1 to 255 characters. */
  name: string;
  /** 1 to 2048 characters. A URL. */
  endpoint: string;
  /** 1 to 7 entries. */
  events: ('transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled' | (string & {}))[];
}

export interface WebhookCreateResponse<S extends ServiceKind = 'esign'> {
  id: string;
  /** What deliveries are signed with (Standard Webhooks). Shown only once. */
  secret: Sent<S, string>;
}

export interface WebhookDeleteResponse<S extends ServiceKind = 'esign'> {
  removed: Sent<S, boolean>;
}

export interface WebhookDeliveries<S extends ServiceKind = 'esign'> {
  waiting: Sent<S, number>;
  delivered: Sent<S, number>;
  /** Only events that a receiver has not received. */
  undelivered: Sent<S, number>;
}

export interface WebhookLastAttempt<S extends ServiceKind = 'esign'> {
  at: Sent<S, Instant>;
  ok: Sent<S, boolean>;
  status: Sent<S, number | null>;
  why: Sent<S, string | null>;
  answer: Sent<S, string>;
  /** In milliseconds. */
  duration_ms: Sent<S, number>;
  next_at: Sent<S, Instant | null>;
  event: Sent<S, WebhookLastAttemptEvent<S>>;
}

export interface WebhookLastAttemptEvent<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  type: Sent<S, Open<S, 'transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled'>>;
}

export interface WebhookListResponseItem<S extends ServiceKind = 'esign'> {
  id: string;
  name: Sent<S, string>;
  /** The URL that events are sent to. */
  endpoint: Sent<S, string>;
  events: Sent<S, Open<S, 'transaction_completed' | 'transaction_created' | 'transaction_started' | 'transaction_expired' | 'transaction_rejected' | 'recipient_submitted' | 'transaction_cancelled'>[]>;
  enabled: Sent<S, boolean>;
}

export interface WebhookPingResponse<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  endpoint: Sent<S, string>;
  ok: boolean;
  status: Sent<S, number | null>;
  why: Sent<S, string | null>;
  answer: Sent<S, string>;
  /** In milliseconds. */
  duration_ms: Sent<S, number>;
}

export interface WebhookRotateResponse<S extends ServiceKind = 'esign'> {
  id: Sent<S, string>;
  secret: string;
  previous_valid_until: Sent<S, Instant>;
}
