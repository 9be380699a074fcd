// Lists every error code with its exit code and meaning, from the tables that the program uses, so that it cannot be out of date.
import { PROBLEMS, type ProblemCode } from '../../../api/contract/problems.ts';
import { type CodeRow, ERROR_CODES, type ErrorCode, RETRYABLE } from '../../command/error-codes.ts';
import {
  ANSWER_HINTS,
  ANSWER_MEANINGS,
  SAID_BY_SERVICE,
  SERVICE_HINTS,
  serviceExit,
} from '../../command/service-errors.ts';
import type { TermRow } from './read-topic.ts';

type Documented = {
  code: string;
  exit: number;
  isRetryable?: boolean;
  meaning: string;
  hint?: string | undefined;
};

export const errorsOfEsign = (): TermRow[] =>
  rowsOf(
    (Object.entries(ERROR_CODES) as [ErrorCode, CodeRow][]).map(([code, [exit, meaning, hint]]) => ({
      code,
      exit,
      isRetryable: RETRYABLE.has(code),
      meaning,
      hint,
    })),
  );

export const errorsOfTheService = (): TermRow[] =>
  rowsOf([...documentServiceErrors(), ...documentAnswerErrors()]);

const rowsOf = (errors: readonly Documented[]): TermRow[] =>
  errors.toSorted((a, b) => (a.code < b.code ? -1 : 1)).map(rowOf);

/** Says when a code has which exit code, where it has several. */
const WHEN: Readonly<Record<string, string>> = {
  seed_invalid: 'Exit 2, or the exit code of the error in the value.',
  serve_checks_failed: 'Exit 1, or the exit code of the first check that failed.',
  transaction_not_completed:
    'Exit 6 for a draft or a started transaction, 9 for one that ended without completion.',
  worker_not_started: 'Exit 1, or the exit code of the process.',
} satisfies Partial<Record<ErrorCode, string>>;

const rowOf = ({ code, exit, isRetryable, meaning, hint }: Documented): TermRow => [
  code,
  [WHEN[code] ?? `Exit ${exit}.`, meaning, hint, isRetryable && 'Retrying may help.']
    .filter(Boolean)
    .join(' '),
];

export const documentServiceErrors = (): Documented[] =>
  (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => ({
    code,
    exit: serviceExit(PROBLEMS[code].status, code),
    meaning: `${PROBLEMS[code].title}.`,
    hint: SERVICE_HINTS[code] ?? (SAID_BY_SERVICE as Partial<Record<ProblemCode, string>>)[code],
  }));

/** Lists the codes of errors that the client itself finds in a response. */
const documentAnswerErrors = (): Documented[] =>
  (Object.keys(ANSWER_HINTS) as (keyof typeof ANSWER_HINTS)[]).map((code) => ({
    code,
    exit: serviceExit(200, code),
    meaning: ANSWER_MEANINGS[code],
    hint: ANSWER_HINTS[code],
  }));
