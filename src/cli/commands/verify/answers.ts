// The three questions that a person has about a signature, answered apart: whether the document is unchanged, who signed it, and when.
// The answer to one must never be better than what was found about it, whatever the answers to the others are.
import {
  type Change,
  effectOf,
  type Fault,
  isOfGroup,
  type SignatureReport,
  type SignatureVerdict,
} from '../../../pdf/verify/verify.ts';

export type Unchanged = 'yes' | 'no' | 'unknown';

export type Answers = {
  /** "yes" says that the signed bytes are those that were signed, and that nothing was done afterwards that the signature does not allow. */
  unchanged: Unchanged;
  /** What was added and is allowed. */
  added: Change['kind'][];
  /** True if the certificate leads to a trusted authority, and nothing is doubtful about it. */
  isSignerProven: boolean;
  isTimeProven: boolean;
};

export function answersOf({ faults, covers, chain, proven, changes }: SignatureReport): Answers {
  // Who signed a document that somebody changed later has signed it all the same.
  const ofSignature = faults.filter((fault) => !isOfGroup(fault, 'changes'));
  return {
    unchanged: covers ? unchangedBy(faults) : worseOf('unknown', unchangedBy(faults)),
    added: [...new Set(changes.map(({ kind }) => kind))],
    isSignerProven:
      chain?.anchor !== undefined && ofSignature.every((fault) => effectOf(fault).question === 'requirement'),
    isTimeProven: proven !== undefined && unchangedBy(ofSignature) === 'yes',
  };
}

const FOR_INTEGRITY: Record<SignatureVerdict, Unchanged> = {
  valid: 'yes',
  indeterminate: 'unknown',
  invalid: 'no',
};

function unchangedBy(faults: readonly Fault[]): Unchanged {
  const effects = faults.map(effectOf).filter(({ question }) => question === 'integrity');
  return effects.map(({ verdict }) => FOR_INTEGRITY[verdict]).reduce(worseOf, 'yes');
}

/** Answers for a file with signatures: the worst answer about a signature, or about the file as a whole, counts. */
export const unchangedIn = (signatures: readonly SignatureReport[], faults: readonly Fault[]): Unchanged =>
  signatures.map((signature) => answersOf(signature).unchanged).reduce(worseOf, unchangedBy(faults));

const BEST_FIRST: readonly Unchanged[] = ['yes', 'unknown', 'no'];

const worseOf = (first: Unchanged, second: Unchanged): Unchanged =>
  BEST_FIRST.indexOf(second) > BEST_FIRST.indexOf(first) ? second : first;
