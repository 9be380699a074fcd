// What is wrong with a signature, and what could not be proven: one word for programs, and the facts that a sentence needs.
// Sentences are made by whoever shows them. It must never hold text that was not read from the file as such.

export const FAULTS = [
  // The signature's place in the file.
  'byte_range_missing',
  'byte_range_malformed',
  'byte_range_gap',
  'byte_range_end',
  'contents_missing',
  'contents_malformed',
  'signature_dictionary_doubtful',
  'signed_part_unreadable',
  // The signature itself.
  'format_unknown',
  'format_weak',
  'cms_malformed',
  'cms_signers',
  'cms_content_inside',
  'attributes_missing',
  'algorithm_unknown',
  'algorithm_weak',
  'key_weak',
  'digest_mismatch',
  'signature_wrong',
  'certificate_damaged',
  'signing_certificate_missing',
  'signing_certificate_mismatch',
  // Who signed.
  'untrusted',
  'certificate_not_yet_valid',
  'certificate_expired',
  'certificate_usage',
  'certificate_unknown_extension',
  'certificate_revoked',
  // Timestamps.
  'timestamp_malformed',
  'timestamp_mismatch',
  'timestamp_invalid',
  'timestamp_future',
  // What came afterwards.
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
  'level_too_low',
  // What the document tells of itself.
  'evidence_wrong',
  'evidence_of_another',
  'value_not_shown',
  'original_differs',
  'too_many_signatures',
  'password_required',
  'password_wrong',
  'encryption_unknown',
] as const;

export type FaultCode = (typeof FAULTS)[number];

/** `facts` are texts for a sentence; object and place are where to look. */
export type Fault = { code: FaultCode; facts?: Record<string, string>; object?: number; at?: number };

/** Where a thing is: an object, and the bytes it has in the file. */
export type FindingPlace = { what: string; object?: number; start?: number; end?: number };
