// Errors of logging in, and of the credentials that a command uses.
import { didYouMean } from '../../../common/nearest.ts';
import { errorRow, plainErrorRow } from '../error-row.ts';
import { EXIT } from '../exit-codes.ts';

const usage = EXIT.usage;
const access = EXIT.access;

/** An address that a server of ours could not listen at. */
type Listening = { address: string; hint: string };

const listening = (problem: string, hint: string) =>
  errorRow<Listening>({
    exit: usage,
    sentence: ({ address }) => `${address} ${problem}.`,
    hint: (facts) => facts.hint,
    samples: [{ address: 'HOST:PORT', hint }],
  });

export const LOGIN_ERRORS = {
  callback_invalid: errorRow<{ name: string; value: string } | { expected: string } | { why: string }>({
    exit: usage,
    sentence: (facts) => {
      if ('name' in facts) return `"${facts.value}" is not a valid callback URL for ${facts.name}.`;
      return 'expected' in facts
        ? 'This is neither a code nor the URL that the browser was sent back to.'
        : `This URL does not complete a login. ${facts.why}`;
    },
    hint: (facts) => {
      if ('name' in facts)
        return 'Use the callback URL as it is registered, for example http://127.0.0.1:8976/callback.';
      return 'expected' in facts
        ? `Copy the whole URL. It begins with ${facts.expected} and contains code=.`
        : 'Copy the whole URL.';
    },
    samples: [
      { name: '--callback-url', value: 'VALUE' },
      { expected: 'http://127.0.0.1:8976/callback' },
      { why: 'It contains no code.' },
    ],
  }),
  callback_elsewhere: errorRow<{ callback: string }>({
    exit: usage,
    sentence: ({ callback }) =>
      `The callback URL ${callback} is not on this machine, so esign cannot receive the code.`,
    hint: () =>
      'Run `esign login --start` and open the link. Then run `esign login --complete URL` with the URL that the browser ends at.',
    samples: [{ callback: 'CALLBACK_URL' }],
  }),
  callback_not_here: errorRow<{ callback: string }>({
    exit: usage,
    sentence: ({ callback }) =>
      `--port needs a callback URL on this machine. ${callback} is not on this machine.`,
    hint: () => 'Leave out --port.',
    samples: [{ callback: 'CALLBACK_URL' }],
  }),
  client_id_invalid: errorRow<{ name: string; value: string }>({
    exit: usage,
    sentence: ({ name, value }) => `"${value}" is not a valid client ID for ${name}.`,
    hint: () => 'Copy the client ID of the OAuth application from the dashboard.',
    samples: [{ name: '--client-id', value: 'VALUE' }],
  }),
  application_unknown: errorRow<{ service: string; clientId: string }>({
    exit: EXIT.network,
    retryable: true,
    sentence: ({ service, clientId }) =>
      `The service ${service} did not answer whether the application "${clientId}" has a client secret.`,
    hint: () => 'Try again later. If the application has a client secret, add --client-secret-file FILE.',
    samples: [{ service: 'SERVICE', clientId: 'CLIENT_ID' }],
  }),
  scope_missing: errorRow<{ name: string; known: readonly string[] }>({
    exit: usage,
    sentence: ({ name }) => `${name} contains no scope.`,
    hint: ({ known }) => `Use one or more of ${known.join(', ')}.`,
    samples: [{ name: '--scopes', known: ['transaction.read', 'transaction.write'] }],
  }),
  scope_unknown: errorRow<{
    name: string;
    scope: string;
    meant?: string | undefined;
    known: readonly string[];
  }>({
    exit: usage,
    sentence: ({ name, scope }) => `"${scope}" is not a valid scope (${name}).`,
    hint: ({ meant, known }) => didYouMean(meant, `Use one or more of ${known.join(', ')}.`, ''),
    samples: [
      { name: '--scopes', scope: 'SCOPE', known: ['transaction.read', 'transaction.write'] },
      { name: '--scopes', scope: 'transaction.raed', meant: 'transaction.read', known: ['transaction.read'] },
    ],
  }),
  browser_needed: plainErrorRow({
    exit: usage,
    sentence: 'Login needs a person with a browser.',
    hint: 'In a script, use `esign login --start` and `esign login --complete URL`, or pipe an access token into `esign login --with-token`.',
  }),
  sandbox_needs_no_login: plainErrorRow({
    exit: usage,
    sentence: 'The sandbox needs no login.',
    hint: 'Specify the service with --profile NAME, or log in to a new one with `esign login --base-url https://…`.',
  }),
  sandbox_has_no_login: plainErrorRow({
    exit: usage,
    sentence: 'The sandbox has no login, so there is no token to print.',
    hint: 'Create a token of the sandbox with `esign sandbox token --raw`, or specify a service with --profile NAME.',
  }),
  refresh_token_missing: errorRow<{ profile: string }>({
    exit: access,
    sentence: ({ profile }) => `The login of the profile "${profile}" has no refresh token.`,
    hint: () => 'Log in with `esign login`, or print the access token without --refresh-token.',
    next: ({ profile }) => [{ command: `esign login --profile ${profile}`, when: 'to get a refresh token' }],
    samples: [{ profile: 'PROFILE' }],
  }),
  refresh_token_replaced: errorRow<{ profile: string }>({
    exit: access,
    sentence: ({ profile }) =>
      `The refresh token of the profile "${profile}" works once, because its OAuth application is public.`,
    hint: () =>
      'Another program that used it would end this login. For a job of a CI system, log in with an application that has a client secret.',
    samples: [{ profile: 'PROFILE' }],
  }),
  login_not_begun: errorRow<{ profile?: string | undefined }>({
    exit: usage,
    sentence: ({ profile }) =>
      `No login was started${profile === undefined ? '' : ` for the profile "${profile}"`}.`,
    hint: () => 'Start with `esign login --start`. Complete the login within an hour.',
    samples: [{}, { profile: 'PROFILE' }],
  }),
  state_missing: plainErrorRow({
    exit: usage,
    sentence:
      'The callback has no state parameter, so esign cannot tell whether it belongs to this login. It may be forged, to log this machine in to an account that is not yours.',
    hint: 'Open the printed link and consent again. If your service never returns the state, add --allow-missing-state.',
  }),
  state_wrong: plainErrorRow({
    exit: usage,
    sentence: 'This URL belongs to another login.',
    hint: 'Open the link that was printed last, and copy the URL that the browser ends at.',
  }),
  consent_denied: plainErrorRow({
    exit: access,
    sentence: 'Consent was refused in the browser.',
    hint: 'Run `esign login` again.',
  }),
  consent_failed: errorRow<{ said: string }>({
    exit: access,
    sentence: ({ said }) => `The service refused the login: ${said}`,
    hint: () => 'Check the client ID and the scopes.',
    samples: [{ said: 'REASON.' }],
  }),
  login_contested: plainErrorRow({
    exit: access,
    sentence:
      'Two different callbacks arrived for one login. One of them may be forged, so neither was used.',
    hint: 'Close browser pages that you do not know, then run `esign login` again.',
  }),
  login_timeout: plainErrorRow({
    exit: access,
    retryable: true,
    sentence: 'The login was not completed in the browser within ten minutes.',
    hint: 'Run `esign login` again and open the link. If the browser is on another machine, use `esign login --start`.',
  }),
  login_of_another_user: errorRow<{
    user: string;
    email: string;
    sender: string;
    setting: '--sender' | 'ESIGN_SENDER';
  }>({
    exit: usage,
    sentence: ({ user, sender }) => `The access token belongs to ${user}, not to ${sender}.`,
    hint: ({ email, sender, setting }) =>
      `Nothing was stored. Log in as ${sender}, or ${setting === '--sender' ? `use --sender ${email}` : `set ESIGN_SENDER to ${email}`}.`,
    samples: [
      { user: 'Ann <ann@example.com>', email: 'ann@example.com', sender: 'SENDER', setting: '--sender' },
      { user: 'Ann <ann@example.com>', email: 'ann@example.com', sender: 'SENDER', setting: 'ESIGN_SENDER' },
    ],
  }),
  login_ended: errorRow<{ said: string; hint: string }>({
    exit: access,
    sentence: ({ said }) => `The service has ended the login: ${said}`,
    hint: ({ hint }) => hint,
    samples: [{ said: 'REASON.', hint: 'Log in again with `esign login`.' }],
  }),
  not_logged_in: errorRow<{ profile: string; service: string; other?: string; why?: string }>({
    exit: access,
    sentence: ({ profile, service, other, why }) =>
      why ??
      (other === undefined
        ? `You are not logged in to ${service}.`
        : `The login of the profile "${profile}" is for ${other}, not for ${service}.`),
    hint: () =>
      'Log in with `esign login`. In CI, set ESIGN_ACCESS_TOKEN, or ESIGN_CLIENT_ID, ESIGN_CLIENT_SECRET and ESIGN_REFRESH_TOKEN.',
    next: ({ profile }) => [{ command: `esign login --profile ${profile}`, when: 'to log in' }],
    samples: [
      { profile: 'PROFILE', service: 'SERVICE' },
      { profile: 'a', service: 'https://a.test', other: 'https://b.test' },
    ],
  }),
  credentials_incomplete: errorRow<{ missing: string }>({
    exit: usage,
    sentence: ({ missing }) => `ESIGN_REFRESH_TOKEN is set, but ${missing} is not.`,
    hint: () => 'Set ESIGN_CLIENT_ID, ESIGN_CLIENT_SECRET and ESIGN_REFRESH_TOKEN together.',
    samples: [{ missing: 'ESIGN_CLIENT_ID' }],
  }),
  port_in_use: listening('is already in use', 'Choose another port with --port.'),
  port_not_allowed: listening(
    'cannot be used: permission denied',
    'Choose a port from 1024 to 65535 with --port.',
  ),
  address_not_available: listening(
    'is not an address of this machine',
    'Leave out --host, or use an address of this machine.',
  ),
};
