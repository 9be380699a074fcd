// The tables of the service as Kysely types. Times are ISO text, booleans are 0 or 1, lists are JSON text: the same on SQLite
// and PostgreSQL. A secret is stored as a hash, or encrypted with the store's key. `migrations.ts` creates the tables.
import type { Generated, Kysely } from 'kysely';

type Bit = number;

export type Tables = {
  meta: { key: string; value: string };
  company: {
    id: string;
    name: string;
    created_at: string;
    /** HTTPS pages or `mailto:` addresses that recipients are shown. */
    imprint_url: Generated<string | null>;
    privacy_url: Generated<string | null>;
  };
  user: {
    id: string;
    company_id: string;
    name: string;
    email: string;
    email_key: string;
    created_at: string;
  };
  client: {
    id: string;
    company_id: string;
    name: string;
    /** Empty for a public application, which has no secret. */
    secret_hash: string;
    callback_url: string;
    created_at: string;
    is_public: Bit;
    /** How often the secret that notifications are signed with was replaced. */
    notification_rotations: number;
    notification_rotated_at: string | null;
  };
  authorization_code: {
    hash: string;
    client_id: string;
    user_id: string;
    scopes: string;
    created_at: string;
    expires_at: string;
    used_at: string | null;
    /** RFC 7636: the hash of the verifier that the exchange needs; null where the link had none. */
    code_challenge: string | null;
  };
  token: {
    hash: string;
    kind: 'access' | 'refresh';
    client_id: string;
    user_id: string;
    scopes: string;
    /** The code that the token goes back to, so that a code used twice can revoke it. */
    code_hash: string | null;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
    /** Of a refresh token of a public application: the hash of the token that it replaced. */
    previous_hash: string | null;
    /** When it was replaced by the next refresh token. */
    replaced_at: string | null;
  };
  file: {
    id: string;
    company_id: string;
    token_hash: string;
    original_name: string;
    media_type: string;
    size_bytes: number;
    /** The bytes as they were uploaded. */
    original_sha256: string;
    /** The PDF made of them. */
    pdf_sha256: string;
    pages: string;
    created_at: string;
    linked_at: string | null;
    /** No page of it can be slow to draw; of others that is known when their pages have been drawn. */
    is_plain: Bit;
    /** What could not be kept or shown of it (A27), as JSON. */
    remarks: string;
  };
  template: {
    id: string;
    company_id: string;
    created_by_id: string;
    reusable: Bit;
    name: string;
    name_key: string;
    description: string;
    edit_navigation: Bit;
    email_alias: string;
    email_subject: string;
    email_body: string;
    created_at: string;
    updated_at: string;
  };
  document: {
    id: string;
    template_id: string;
    index: number;
    file_id: string;
    original_name: string;
    stored_name: string;
    /** Of its file, as JSON. */
    remarks: string;
    /** What the sender stated about the original of the file, as JSON; null where nothing was stated. */
    preparation: string | null;
  };
  page: {
    id: string;
    document_id: string;
    template_id: string;
    index: number;
    file_id: string;
    width: number;
    height: number;
  };
  /** A document that shows the same when it is stamped with fields at these places. */
  stamped_comparison: {
    pdf_sha256: string;
    places_sha256: string;
    /** Which limit stood against the comparison. */
    exceeded: string | null;
    tried_at: string;
  };
  /** The text of a page with its places, keyed by the content of the document. */
  page_text: {
    pdf_sha256: string;
    page: number;
    /** As JSON; null where it could not be read. */
    runs: string | null;
    is_cut: Bit;
    /** Which limit stood against it. */
    exceeded: string | null;
    tried_at: string;
  };
  /** The result of drawing a page: keyed by the content of the document, so that a file that is sent often is drawn once. */
  picture: {
    pdf_sha256: string;
    page: number;
    dpi: number;
    /** Of the PNG; null where the page could not be drawn. */
    sha256: string | null;
    /** Which limit stood against it. */
    exceeded: string | null;
    tried_at: string;
  };
  recipient: {
    id: string;
    template_id: string;
    role: string;
    color: string;
    index: number;
    name: string;
    email: string;
    token_hash: string | null;
    token_sealed: string | null;
    submitted_at: string | null;
    is_current: Bit;
    /** When the recipient first opened their signing page. */
    opened_at: string | null;
    created_at: string;
    updated_at: string;
  };
  field: {
    id: string;
    template_id: string;
    document_id: string;
    recipient_id: string;
    ordinal: number;
    type: string;
    page: number;
    x: number;
    y: number;
    width: number;
    height: number;
    label: string;
    is_required: Bit;
    /** Looks and limits, as JSON: nothing is ever looked up by them. */
    settings: string;
    value: string | null;
  };
  /** Every signing token that was ever issued, so that a link that is no longer good for signing still shows the state. */
  signing_link: { token_hash: string; recipient_id: string; created_at: string };
  /** What a recipient has done on their signing page before they submit. */
  signing: {
    recipient_id: string;
    consented_at: string | null;
    /** Of the text that was agreed to, as it was shown. */
    consent_hash: string | null;
    consent_version: string | null;
    language: string | null;
    time_zone: string | null;
    /** Encrypted: only this recipient sees them before they submit, and none are kept here after. */
    values_sealed: string | null;
    updated_at: string;
  };
  /** Who did what on a signing page, when and from where; written in the commit of what was done. */
  audit: {
    seq: Generated<number>;
    id: string;
    company_id: string;
    transaction_id: string;
    recipient_id: string;
    type: string;
    /** What it was done to: the same thing is written once for each recipient. */
    subject: string;
    created: string;
    details: string;
  };
  transaction: {
    id: string;
    company_id: string;
    template_id: string;
    created_by_id: string;
    sender_id: string;
    status: string;
    notification_endpoint: string | null;
    expiration_days: number | null;
    created_at: string;
    updated_at: string;
    sent_at: string | null;
    expires_at: string | null;
    expired_at: string | null;
    completed_at: string | null;
    rejected_at: string | null;
    rejected_reason: string | null;
    rejected_by_id: string | null;
    cancelled_at: string | null;
    cancelled_reason: string | null;
    cancelled_by_id: string | null;
    sealing_failed_at: string | null;
    sealing_failed_reason: string | null;
    /** The application that made it, whose secret notifications are signed with. */
    client_id: string | null;
  };
  sealed_document: {
    id: string;
    transaction_id: string;
    document_id: string;
    company_id: string;
    index: number;
    name: string;
    sha256: string;
    size_bytes: number;
    evidence_sha256: string;
    created_at: string;
  };
  webhook: {
    id: string;
    company_id: string;
    created_by_id: string;
    name: string;
    endpoint: string;
    events: string;
    enabled: Bit;
    disabled_at: string | null;
    disabled_reason: string | null;
    secret_sealed: string;
    /** The one before, for a while after a rotation. */
    previous_secret_sealed: string | null;
    rotated_at: string | null;
    created_at: string;
  };
  /** One thing for one receiver; written in the commit of what it tells. */
  delivery: {
    seq: Generated<number>;
    id: string;
    company_id: string;
    transaction_id: string;
    kind: 'webhook' | 'notification' | 'mail';
    /** Id of the webhook, address of the notification endpoint, or `smtp`. */
    endpoint: string;
    /** Of a notification: the application whose secret signs it. */
    client_id: string | null;
    /** Id of the event or of the mail. */
    subject_id: string;
    state: 'waiting' | 'delivered' | 'undelivered';
    /** Why it was given up. */
    reason: string | null;
    attempts: number;
    /** By the clock of the service, as `scheduled_at`, when that was decided. */
    due_at: string;
    scheduled_at: string;
    /** Who works on it, until when by the clock of the machine. */
    lease: string | null;
    leased_until: string | null;
    created: string;
    done_at: string | null;
  };
  attempt: {
    seq: Generated<number>;
    delivery_id: string;
    endpoint: string;
    at: string;
    ok: Bit;
    /** Of HTTP or SMTP; null where no answer came. */
    status: number | null;
    why: string | null;
    /** The beginning of it. */
    answer: string;
    duration_ms: number;
    next_at: string | null;
    /** The mail server that it was made at, as `smtp.example.com:587`; null for events. */
    server: string | null;
  };
  /** Processes that deliver, until when by the clock of the machine. */
  worker: { id: string; leased_until: string };
  event: {
    seq: Generated<number>;
    id: string;
    company_id: string;
    transaction_id: string;
    type: string;
    created: string;
    data: string;
  };
  mail: {
    seq: Generated<number>;
    id: string;
    company_id: string;
    transaction_id: string;
    recipient_id: string;
    created: string;
    kind: string;
    language: string;
    from_name: string;
    from_email: string;
    /** Empty where replies go to the sender of the mail. */
    reply_name: string;
    reply_email: string;
    to_name: string;
    to_email: string;
    subject: string;
    /** The letter as JSON, encrypted: it contains the signing address. */
    letter_sealed: string;
    /** Ids of sealed documents, as JSON. */
    attachments: string;
  };
  /** `id` is that of a company, or the word `authority` or `loopback`. */
  authority: {
    id: string;
    /** Encrypted: it contains private keys. */
    content_sealed: string;
    created_at: string;
  };
  /** Of users who can sign in at the dashboard. */
  password: { user_id: string; hash: string; changed_at: string };
  /** `hash` is that of the cookie. */
  session: { hash: string; user_id: string; created_at: string; expires_at: string };
  /** Users that the owner of the machine vouches for: email in their name may leave the service. */
  verified_user: { user_id: string; verified_at: string };
  /** Signs a user in once; `hash` is that of its token. */
  sign_in_link: { hash: string; user_id: string; path: string; expires_at: string };
  /** What a user has allowed a client application; `scopes` are all that were ever granted and not revoked. */
  consent: { user_id: string; client_id: string; scopes: string; created_at: string; updated_at: string };
  /** `subject` is a hash: what was typed as an email address may be a password. */
  sign_in_attempt: { id: string; subject: string; created_at: string };
  idempotency: {
    holder: string;
    key: string;
    fingerprint: string;
    status: number;
    answer_sealed: string;
    created_at: string;
  };
};

export type Db = Kysely<Tables>;
