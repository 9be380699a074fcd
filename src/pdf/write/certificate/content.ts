// Defines what a certificate says, as data. Times are UTC in ISO 8601, as in `2026-11-21T18:00:00.000Z`.
import type { EvidencePreparation } from './evidence.ts';

/** The seal is written into this field. */
export const SEAL_FIELD = 'Seal';

export type CertificateContent = {
  transaction: {
    id: string;
    name: string;
    company: string;
    createdAt: string;
    sentAt: string | null;
    completedAt: string;
    /** The signature says that it was made then: a moment after the completion. */
    sealedAt: string;
    /** The signature has its time from another clock than everything else. */
    isOtherClock?: boolean | undefined;
    service: string;
  };
  /** This certificate is a part of the document. */
  documentId: string;
  documents: readonly CertifiedDocument[];
  parties: readonly Party[];
  /** An authority of the service itself sealed, and may have issued other things as well. */
  ownAuthority?: OwnAuthority | undefined;
  /** Leads to the transaction; the QR code says the same. */
  link: string;
};

export type OwnAuthority = { of: 'sandbox' | 'server'; timestamps: boolean; revocationLists: boolean };

export type CertifiedDocument = {
  id: string;
  name: string;
  pages: number;
  /** The hash is that of the file as it was uploaded. */
  originalSha256: string;
  /** The sender's program stated that it did this before the upload. */
  preparation?: Omit<EvidencePreparation, 'stated_by'> | undefined;
  contentSha256: string;
  remarks: readonly string[];
  removed: readonly string[];
};

export type Party = {
  name: string;
  email: string;
  role: string;
  index: number;
  /** The color (`#rrggbb`) is that of the signing page. */
  color: string;
  /** They signed with these, each once: signatures before initials. */
  marks: readonly CertifiedMark[];
  /** They filled these in, in the order of the fields. Fields that were left empty are not listed. */
  values: readonly CertifiedValue[];
  /** A person without anything to sign or fill in has none. */
  signedAt: string | null;
  /** It completes "identified by": it showed the service who signed. */
  identifiedBy?: string | undefined;
  consent?: { version: string; hash: string } | undefined;
  steps: readonly PartyStep[];
};

/** A signature or initials stay as they were adopted. `value` is the text, or a PNG as a data URL. */
export type CertifiedMark = { mark: 'signature' | 'initials'; value: string } & (
  | { kind: 'typed'; face: 'handwriting' | 'script' }
  | { kind: 'drawn' | 'uploaded' }
);

/** A signature is named here and shown among the marks; other text is whole, however long. */
export type CertifiedValue = {
  label: string;
  /** Only a value among several documents has the name of one. */
  document?: string | undefined;
  /** It counts from 1. */
  page: number;
  /** It is the sender, whose value the recipient has not changed; or the service, with the date of signing in a time zone. */
  filledInBy?: 'sender' | { timeZone: string } | undefined;
} & ({ text: string } | Pick<CertifiedMark, 'mark' | 'kind'>);

export type PartyStep = {
  /** It happened then, or happened first. */
  at: string;
  /** It happened last then. */
  until?: string | undefined;
  action: string;
  /** It tells from where it was done, or what the mail server answered, line by line. */
  origin: readonly string[];
  timeZone: string | null;
};

export type CertifyResult = { ok: true; pdf: Uint8Array; contentBytes: number };
