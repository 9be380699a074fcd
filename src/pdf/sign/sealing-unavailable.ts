// Defines the error for a document that cannot be sealed now, or not at its level. Nothing is ever sealed at a lower level instead.

export type UnavailableReason =
  /** A setting cannot be read, or does not fit. */
  | 'settings'
  /** The certificate has expired, is not valid yet, was revoked or does not belong to the key; or its chain is not complete. */
  | 'certificate'
  /** The key did not sign. */
  | 'key'
  /** The authority for timestamps did not answer as it has to. */
  | 'timestamps'
  /** Sealing needs to know whether the certificates were revoked. */
  | 'revocation';

export class SealingUnavailable extends Error {
  readonly reason: UnavailableReason;
  /** A sentence says what can be done about it. */
  readonly wayOut: string;

  /** @param message a sentence that names what did not work */
  constructor(reason: UnavailableReason, message: string, wayOut: string) {
    super(message);
    this.reason = reason;
    this.wayOut = wayOut;
  }
}
