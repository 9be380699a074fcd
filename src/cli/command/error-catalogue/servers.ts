// Errors of the commands of a team server, and of seeds of a sandbox.
import { didYouMean } from '../../../common/nearest.ts';
import { errorRow } from '../error-row.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

export type FailedCheck = { name: string; says: string; hint?: string | undefined };

/** @property first the check whose exit code the command ends with */
type ServeChecksFailed = { checks: readonly FailedCheck[]; first: { exit: ExitCode } };

/** @property place the file, line and column @property found the error that was found in a value of the file */
type SeedInvalid = { place: string; problem: string; hint?: string | undefined; found?: { exit: ExitCode } };

export const SERVER_ERRORS = {
  serve_checks_failed: errorRow<ServeChecksFailed>({
    exit: ({ first }) => first.exit,
    sentence: ({ checks }) =>
      `The server was not started, because ${checks.length === 1 ? 'a check' : `${checks.length} checks`} failed. ${checks
        .map(({ name, says }) => `${name}: ${says}`)
        .join(' ')}`,
    hint: ({ checks }) =>
      [
        ...checks.flatMap(({ hint }) => hint ?? []),
        `To start all the same, add ${checks.map(({ name }) => `--allow ${name}`).join(' ')}.`,
      ].join(' '),
    next: () => [{ command: 'esign serve --check', when: 'to run the checks again' }],
    samples: [
      { checks: [{ name: 'CHECK', says: 'RESULT.' }], first: { exit: EXIT.unexpected } },
      {
        checks: [
          { name: 'sealing', says: 'A.', hint: 'B.' },
          { name: 'mail', says: 'C.' },
        ],
        first: { exit: EXIT.usage },
      },
    ],
  }),
  worker_not_started: errorRow<{ exit: ExitCode }>({
    exit: ({ exit }) => exit,
    sentence: ({ exit }) =>
      `The server was not started, because one of its processes ended with exit code ${exit}.`,
    hint: () => 'Its own error is printed above.',
    samples: [{ exit: EXIT.unexpected }],
  }),
  seed_invalid: errorRow<SeedInvalid>({
    exit: ({ found }) => found?.exit ?? EXIT.usage,
    sentence: ({ place, problem }) => `${place}: ${problem}`,
    hint: ({ hint }) => hint,
    samples: [
      { place: 'FILE:LINE:COLUMN', problem: 'PROBLEM.' },
      { place: 'FILE:LINE:COLUMN', problem: 'PROBLEM.', hint: 'HINT.', found: { exit: EXIT.usage } },
    ],
  }),
  company_unknown: errorRow<{ company: string; meant: string }>({
    exit: EXIT.usage,
    sentence: ({ company }) =>
      `There is no company "${company}", but one with a similar name. No user was added.`,
    hint: ({ meant }) =>
      `Did you mean --company ${meant.includes(' ') ? `"${meant}"` : meant}? Users see only what belongs to their own company. To make another company, add --new-company.`,
    samples: [{ company: 'engines', meant: 'Engines' }],
  }),
  user_known: errorRow<{ email: string }>({
    exit: EXIT.conflict,
    sentence: ({ email }) => `A user with the email address ${email} exists already.`,
    hint: () => 'Use another email address.',
    samples: [{ email: 'EMAIL' }],
  }),
  user_unknown: errorRow<{ email: string; meant?: string | undefined }>({
    exit: EXIT.notFound,
    sentence: ({ email }) => `No user has the email address ${email}.`,
    hint: ({ meant }) => didYouMean(meant, 'List the users with `esign serve user list`.'),
    next: () => [{ command: 'esign serve user list', when: 'to see all users' }],
    samples: [{ email: 'EMAIL' }, { email: 'ada@exmaple.com', meant: 'ada@example.com' }],
  }),
};
