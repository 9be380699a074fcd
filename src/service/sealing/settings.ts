// How a store seals that has a key of its own: the settings, as they come from outside. Paths are absolute or from where the
// program was started.

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
  /** Revocation lists in PEM or DER, with commas between them; left out, they are loaded from where certificates say. */
  revocation_lists?: string;
};
