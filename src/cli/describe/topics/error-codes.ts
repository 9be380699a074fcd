// Lists every error code with its exit code, meaning and hint, from the catalogue, so that it cannot be out of date.
import { INFRASTRUCTURE_ERRORS } from '../../command/error-catalogue/infrastructure.ts';
import { CATALOGUE } from '../../command/error-catalogue.ts';
import type { ErrorRow } from '../../command/error-row.ts';
import { ANSWER_HINTS, ANSWER_MEANINGS, serviceErrors, serviceExit } from '../../command/service-errors.ts';
import { rowsText, type TermRow } from '../rows.ts';

/** Where the texts begin. */
const COLUMN = 30;

type Documented = {
  code: string;
  exits: readonly number[];
  retryable?: boolean | undefined;
  meaning: string;
  hint?: string | undefined;
};

export function errorCodes(): string {
  const own = [
    ...Object.entries(CATALOGUE).map(documentCliError),
    ...Object.entries(INFRASTRUCTURE_ERRORS).map(documentInfrastructureError),
  ];
  const answered = [
    ...serviceErrors().map(({ exit, ...rest }) => ({ exits: [exit], ...rest })),
    ...documentAnswerErrors(),
  ];
  return [
    'An error is printed with its code: error: SENTENCE (CODE). With --json, it is an object with the same code.',
    'Codes and exit codes are stable. Sentences may change. Words in capitals stand for values; other values are',
    'examples. See `esign help exit-codes` for the exit codes. A code can come from esign or from the service; some',
    'are in both lists.',
    '',
    '# ERRORS OF ESIGN',
    '',
    table(own),
    '',
    '# ERRORS OF THE SERVICE',
    '',
    'The sentence comes from the service. Another service may use other codes.',
    '',
    table(answered),
    '',
    'Any other error response of the service has the code http_STATUS, for example http_502.',
  ].join('\n');
}

const table = (errors: readonly Documented[]): string =>
  rowsText(errors.toSorted((a, b) => (a.code < b.code ? -1 : 1)).map(rowOf), COLUMN);

/** Of the codes with several exit codes. */
const WHEN: Readonly<Record<string, string>> = {
  transaction_not_completed:
    'Exit 6 for a draft or a started transaction, 9 for one that ended without completion.',
};

const rowOf = ({ code, exits, retryable, meaning, hint }: Documented): TermRow => [
  code,
  [WHEN[code] ?? `Exit ${exits.join(' or ')}.`, meaning, hint, retryable && 'Retrying may help.']
    .filter(Boolean)
    .join(' '),
];

function documentCliError([code, described]: [string, unknown]): Documented {
  const { exit, sentence, hint, next, retryable, samples } = described as ErrorRow<unknown>;
  const [first] = samples;
  const exits = samples.map((facts) => (typeof exit === 'function' ? exit(facts) : exit));
  const steps = (next?.(first) ?? []).map(({ command, when }) => `Run \`${command}\` ${when}.`);
  const hintText = [hint?.(first), ...(hint ? [] : steps)].filter(Boolean).join(' ');
  return { code, exits: [...new Set(exits)], retryable, meaning: sentence(first), hint: hintText };
}

type InfrastructureErrorRow = { exit: number; meaning: string; hint: string; retryable?: boolean };

const documentInfrastructureError = ([code, { exit, ...rest }]: [
  string,
  InfrastructureErrorRow,
]): Documented => ({
  code,
  exits: [exit],
  ...rest,
});

/** Lists the codes of errors that the client itself finds in a response. */
const documentAnswerErrors = (): Documented[] =>
  (Object.keys(ANSWER_HINTS) as (keyof typeof ANSWER_HINTS)[]).map((code) => ({
    code,
    exits: [serviceExit(200, code)],
    meaning: ANSWER_MEANINGS[code],
    hint: ANSWER_HINTS[code],
  }));
