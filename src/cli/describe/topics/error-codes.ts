// Lists every error code with its exit code, meaning and hint, from the catalogue, so that it cannot be out of date.
import { INFRASTRUCTURE_ERRORS } from '../../command/error-catalogue/infrastructure.ts';
import { CATALOGUE } from '../../command/error-catalogue.ts';
import type { ErrorRow } from '../../command/error-row.ts';
import { ANSWER_HINTS, ANSWER_MEANINGS, serviceErrors, serviceExit } from '../../command/service-errors.ts';
import type { TermRow } from './read-topic.ts';

type Documented = {
  code: string;
  exits: readonly number[];
  retryable?: boolean | undefined;
  meaning: string;
  hint?: string | undefined;
};

export const errorsOfEsign = (): TermRow[] =>
  rowsOf([
    ...Object.entries(CATALOGUE).map(documentCliError),
    ...Object.entries(INFRASTRUCTURE_ERRORS).map(documentInfrastructureError),
  ]);

export const errorsOfTheService = (): TermRow[] =>
  rowsOf([
    ...serviceErrors().map(({ exit, ...rest }) => ({ exits: [exit], ...rest })),
    ...documentAnswerErrors(),
  ]);

const rowsOf = (errors: readonly Documented[]): TermRow[] =>
  errors.toSorted((a, b) => (a.code < b.code ? -1 : 1)).map(rowOf);

/** Says when a code has which exit code, where it has several. */
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
