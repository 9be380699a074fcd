// Lists the faults of a signature, and what could not be proven: a word for programs, and the details that a sentence needs. The caller that
// shows them makes the sentences.

/** `valid` is TOTAL-PASSED in the words of EN 319 102-1, `invalid` TOTAL-FAILED. */
export type SignatureVerdict = 'valid' | 'indeterminate' | 'invalid';

/** The order is that of EN 319 102-1, 5.1.3: the first counts before others where a signature has several. */
export const SUB_INDICATIONS = [
  'HASH_FAILURE',
  'SIG_CRYPTO_FAILURE',
  'FORMAT_FAILURE',
  'REVOKED',
  'EXPIRED',
  'NOT_YET_VALID',
  'NO_SIGNING_CERTIFICATE_FOUND',
  'NO_CERTIFICATE_CHAIN_FOUND',
  'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  'CHAIN_CONSTRAINTS_FAILURE',
  'REVOKED_NO_POE',
  'REVOKED_CA_NO_POE',
  'CRYPTO_CONSTRAINTS_FAILURE',
  'OUT_OF_BOUNDS_NO_POE',
  'TIMESTAMP_ORDER_FAILURE',
  'TRY_LATER',
  'SIG_CONSTRAINTS_FAILURE',
  'CUSTOM',
] as const;
export type SubIndication = (typeof SUB_INDICATIONS)[number];

/** A fault answers one question: whether the document is unchanged, who signed it, when, or whether it is as the caller requires. */
export type FaultQuestion = 'integrity' | 'identity' | 'time' | 'requirement';

type FaultRow = readonly [SignatureVerdict, SubIndication, FaultQuestion];

const MALFORMED: FaultRow = ['invalid', 'FORMAT_FAILURE', 'integrity'];
const HASH: FaultRow = ['invalid', 'HASH_FAILURE', 'integrity'];
const CRYPTO: FaultRow = ['invalid', 'SIG_CRYPTO_FAILURE', 'integrity'];
const WEAK: FaultRow = ['indeterminate', 'CRYPTO_CONSTRAINTS_FAILURE', 'integrity'];
/** The standard has no word for it. */
const UNMET: FaultRow = ['invalid', 'CUSTOM', 'requirement'];
/** Nothing is proven of what was not read. */
const UNREAD: FaultRow = ['indeterminate', 'CUSTOM', 'integrity'];

/** Each row says what a fault makes of the signature, and why. */
const FAULTS = {
  /** These findings are about the signature's place in the file. */
  place: {
    byte_range_missing: MALFORMED,
    byte_range_malformed: MALFORMED,
    byte_range_gap: MALFORMED,
    byte_range_end: MALFORMED,
    contents_missing: MALFORMED,
    contents_malformed: MALFORMED,
    signature_dictionary_doubtful: MALFORMED,
    signed_part_unreadable: MALFORMED,
  },
  signature: {
    format_unknown: MALFORMED,
    cms_malformed: MALFORMED,
    cms_signers: MALFORMED,
    cms_content_inside: MALFORMED,
    attributes_missing: ['indeterminate', 'SIG_CONSTRAINTS_FAILURE', 'identity'],
    attributes_wrong: MALFORMED,
    digest_mismatch: HASH,
  },
  /** These findings are about the key that made the signature, and its certificate. */
  key: {
    // A signature that cannot be checked could be anything: who accepts weak ones must not accept it.
    algorithm_unknown: CRYPTO,
    algorithm_weak: WEAK,
    key_weak: WEAK,
    key_forgeable: CRYPTO,
    signature_wrong: CRYPTO,
    certificate_damaged: CRYPTO,
    signing_certificate_missing: ['indeterminate', 'NO_SIGNING_CERTIFICATE_FOUND', 'integrity'],
    signing_certificate_mismatch: CRYPTO,
  },
  /** These findings are about who signed. */
  signer: {
    untrusted: ['indeterminate', 'NO_CERTIFICATE_CHAIN_FOUND', 'identity'],
    certificate_not_yet_valid: ['indeterminate', 'OUT_OF_BOUNDS_NO_POE', 'time'],
    certificate_expired: ['indeterminate', 'OUT_OF_BOUNDS_NO_POE', 'time'],
    certificate_usage: ['indeterminate', 'CHAIN_CONSTRAINTS_FAILURE', 'identity'],
    certificate_unknown_extension: ['indeterminate', 'CERTIFICATE_CHAIN_GENERAL_FAILURE', 'identity'],
    certificate_weak: ['indeterminate', 'CRYPTO_CONSTRAINTS_FAILURE', 'identity'],
    certificate_revoked: ['indeterminate', 'REVOKED_NO_POE', 'identity'],
    authority_revoked: ['indeterminate', 'REVOKED_CA_NO_POE', 'identity'],
    certificate_on_hold: ['indeterminate', 'TRY_LATER', 'identity'],
    revocation_outdated: ['indeterminate', 'TRY_LATER', 'identity'],
    signed_before_issuance: ['invalid', 'NOT_YET_VALID', 'time'],
    signed_after_expiry: ['invalid', 'EXPIRED', 'time'],
    signed_after_revocation: ['invalid', 'REVOKED', 'identity'],
  },
  timestamps: {
    timestamp_malformed: ['invalid', 'FORMAT_FAILURE', 'time'],
    timestamp_mismatch: HASH,
    // What is wrong with a timestamp in a signature is the fault that it names.
    timestamp_invalid: ['invalid', 'FORMAT_FAILURE', 'time'],
    timestamp_future: ['indeterminate', 'TIMESTAMP_ORDER_FAILURE', 'time'],
    timestamp_before_issuance: ['indeterminate', 'TIMESTAMP_ORDER_FAILURE', 'time'],
  },
  level: { level_too_low: ['indeterminate', 'SIG_CONSTRAINTS_FAILURE', 'requirement'] },
  /** Later saves made these changes. */
  changes: {
    bytes_after: MALFORMED,
    update_unreadable: MALFORMED,
    update_irregular: MALFORMED,
    changed_content: MALFORMED,
    changed_form: MALFORMED,
    changed_annotations: MALFORMED,
    changed_signatures: MALFORMED,
    changed_locked_field: MALFORMED,
    changed_structure: MALFORMED,
    validation_data_removed: MALFORMED,
    overlay: MALFORMED,
    shown_differently: MALFORMED,
    not_compared: UNREAD,
  },
  /** The document tells this of itself. */
  document: {
    evidence_wrong: MALFORMED,
    evidence_of_another: MALFORMED,
    value_not_shown: MALFORMED,
    original_differs: UNMET,
    original_changed: UNMET,
    too_many_signatures: UNREAD,
    too_complex: UNREAD,
    password_required: UNREAD,
    password_wrong: UNREAD,
    encryption_unknown: UNREAD,
  },
} as const satisfies Record<string, Record<string, FaultRow>>;

export type FaultGroup = keyof typeof FAULTS;
export type FaultCode = { [Group in FaultGroup]: keyof (typeof FAULTS)[Group] }[FaultGroup];

/** Rules raise each of these codes (`rules/policy.ts`). */
export type ChangeFaultCode = keyof (typeof FAULTS)['changes'];
export const CHANGE_FAULT_CODES = Object.keys(FAULTS.changes) as readonly ChangeFaultCode[];

export const isOfGroup = ({ code }: Fault, group: FaultGroup): boolean => Object.hasOwn(FAULTS[group], code);

const ROWS = new Map(Object.values(FAULTS).flatMap((rows) => Object.entries<FaultRow>(rows)));

/** `details` are texts for a sentence; `object` and `at` are where to look; `rule` is the name of the rule that objects. */
export type Fault = {
  code: FaultCode;
  details?: Record<string, string>;
  object?: number;
  at?: number;
  rule?: string;
};

/** A fault decides what becomes of the signature that has it, and is about one of the questions. */
export type FaultEffect = {
  verdict: SignatureVerdict;
  subIndication: SubIndication;
  question: FaultQuestion;
};

export function effectOf({ code, details }: Fault): FaultEffect {
  const [verdict, subIndication, question] = ROWS.get(code)!;
  const cause = code === 'timestamp_invalid' ? ROWS.get(details?.why ?? '') : undefined;
  return cause
    ? { verdict: cause[0], subIndication: cause[1], question }
    : { verdict, subIndication, question };
}

/** The worst of several faults decides on a signature or a file. */
export type Judgement = {
  verdict: SignatureVerdict;
  subIndication: SubIndication | undefined;
  fault: Fault | undefined;
};

const PASSED: Judgement = { verdict: 'valid', subIndication: undefined, fault: undefined };
const WORST_FIRST: readonly SignatureVerdict[] = ['invalid', 'indeterminate', 'valid'];

export function judgementOf(faults: readonly Fault[]): Judgement {
  const judged = faults.map((fault): Judgement => ({ ...effectOf(fault), fault }));
  const rank = ({ verdict, subIndication }: Judgement) =>
    WORST_FIRST.indexOf(verdict) * SUB_INDICATIONS.length +
    (subIndication ? SUB_INDICATIONS.indexOf(subIndication) : 0);
  return judged.reduce((worst, next) => (rank(next) < rank(worst) ? next : worst), PASSED);
}
