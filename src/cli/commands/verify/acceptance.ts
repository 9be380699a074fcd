// What the caller accepts beside valid files (--accept, --require), and the exit code that follows. It must never let an invalid
// signature pass.
import { nearest } from '../../../common/nearest.ts';
import { effectOf, SUB_INDICATIONS, type SubIndication } from '../../../pdf/verify/verify.ts';
import { cliError } from '../../command/errors.ts';
import { EXIT, type ExitCode } from '../../command/exit-codes.ts';
import { allFaults, type VerifiedFile } from './verified-file.ts';

export type Acceptance = { accepted: ReadonlySet<SubIndication>; isUnchangedEnough: boolean };

const INDETERMINATE = 'indeterminate';

/** `indeterminate:REASON,REASON`, for each option that was given. */
export function acceptanceOf(options: {
  accept: readonly string[];
  require: string | undefined;
}): Acceptance {
  const accepted = options.accept.flatMap(reasonsIn);
  return { accepted: new Set(accepted), isUnchangedEnough: options.require === 'unchanged' };
}

/** Reasons of the verdict `invalid` are none that can be accepted. */
const ACCEPTABLE = SUB_INDICATIONS.slice(SUB_INDICATIONS.indexOf('NO_SIGNING_CERTIFICATE_FOUND'));

function reasonsIn(text: string): SubIndication[] {
  const [verdict = '', reasons, ...more] = text.split(':');
  if (verdict !== INDETERMINATE || !reasons || more.length > 0)
    throw cliError('value_invalid', {
      name: '--accept',
      value: text,
      meant: verdict !== INDETERMINATE ? nearest(verdict, [INDETERMINATE]) : undefined,
      use: `indeterminate: and one or more of ${ACCEPTABLE.join(', ')}`,
    });
  return reasons.split(',').map((word) => {
    const reason = ACCEPTABLE.find((one) => one === word.trim());
    if (reason) return reason;
    const isOfInvalid = SUB_INDICATIONS.some((one) => one === word.trim());
    throw cliError('value_invalid', {
      name: '--accept',
      value: word.trim(),
      problem: isOfInvalid
        ? 'is a reason of invalid signatures, which are never accepted'
        : 'is not a reason of the verdict indeterminate',
      meant: isOfInvalid ? undefined : nearest(word.trim(), ACCEPTABLE, MOST_CHANGES),
      use: `one or more of ${ACCEPTABLE.join(', ')}`,
    });
  });
}

/** The words are long, so that a misspelt one may be further from the right one than others are. */
const MOST_CHANGES = 4;

/** Tells whether nothing is wrong with a file, or only what the caller accepts. */
export const isAccepted = (file: VerifiedFile, acceptance: Acceptance): boolean =>
  file.verdict === 'valid' || acceptingOption(file, acceptance) !== undefined;

/** The option by which a file passes that is not valid. */
export function acceptingOption(
  file: VerifiedFile,
  { accepted, isUnchangedEnough }: Acceptance,
): '--accept' | '--require unchanged' | undefined {
  if (file.verdict !== INDETERMINATE) return undefined;
  const faults = allFaults(file);
  // A signature that was not looked at can be an invalid one.
  if (faults.some(({ code }) => code === 'too_many_signatures')) return undefined;
  const effects = faults.map(effectOf);
  if (effects.every(({ subIndication }) => accepted.has(subIndication))) return '--accept';
  const isUnchanged = effects.every(({ question }) => question === 'identity' || question === 'time');
  return isUnchangedEnough && isUnchanged ? '--require unchanged' : undefined;
}

/** Those of several files by what counts first. */
const WORST_FIRST: readonly ExitCode[] = [EXIT.usage, EXIT.endedBadly, EXIT.uncertain, EXIT.done];

export function exitOf(files: readonly VerifiedFile[], acceptance: Acceptance): ExitCode {
  const exits = files.map((file): ExitCode => {
    if (file.verdict === 'not_a_pdf') return EXIT.usage;
    if (isAccepted(file, acceptance)) return EXIT.done;
    return file.verdict === INDETERMINATE ? EXIT.uncertain : EXIT.endedBadly;
  });
  return WORST_FIRST.find((exit) => exits.includes(exit)) ?? EXIT.done;
}
