// Topics of `esign help` that are no commands.
import { ASSUMED_ROUTES } from '../../api/contract/assumed-routes.ts';
import type { Operation } from '../../api/contract/operation.ts';
import { EXIT_MEANINGS } from '../command/errors.ts';
import type { Tree } from '../command/tree.ts';

const ENVIRONMENT = `  ESIGN_BASE_URL        address of the service to speak to
  ESIGN_ACCESS_TOKEN    access token for it; without a service this is an error, never the sandbox
  ESIGN_CLIENT_ID, ESIGN_CLIENT_SECRET, ESIGN_REFRESH_TOKEN
                        instead of an access token: one is fetched, and kept in memory only
  ESIGN_ACCESS_TOKEN_FILE, ESIGN_CLIENT_ID_FILE, ESIGN_CLIENT_SECRET_FILE, ESIGN_REFRESH_TOKEN_FILE
                        the same, as the name of a file that holds it
  ESIGN_CREDENTIAL_STORE
                        where \`esign login\` keeps tokens: keyring or file; left out, the keyring where there is one
  ESIGN_APP_URL         address of its signing application
  ESIGN_DASHBOARD_URL   address of its dashboard
  ESIGN_CALLBACK_URL, ESIGN_SCOPES
                        what \`esign login\` uses, as --callback-url and --scopes
  ESIGN_SENDER          who sends: "Name <email>", the user whose token it is
  ESIGN_PROFILE         profile to use, as --profile
  ESIGN_IDEMPOTENCY     1 when the service honours Idempotency-Key, 0 when not
  ESIGN_ROUTES          other addresses of operations, as JSON: {"transaction.cancel": "POST /v1/…"}
  ESIGN_TIMEOUT         seconds an answer of the service may take, 60 otherwise
  ESIGN_CA_CERT         file of certificates (PEM) of authorities that are trusted as well as Node's own
  HTTPS_PROXY, NO_PROXY the proxy to go through, and the hosts to reach without it; lower case is stronger
  ESIGN_BROWSER         command that opens an address, instead of the browser of the system
  ESIGN_SOFFICE         LibreOffice (soffice) that the sandbox converts Word documents with, as a path; off: none.
                        Left out, it is looked for in PATH
  ESIGN_SEALING_PASSWORD
                        password of the key that the sandbox seals documents with (sealing.key, sealing.p12)
  ESIGN_SEALING_PASSWORD_FILE
                        the same, as the name of a file that holds it
  ESIGN_HOME            where everything is stored, instead of the XDG directories
  ESIGN_FONTS           folder of fonts for documents that do not bring theirs, before the fonts of the system
  ESIGN_ACTIONS         0: no annotations, masks, outputs and summary in a job of GitHub Actions
  NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM=dumb
                        colour, in this order, unless --color says otherwise
  COLUMNS, TZ           width and time zone of what a person reads

Credentials beside ESIGN_BASE_URL are for that service alone; a profile of another is not sent them.
A flag is stronger than a variable, a variable is stronger than a profile. Without any, the built-in sandbox answers.`;

const FIELDS = `  TYPE@PAGE:X,Y,WxH[=RECIPIENT][;label=…][;optional][;…]

  signature@1:72pt,650pt,200x50=ada@example.com
  text@last:10%,80%,30%x4%;label=City

TYPE        text, signature, person_name, email, initials, date, number, checkbox, select, radio
PAGE        from 1, or "last"
X,Y         from the top left corner of the page as a reader shows it
lengths     points; or with pt, mm, cm, in, px (96 to the inch), % of the page
RECIPIENT   an e-mail, or the position among the --to from 1; left out, the only one

Then, each after a semicolon: optional, required, bold, italic, label=, help=, font=, size=, color=#RRGGBB,
min=, max=, minlength=, maxlength=, regex=, options=A|B|C, document=N (position among the files, from 1).

regex= must match the whole value, of at most 1,000 characters. The sandbox takes expressions of the dialect RE2, which
have neither look-ahead nor look-behind nor back-references.

In a JSON file (--fields, --from): a list of objects with type, page (from 0), positionX, positionY, width, height in
points, recipient (e-mail or position from 1), document (from 0), and any other property of a field.`;

async function events(): Promise<string> {
  const { EVENT_TYPES } = await import('../../api/contract/events.ts');
  return `${EVENT_TYPES.map((type) => `  ${type}`).join('\n')}`;
}

async function routes(): Promise<string> {
  const { API_OPERATIONS } = await import('../../api/contract/operations.ts');
  const rows = Object.entries(API_OPERATIONS).map(([id, operation]: [string, Operation]) => {
    const isAssumed = Object.hasOwn(ASSUMED_ROUTES, id);
    return `  ${id.padEnd(28)}${operation.method.padEnd(7)}${operation.path}${isAssumed ? '  (assumed)' : ''}`;
  });
  return `${rows.join('\n')}\n\nAn assumed address is overridden with \`esign config set routes.OPERATION "METHOD /path"\`, or in ESIGN_ROUTES.`;
}

const exitCodes = (): string =>
  `${EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`).join('\n')}`;

export type Topic = {
  /** As `esign help` takes it. */
  name: string;
  /** The man page, and the section it is in. */
  page: string;
  section: 5 | 7;
  title: string;
  summary: string;
  text: (tree: Tree) => string | Promise<string>;
};

export const TOPICS: readonly Topic[] = [
  {
    name: 'environment',
    page: 'esign-environment',
    section: 7,
    title: 'Environment variables',
    summary: 'environment variables of esign',
    text: () => ENVIRONMENT,
  },
  {
    name: 'exit-codes',
    page: 'esign-exit-codes',
    section: 7,
    title: 'Exit codes',
    summary: 'what the exit code of esign says',
    text: exitCodes,
  },
  {
    name: 'config',
    page: 'esign-config',
    section: 5,
    title: 'Configuration',
    summary: 'the file of profiles',
    text: async () => (await import('./topics/configuration.ts')).CONFIGURATION,
  },
  {
    name: 'json',
    page: 'esign-json',
    section: 7,
    title: 'JSON',
    summary: 'what commands print with --json',
    text: async (tree) => (await import('./topics/json-shapes.ts')).jsonShapes(tree),
  },
  {
    name: 'sandbox',
    page: 'esign-sandbox',
    section: 7,
    title: 'The service inside',
    summary: 'the service inside, and what was assumed for it',
    text: async () => (await import('./topics/embedded-service.ts')).embeddedService(),
  },
  {
    name: 'fields',
    page: 'esign-fields',
    section: 7,
    title: 'Fields',
    summary: 'how fields of a document are written',
    text: () => FIELDS,
  },
  {
    name: 'events',
    page: 'esign-events',
    section: 7,
    title: 'Event types',
    summary: 'types of events of a transaction',
    text: events,
  },
  {
    name: 'routes',
    page: 'esign-routes',
    section: 7,
    title: 'Operations and their addresses',
    summary: 'operations of the service and their addresses',
    text: routes,
  },
];

/** Undefined when there is no such topic. */
export async function topicText(name: string, tree: Tree): Promise<string | undefined> {
  const topic = TOPICS.find((one) => one.name === name);
  return topic && `${topic.title}\n\n${await topic.text(tree)}`;
}
