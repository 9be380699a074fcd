import { defineCommand } from '../../command/command.ts';
import { usageError } from '../../command/errors.ts';

export const command = defineCommand({
  summary: 'link an account of a service',
  details:
    'Opens the dashboard of the service in a browser, where you sign in and consent, and keeps the tokens in the ' +
    'keyring, or in a file that only you may read. What the profile does not know yet is asked for. The client secret ' +
    'comes from a question, a file, standard input or ESIGN_CLIENT_SECRET, never from the value of a flag.',
  arguments: [],
  options: {
    'base-url': { value: 'URL', summary: 'address of the service' },
    'dashboard-url': { value: 'URL', summary: 'address of its dashboard, where you consent' },
    'app-url': { value: 'URL', summary: 'address of its signing application' },
    'client-id': { value: 'ID', summary: 'Client Application ID, from the OAuth settings of the dashboard' },
    'client-secret-file': {
      value: 'FILE',
      summary: 'file with the Client Secret; - is standard input',
      completes: 'file',
    },
    scopes: {
      value: 'SCOPE,…',
      summary: 'what the application may do; all of it when left out',
      completes: 'scope',
    },
    port: { value: 'N', summary: 'port of the Callback URL on this machine, instead of 8976' },
    'callback-url': {
      value: 'URL',
      summary: 'Callback URL as it is registered (http://127.0.0.1:8976/callback)',
    },
    sender: { value: 'PERSON', summary: 'who sends with it: "Name <email>", you as the service knows you' },
    'no-browser': { summary: 'only print the address; take what the browser ends at when it is pasted' },
    'allow-missing-state': {
      summary:
        'accept an answer of the browser without the state that was sent; only for services that never send it back',
    },
    start: { summary: 'print the address and end; for scripts' },
    complete: { value: 'URL', summary: 'finish what --start began: the address it ended at, a code, or -' },
    'with-token': { summary: 'keep the access token on standard input instead' },
  },
  json: '{profile, service, client_id, scopes, stored_in, file, is_current}; --start: {profile, authorize_url, callback_url, expires_at, next}',
  examples: [
    {
      line: 'esign login --base-url https://api.example.com --dashboard-url https://dashboard.example.com',
      about: 'a service that this machine does not know yet',
    },
    { line: 'esign login --no-browser', about: 'over SSH' },
    { line: 'esign login --start --client-id ID --client-secret-file secret.txt', about: 'for a script' },
  ],
  async run(context, { options }) {
    const ways = (['start', 'complete', 'with-token', 'no-browser'] as const).filter((way) => options[way]);
    if (ways.length > 1)
      throw usageError(
        'options_conflict',
        `--${ways[0]} and --${ways[1]} are two ways to log in.`,
        'Leave one of them out.',
      );
    if (options.start || options.complete !== undefined) {
      const { completeLogin, startLogin } = await import('./two-steps.ts');
      return options.complete === undefined
        ? startLogin(context, options)
        : completeLogin(context, options.complete, options['allow-missing-state']);
    }
    const { login, loginWithToken } = await import('./log-in.ts');
    return options['with-token']
      ? loginWithToken(context, options)
      : login(context, options, !options['no-browser']);
  },
});
