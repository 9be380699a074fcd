// The settings of a store that seals with a key of the user. Paths are absolute or relative to the folder where the program was
// started.

export type SealingSettings = {
  /** Private key and certificates in PEM; the certificate of the key first. */
  key?: string;
  certificate?: string;
  /** Both in one file (PKCS #12), instead of the two above. */
  p12?: string;
  /** Of `key` or `p12`. A secret. */
  password?: string;
  /** Address of an authority for timestamps (RFC 3161). */
  tsa?: string;
  /** Policy that its timestamps must have: numbers with dots. */
  tsa_policy?: string;
  tsa_digest?: string;
  /** Certificates of its issuers in PEM, where its timestamps lack them. */
  tsa_certificates?: string;
  level?: string;
  /**
   * Revocation lists in PEM or DER, with commas between them; without them, they are loaded from the URLs in the certificates.
   */
  revocation_lists?: string;
};
