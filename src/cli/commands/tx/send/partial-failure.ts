// Makes the error of a plan that failed on the way: it names what exists by then, and the command that continues.
import type { ConnectionError } from '../../../../api/transport.ts';
import { CliError, PartialFailure } from '../../../command/errors.ts';
import { EXIT } from '../../../command/exit-codes.ts';
import type { Plan } from '../../../transactions/plan.ts';
import type { PlanResults } from '../../../transactions/plan-steps.ts';
import { isUnderWay } from '../../../transactions/start-when-checked.ts';

/**
 * Wraps an error with the draft, and with the plan where it can be resumed. A refusal of the service keeps its exit code; a
 * lost answer, and a refusal of this command itself, is "partly done".
 */
export function partialFailure(error: unknown, plan: Plan, { transactionId }: PlanResults): PartialFailure {
  const isLost =
    error instanceof Error &&
    error.name === 'ConnectionError' &&
    (error as ConnectionError).delivery === 'unknown';
  const isFinal = isRefusedForGood(error);
  const command = `esign tx send --resume ${plan.id}`;
  return new PartialFailure(error, {
    partial: {
      ...(transactionId !== undefined && { id: transactionId }),
      ...(!isFinal && { plan: plan.id }),
    },
    ...(isLost && { exit: EXIT.partly }),
    next: !isFinal
      ? [{ command, when: 'to resume' }]
      : transactionId === undefined
        ? []
        : [
            {
              command: `esign tx show ${transactionId}`,
              when: 'to see the draft; correct the error and send again',
            },
          ],
  });
}

/** Whether resuming is useless: the plan does not change, so the same request would be refused again. */
function isRefusedForGood(error: unknown): boolean {
  const { name, status } = error as { name?: string; status?: number };
  if (isUnderWay(error)) return false;
  return isRefusedHere(error) || (name === 'ApiError' && REFUSED_FOR_GOOD.has(status ?? 0));
}

/** Whether this command refused to continue because of something that it learned from the service. */
const isRefusedHere = (error: unknown): boolean =>
  error instanceof CliError && error.facts.exit === EXIT.usage;

const REFUSED_FOR_GOOD = new Set([400, 404, 409, 413, 415, 422]);
