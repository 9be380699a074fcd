// Errors about profiles and settings that commands find; src/config reports what is wrong in the files themselves.
import { didYouMean } from '../../../common/nearest.ts';
import { errorRow, plainErrorRow } from '../error-row.ts';
import { EXIT } from '../exit-codes.ts';

const exit = EXIT.usage;

export const PROFILE_ERRORS = {
  profile_missing: errorRow<{ taken?: string }>({
    exit,
    sentence: ({ taken }) =>
      taken === undefined
        ? 'No profile is in use, because ESIGN_BASE_URL is set.'
        : `The profile "${taken}" exists, but for another URL of this host.`,
    hint: ({ taken }) =>
      taken === undefined ? 'Add --profile NAME.' : 'Choose a name for the new profile with --profile NAME.',
    samples: [{}, { taken: 'NAME' }],
  }),
  profile_name_invalid: errorRow<{ name: string }>({
    exit,
    sentence: ({ name }) => `"${name}" is not a valid profile name.`,
    hint: () => 'Use up to 64 letters, digits, - and _. The name "sandbox" is reserved.',
    samples: [{ name: 'NAME' }],
  }),
  profile_conflict: errorRow<{ one: string; other: string }>({
    exit,
    sentence: ({ one, other }) => `The command names two profiles, "${one}" and "${other}".`,
    hint: () => 'Leave one of them out.',
    samples: [{ one: 'NAME', other: 'OTHER' }],
  }),
  profile_exists: errorRow<{ name: string }>({
    exit,
    sentence: ({ name }) => `The profile "${name}" already exists.`,
    hint: () => 'Change it with `esign config set KEY VALUE`, or choose another name.',
    samples: [{ name: 'NAME' }],
  }),
  profile_is_own: plainErrorRow({
    exit,
    sentence: 'The sandbox profile cannot be deleted.',
    hint: 'Delete what is in it with `esign sandbox reset`.',
  }),
  key_unknown: errorRow<{ key: string; meant?: string | undefined }>({
    exit,
    sentence: ({ key }) => `Unknown setting "${key}".`,
    hint: ({ meant }) => didYouMean(meant, 'See `esign config set --help` for all settings.'),
    samples: [{ key: 'KEY' }, { key: 'base_ulr', meant: 'base_url' }],
  }),
  key_is_secret: errorRow<{ key: string }>({
    exit,
    sentence: ({ key }) => `"${key}" looks like a secret. The configuration stores no secrets.`,
    hint: () => 'Store tokens with `esign login`. In CI, set ESIGN_ACCESS_TOKEN.',
    samples: [{ key: 'KEY' }],
  }),
  key_not_set: errorRow<{ key: string }>({
    exit: EXIT.notFound,
    sentence: ({ key }) => `${key} is not set.`,
    hint: () => 'List the settings with `esign config list`.',
    samples: [{ key: 'KEY' }],
  }),
  key_not_of_sandbox: errorRow<{ key: string }>({
    exit,
    sentence: ({ key }) => `The sandbox has its own URL: ${key} cannot be set for it.`,
    hint: ({ key }) =>
      `Set it for the profile of a service: \`esign config set ${key} https://… --profile NAME\`.`,
    samples: [{ key: 'base_url' }],
  }),
  key_of_sandbox_only: errorRow<{ key: string }>({
    exit,
    sentence: ({ key }) => `${key} applies only to the sandbox, not to a service.`,
    hint: ({ key }) => `Set it for the sandbox: \`esign config set ${key} VALUE --sandbox\`.`,
    samples: [{ key: 'mail.smtp' }],
  }),
  route_invalid: errorRow<
    { route: string; example: string } | { operation: string; stray: string; known: readonly string[] }
  >({
    exit,
    sentence: (facts) =>
      'route' in facts
        ? `"${facts.route}" is not a valid route.`
        : `The operation ${facts.operation} has no value for ${facts.stray}.`,
    hint: (facts) => {
      if ('route' in facts) return `Use a method and a path, as in "${facts.example}".`;
      return facts.known.length > 0 ? `Use ${facts.known.join(', ')}.` : `Leave out ${facts.stray}.`;
    },
    samples: [
      { route: 'ROUTE', example: 'PUT /v1/transaction/{transactionId}/cancel' },
      { operation: 'transaction.cancel', stray: '{id}', known: ['{transactionId}'] },
      { operation: 'template.list', stray: '{id}', known: [] },
    ],
  }),
};
