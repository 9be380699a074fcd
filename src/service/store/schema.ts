// Describes the tables of the service as Kysely types. Times are ISO text, booleans are 0 or 1, lists are JSON text: the
// same on SQLite and PostgreSQL. A secret is stored as a hash, or encrypted with the store's key. `migrations.ts` creates
// the tables.
import type { Generated, Kysely } from 'kysely';

type Bit = number;

export type Tables = {
  meta: { key: string; value: string };
  company: {
    id: string;
    name: string;
    created_at: string;
    /** Recipients are shown these HTTPS pages or `mailto:` addresses. */
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
    /** A public application has no secret, and the text is empty. */
    secret_hash: string;
    callback_url: string;
    created_at: string;
    is_public: Bit;
    /** The secret that signs notifications was replaced so often. */
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
    /** The exchange needs the verifier with this hash (RFC 7636); null where the link had none. */
    code_challenge: string | null;
  };
  token: {
    hash: string;
    kind: 'access' | 'refresh';
    client_id: string;
    user_id: string;
    scopes: string;
    /** The token goes back to this code, so that a code used twice can revoke it. */
    code_hash: string | null;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
    /** A refresh token of a public application replaced the token with this hash. */
    previous_hash: string | null;
    /** The next refresh token replaced it at this time. */
    replaced_at: string | null;
  };
  file: {
    id: string;
    company_id: string;
    token_hash: string;
    original_name: string;
    media_type: string;
    size_bytes: number;
    /** These bytes were uploaded. */
    original_sha256: string;
    /** The uploaded bytes became this PDF. */
    pdf_sha256: string;
    pages: string;
    created_at: string;
    linked_at: string | null;
    /** It says that no page can be slow to draw. Other documents show that when their pages have been drawn. */
    is_plain: Bit;
    /** The remarks are JSON, and say what could not be kept or shown (A27). */
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
    /** The remarks are those of its file, as JSON. */
    remarks: string;
    /** The sender's statement about the original of the file, as JSON, is null where nothing was stated. */
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
  /** The document shows the same when it is stamped with fields at these places, unless a limit stood against it. */
  stamped_comparison: {
    pdf_sha256: string;
    places_sha256: string;
    /** This limit stood against the comparison. */
    exceeded: string | null;
    tried_at: string;
  };
  /** A row has the text of a page with its places, and is keyed by the content of the document. */
  page_text: {
    pdf_sha256: string;
    page: number;
    /** The text is JSON; null where it could not be read. */
    runs: string | null;
    is_cut: Bit;
    /** This limit stood against it. */
    exceeded: string | null;
    tried_at: string;
  };
  /**
   * A row has the result of drawing a page, and is keyed by the content of the document, so that a file that is sent often
   * is drawn once.
   */
  picture: {
    pdf_sha256: string;
    page: number;
    dpi: number;
    /** The PNG has this hash; null says that the page could not be drawn. */
    sha256: string | null;
    /** This limit stood against it. */
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
    /** The recipient first opened their signing page at this time. */
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
    /** Looks and limits are JSON, because nothing is ever looked up by them. */
    settings: string;
    value: string | null;
  };
  /**
   * Every signing token that was ever issued has a row, so that a link that is no longer good for signing still shows the
   * state.
   */
  signing_link: { token_hash: string; recipient_id: string; created_at: string };
  /** A row has what a recipient has done on their signing page before they submit. */
  signing: {
    recipient_id: string;
    consented_at: string | null;
    /** The hash is that of the text that was agreed to, as it was shown. */
    consent_hash: string | null;
    consent_version: string | null;
    language: string | null;
    time_zone: string | null;
    /** The values are encrypted: only this recipient sees them before they submit, and none are kept here after. */
    values_sealed: string | null;
    updated_at: string;
  };
  /** A row says who did what on a signing page, when and from where. It is written in the commit of what was done. */
  audit: {
    seq: Generated<number>;
    id: string;
    company_id: string;
    transaction_id: string;
    recipient_id: string;
    type: string;
    /** Something was done to this subject. Each recipient has an entry of it. */
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
    /** This application made it, and its secret signs notifications. */
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
    /** After a rotation, the secret before stays valid for a while. */
    previous_secret_sealed: string | null;
    rotated_at: string | null;
    created_at: string;
  };
  /** A row is one event or mail for one receiver. It is written in the commit of the event or mail. */
  delivery: {
    seq: Generated<number>;
    id: string;
    company_id: string;
    transaction_id: string;
    kind: 'webhook' | 'notification' | 'mail';
    /** An endpoint is the id of a webhook, the address of a notification endpoint, or `smtp`. */
    endpoint: string;
    /** The secret of this application signs a notification. */
    client_id: string | null;
    /** A delivery brings an event or a mail. */
    subject_id: string;
    state: 'waiting' | 'delivered' | 'undelivered';
    /** It says why the delivery was given up. */
    reason: string | null;
    attempts: number;
    /** Both times are by the clock of the service: when it is due, and when that was decided. */
    due_at: string;
    scheduled_at: string;
    /** A process works on it with this lease, until a time by the clock of the machine. */
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
    /** The status is that of HTTP or SMTP; null says that no answer came. */
    status: number | null;
    why: string | null;
    /** Only the beginning of the answer is stored. */
    answer: string;
    duration_ms: number;
    next_at: string | null;
    /** The attempt was made at this mail server, as `smtp.example.com:587`; null for events. */
    server: string | null;
  };
  /** A row is a process that delivers, until a time by the clock of the machine. */
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
    /** The name is empty where replies go to the sender of the mail. */
    reply_name: string;
    reply_email: string;
    to_name: string;
    to_email: string;
    subject: string;
    /** The letter is JSON, and encrypted because it contains the signing address. */
    letter_sealed: string;
    /** The JSON has the ids of sealed documents. */
    attachments: string;
  };
  /** `id` is that of a company, or the word `authority` or `loopback`. */
  authority: {
    id: string;
    /** The content is encrypted, because it contains private keys. */
    content_sealed: string;
    created_at: string;
  };
  /** Users who can sign in at the dashboard have a row. */
  password: { user_id: string; hash: string; changed_at: string };
  /** `hash` is that of the cookie. */
  session: { hash: string; user_id: string; created_at: string; expires_at: string };
  /** The owner of the machine vouches for these users: email in their name may leave the service. */
  verified_user: { user_id: string; verified_at: string };
  /** Signs a user in once; `hash` is that of its token. */
  sign_in_link: { hash: string; user_id: string; path: string; expires_at: string };
  /**
   * A row says what a user has allowed a client application; `scopes` are all that were ever granted and not revoked.
   */
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
