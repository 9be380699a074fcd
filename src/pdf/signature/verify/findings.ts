// What is wrong with a signature, and what could not be proven: one word for programs, and the facts that a sentence needs.
// The caller that shows them makes the sentences. It must never hold text that was not read from the file as such.

/** Every fault, by what is at fault. */
const FAULTS = {
  /** The signature's place in the file. */
  place: [
    'byte_range_missing',
    'byte_range_malformed',
    'byte_range_gap',
    'byte_range_end',
    'contents_missing',
    'contents_malformed',
    'signature_dictionary_doubtful',
    'signed_part_unreadable',
  ],
  /** The signature itself. */
  signature: [
    'format_unknown',
    'format_weak',
    'cms_malformed',
    'cms_signers',
    'cms_content_inside',
    'attributes_missing',
    'digest_mismatch',
  ],
  /** The key that made it, and its certificate. */
  key: [
    'algorithm_unknown',
    'algorithm_weak',
    'key_weak',
    'signature_wrong',
    'certificate_damaged',
    'signing_certificate_missing',
    'signing_certificate_mismatch',
  ],
  /** Who signed. */
  signer: [
    'untrusted',
    'certificate_not_yet_valid',
    'certificate_expired',
    'certificate_usage',
    'certificate_unknown_extension',
    'certificate_revoked',
  ],
  timestamps: ['timestamp_malformed', 'timestamp_mismatch', 'timestamp_invalid', 'timestamp_future'],
  level: ['level_too_low'],
  /** What came afterwards. */
  changes: [
    'bytes_after',
    'update_unreadable',
    'update_irregular',
    'changed_content',
    'changed_form',
    'changed_annotations',
    'changed_signatures',
    'changed_locked_field',
    'changed_structure',
    'validation_data_removed',
    'overlay',
    'shown_differently',
    'not_compared',
  ],
  /** What the document tells of itself. */
  document: [
    'evidence_wrong',
    'evidence_of_another',
    'value_not_shown',
    'original_differs',
    'original_changed',
    'too_many_signatures',
    'too_complex',
    'password_required',
    'password_wrong',
    'encryption_unknown',
  ],
} as const;

export type FaultGroup = keyof typeof FAULTS;
export type FaultCode = (typeof FAULTS)[FaultGroup][number];

export const isOfGroup = ({ code }: Fault, group: FaultGroup): boolean =>
  (FAULTS[group] as readonly FaultCode[]).includes(code);

/** `facts` are texts for a sentence; object and place are where to look. */
export type Fault = { code: FaultCode; facts?: Record<string, string>; object?: number; at?: number };

/** Where a thing is: an object, and the bytes it has in the file. */
export type FindingPlace = { what: string; object?: number; start?: number; end?: number };
