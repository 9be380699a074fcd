// What a certificate says, as data. Times are UTC in ISO 8601, as in `2026-11-21T18:00:00.000Z`. It must never know how a
// transaction is stored.
import type { EvidencePreparation } from './evidence.ts';

/** The field that the seal is written into. */
export const SEAL_FIELD = 'Seal';

export type CertificateContent = {
  transaction: {
    id: string;
    name: string;
    company: string;
    createdAt: string;
    sentAt: string | null;
    completedAt: string;
    /** When the signature says it was made: a moment after the completion. */
    sealedAt: string;
    /** The signature has its time from another clock than everything else. */
    isOtherClock?: boolean | undefined;
    /** The address of the service. */
    service: string;
  };
  /** The document that this certificate is a part of. */
  documentId: string;
  documents: readonly CertifiedDocument[];
  parties: readonly Party[];
  /** Set where an authority of the service itself sealed, with what else it issued. */
  ownAuthority?: OwnAuthority | undefined;
  /** Leads to the transaction; the QR code says the same. */
  link: string;
};

export type OwnAuthority = { of: 'sandbox' | 'server'; timestamps: boolean; revocationLists: boolean };

export type CertifiedDocument = {
  id: string;
  name: string;
  pages: number;
  /** Of the file as it was uploaded. */
  originalSha256: string;
  /** What the sender's program stated that it did before the upload. */
  preparation?: Omit<EvidencePreparation, 'stated_by'> | undefined;
  contentSha256: string;
  /** Sentences. */
  remarks: readonly string[];
  removed: readonly string[];
};

export type Party = {
  name: string;
  email: string;
  role: string;
  /** The place in the order. */
  index: number;
  /** `#rrggbb`, as on the signing page. */
  color: string;
  /** What they signed with, each once: signatures before initials. */
  marks: readonly CertifiedMark[];
  /** What they filled in, in the order of the fields. Fields that were left empty are not listed. */
  values: readonly CertifiedValue[];
  /** Null for a person without anything to sign or fill in. */
  signedAt: string | null;
  /** What showed the service who signed, as the end of "identified by". */
  identifiedBy?: string | undefined;
  consent?: { version: string; hash: string } | undefined;
  steps: readonly PartyStep[];
};

/** A signature or initials as they were adopted. `value` is the text, or a PNG as a data URL. */
export type CertifiedMark = { mark: 'signature' | 'initials'; value: string } & (
  | { kind: 'typed'; face: 'handwriting' | 'script' }
  | { kind: 'drawn' | 'uploaded' }
);

/** What stands in a field of a document. A signature is named here and shown among the marks; other text is whole, however long. */
export type CertifiedValue = {
  label: string;
  /** The name of the document, where there are several. */
  document?: string | undefined;
  /** From 1. */
  page: number;
  /** The sender, whose value the recipient has not changed; or the service, with the date of signing in a time zone. */
  filledInBy?: 'sender' | { timeZone: string } | undefined;
} & ({ text: string } | Pick<CertifiedMark, 'mark' | 'kind'>);

export type PartyStep = {
  /** When it happened, or happened first. */
  at: string;
  /** When it happened last. */
  until?: string | undefined;
  what: string;
  /** From where it was done, or what the mail server answered, line by line. */
  origin: readonly string[];
  /** As in `Europe/Berlin`. */
  timeZone: string | null;
};

export type CertifyResult = { ok: true; pdf: Uint8Array; contentBytes: number };
