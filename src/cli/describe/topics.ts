// The topics of `esign help` that are not commands.
import { ASSUMED_ROUTES } from '../../api/contract/assumed-routes.ts';
import type { Operation } from '../../api/contract/operation.ts';
import { EXIT_MEANINGS } from '../command/exit-codes.ts';
import type { HelpSection } from '../command/help-page.ts';
import type { Tree } from '../command/tree.ts';
import { sectionsOf } from './blocks.ts';
import { globalOptionRows } from './option-rows.ts';
import { rowsText } from './rows.ts';

const ENVIRONMENT = `An option overrides an environment variable, which overrides the active profile. If no service is
configured, the offline sandbox is used. An ESIGN_ variable that is set but empty is an error.

ESIGN_BASE_URL replaces the active profile and ESIGN_PROFILE: none of the settings of a profile are used then. A profile
given with --profile keeps its own URLs and login settings; variables only add what it does not contain. ESIGN_SENDER
and ESIGN_IDEMPOTENCY override the settings of every profile, ESIGN_ROUTES those of every profile except \`sandbox\`. The defaults in \`esign.config.json\` (see
\`esign help config\`) are used for options of \`esign tx send\` that are not given; no variable overrides them.

# CONNECTION

  ESIGN_BASE_URL        Base URL of the service's API
  ESIGN_ACCESS_TOKEN    Access token for the service, used instead of the stored login; an error if no service is configured
  ESIGN_CLIENT_ID, ESIGN_CLIENT_SECRET, ESIGN_REFRESH_TOKEN
                        Credentials used instead of ESIGN_ACCESS_TOKEN; the access token they get is kept only in memory
  ESIGN_ACCESS_TOKEN_FILE, ESIGN_CLIENT_ID_FILE, ESIGN_CLIENT_SECRET_FILE, ESIGN_REFRESH_TOKEN_FILE
                        Files that contain these values
  ESIGN_APP_URL         URL of the service's signing pages
  ESIGN_DASHBOARD_URL   URL of the service's dashboard
  ESIGN_SENDER          Sender as "Name <email>"; must be the user the access token belongs to
  ESIGN_PROFILE         Active profile, instead of the one in the configuration file
  ESIGN_IDEMPOTENCY     1 if the service honors the Idempotency-Key header, 0 if not
  ESIGN_ROUTES          Other paths for operations, as JSON: {"transaction.cancel": "POST /v1/…"}
  ESIGN_TIMEOUT         Request timeout in seconds (default: 60; 900 for uploads and starts, which wait for work on documents)
  ESIGN_CA_CERT         File with certificates (PEM format) of certificate authorities to trust in addition to Node's own
  HTTPS_PROXY, NO_PROXY
                        Proxy URL, and the hosts to reach without it; lowercase names take precedence

If ESIGN_BASE_URL is set too, credentials in the environment are sent only to that service, and a profile given with
--profile for another service uses its stored login. Without ESIGN_BASE_URL, they are used for the service of the profile in
use, instead of its stored login.

# LOGIN

  ESIGN_CREDENTIAL_STORE
                        Where \`esign login\` stores tokens: keyring or file (default: the keyring if there is one)
  ESIGN_CALLBACK_URL, ESIGN_SCOPES
                        Callback URL and scopes, like --callback-url and --scopes of \`esign login\`
  ESIGN_BROWSER         Command that opens a URL, instead of the system's browser

# OUTPUT

  NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM=dumb
                        Turn color on or off, in this order of precedence; --color overrides them
  COLUMNS, TZ           Width and time zone of the output
  ESIGN_ACTIONS         0 turns off the GitHub Actions integration (annotations, masks, outputs and summary)
  ESIGN_DEBUG           What to show on stderr, without secrets: http (requests, like --debug), store (commits and slow
                        statements), engine (work on documents); separated by commas

# STORAGE

  ESIGN_HOME            Directory for all files of esign, instead of the XDG directories
  ESIGN_NO_CODE_CACHE   1 keeps no compiled code between runs; \`esign doctor\` shows where it is kept

# EVENTS

  ESIGN_WEBHOOK_SECRET  Secret that \`esign events listen --forward-to\` and \`esign events replay --forward-to\` sign with, such as
                        whsec_… (default: in the sandbox, the secret that \`esign events listen --print-secret\` prints)

# SANDBOX

  ESIGN_SEALING_PASSWORD, ESIGN_SEALING_PASSWORD_FILE
                        Password of the key that the sandbox seals documents with (sealing.key, sealing.p12), or the file
                        that contains it
  ESIGN_SMTP_PASSWORD, ESIGN_SMTP_PASSWORD_FILE
                        Password of the mail server (mail.user), or the file that contains it
  ESIGN_DELIVERY_PROXY  Proxy that the sandbox sends events through, such as http://proxy.example.com:3128
  ESIGN_SOFFICE         Path of LibreOffice (soffice), which converts Word documents; off disables it (default: it is
                        looked for in PATH)
  ESIGN_FONTS           Directory with fonts (.ttf, .ttc, .otf, .otc) to use before those of the system, for documents without
                        embedded fonts, values and certificates; \`esign doctor\` names the scripts without a font

# TESTS OF SCRIPTS

  ESIGN_FAULTS          Faults in requests, which are counted from 1, separated by commas: refuse_connection:N (request N is not sent),
                        lose_answer:N (the service processes it, the response is lost), exit:N (the command is killed before it),
                        mistake:N (an unexpected error)`;

const FIELDS = `The option --field of \`esign tx send\`, \`esign tx fields\` and \`esign tx preview\` takes a field as its type, position
and size, the recipient who fills it in, and further properties. In bash, zsh and fish, only values with spaces or characters
such as ( and { need quotes. In PowerShell, always use quotes, because it splits words at commas:

  TYPE@PAGE:X,Y,WxH[=RECIPIENT][,label=…][,optional][,…]

  --field "signature@1:72pt,650pt,200x50=ada@example.com"
  --field "text@last:10%,80%,30%x4%,label=City"

# SYNTAX

  TYPE           text, signature, person_name, email, initials, date, number, checkbox, select or radio
  PAGE           Page number from 1, or last
  X,Y            Distance from the left and top edge of the page as displayed
  WxH            Width and height
  RECIPIENT      Email of the recipient, or the number of their --to, from 1; optional if there is only one
  lengths        Points by default; or with a unit: pt, mm, cm, in, px (96 per inch), or % of the
                 page: of its width for X and W, of its height for Y and H

# FIELDS AT WORDS

Instead of a page and a position, a field can have words of the document, in single or double quotation marks:

  TYPE@"WORDS"[:DX,DY[,WxH]][=RECIPIENT][,at=…][,match=…][,…]

  --field 'signature@"For the Customer",at=below'
  --field 'date@"Place and date":0,-4,120x20=2,match=last'

  WORDS          Must be in one place of the document only; upper and lower case are the same, and line ends are spaces
  DX,DY          Moves the field to the right and down
  WxH            Width and height; without them, the field has the usual size of its type
  at=            over (default: from the top left corner of the words), above, below, left or right of the words
  match=         One of several places: its number from 1, or last; or all, for a field at each
  page=          Page that the words are on: its number from 1, or last
  case, word, regex
                 Upper and lower case differ; the words are no part of longer ones; WORDS is an expression in RE2 syntax
  if_present     If the document does not have the words, no field is made, instead of an error

\`esign tx text FILE\` prints the words of a document, \`esign tx preview FILE --field …\` shows where the field is, and with --suggest it prints
fields for the lines to sign on. In WORDS, write \\" for a quotation mark. A page that was scanned has no words.

# FIELDS OF A FORM

With --form-fields, the fields of the form of a PDF (AcroForm) become fields. If there is more than one recipient, --form-to says who
fills them in: --form-to ada@example.com, or the number of their --to.

  label          Tooltip of the form field, or its name
  type           text, date, number, checkbox, select, radio or signature; a date or a number where the form formats it as one
  required       As in the form; a signature is always required
  value          As in the form. The page is sent without it, so that it is shown once
  limits         Length of a text, least and greatest number, options of a choice; options that are only numbered get the words
                 after their buttons as names
  place          Where the form field stands; a choice between buttons is written beside them

A recipient gets a signature field in addition, as without a form, unless the form has one. Buttons, passwords, files and hidden
fields are not carried over; a read-only value stays a part of the page. Everything that is omitted or different is named in a warning. A document
that is signed already is sent unchanged, and so is one of a draft (\`esign tx fields\`): form fields with a value are omitted then.
\`esign tx upload --form-fields\` adds a file to a draft with them.

# TAGS

With --tags, texts in double braces become fields where they stand, and are removed from the document that is sent. Two dialects are
read:

  documenso      {{date, r2, required=false}}: the type, the number of a --to after r, and properties, separated by commas
  docuseal       {{Name;type=text;role=Customer}}: the label and properties, separated by semicolons; the role is given to a
                 recipient: --to "Ada <ada@example.com>,tag=Customer"; type=datenow is the date of signing (value=today)

A tag that has an unknown property, or that cannot be removed, is an error that names it, and nothing is sent: the document is signed or encrypted, or
other text would be lost. A Word document with tags is converted on this machine and sent as PDF. Without --tags, tags are mentioned and stay text.
\`esign tx upload --tags\` adds a file to a draft: r1 is the first recipient of the draft who signs, or the first one that --to adds.

# VALUES

What is known already is filled in with value=, or for many fields with --data FILE, a JSON object of labels and values:

  {"City": "Berlin", "ada@example.com": {"Fee": 120}}

Values by label are for all fields of one recipient with this label; those in an object are for the recipient with that email. With
--template, they are for the fields of the templates as well. A label that no field has is an error, and so is one that fields of several
recipients have. Values are checked like those of recipients, who can change them unless the field is readonly.

# PROPERTIES

Each property follows a comma. A comma that is not followed by the name of a property is part of the value before it, as in
regex=^a{1,3}$. Instead of a comma, a semicolon is accepted; it needs quotes:

  optional, required
                 Whether the field must be filled in (default: required)
  label=, help=  Texts shown with the field
  font=, size=, color=#RRGGBB, bold, italic
                 Appearance of the value
  min=, max=     Limits of a number
  minlength=, maxlength=
                 Limits of the text length
  regex=         Expression that the whole value must match, up to 1,000 characters; the sandbox supports RE2 syntax, without
                 look-ahead, look-behind and back-references
  value=         Value that the sender fills in; with readonly, the recipient cannot change it. A date with value=today is
                 the date of signing in the time zone of the recipient (UTC where it is not known): the service fills it in
                 on the signing page. It cannot be changed
  format=        How a date is written into the document: "YYYY-MM-DD" (default), "DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY",
                 "D MMMM YYYY", "MMMM D, YYYY", "D. MMMM YYYY" or "D de MMMM de YYYY", without these quotes. Its
                 value= is YYYY-MM-DD or today
  language=      Language of the names of months: en (default), de, fr, es, it, pt, nl or pl
  options=A,B,C  Choices of a select or radio field, of which one is chosen; with | instead (in quotes), a choice may
                 contain commas
  document=N     Position of the file that the field is on, from 1

# JSON FILES

A file for --fields (\`esign tx send\`, \`esign tx preview\`) or --from (\`esign tx fields\`) contains a list of texts as for
--field, and of objects with type, page (from 0), positionX, positionY, width and height in points, recipient (email, or number from 1), document (from
0), and any other property of a field in the API:

  [
    {
      "type": "signature",
      "page": 0,
      "positionX": 72,
      "positionY": 650,
      "width": 200,
      "height": 50,
      "recipient": "ada@example.com",
      "is_required": true
    }
  ]

Instead of page, positionX and positionY, a field can have an anchor; width and height are optional then. Of its properties, only text
is required: {"text": "For the Customer", "at": "below", "offset": {"x": 0, "y": 4}, "match": 1, "page": 0, "case": false, "word": false,
"regex": false, "if_present": false}. match is a number from 1, "last" or "all", page a number from 0 or "last".`;

const IDS = `A command that takes the ID of a transaction, template, webhook or event accepts these forms:

  01a20099-9e26-72fe-a84f-6c0aa2318165   the whole ID
  01a20099 or a2318165                   the beginning or the end of an ID, at least 4 characters
  @                                      the most recent one, as described below
  @2, @3, …                              the one before it, and so on

A short form is looked up in a list of the IDs that this machine has seen, without asking the service. There is a list for each profile and
service, and in it one for each kind: for \`esign tx show\`, @ is a transaction; for \`esign events show\`, it is an event. The command
prints on standard error which ID it uses, except with --json and --quiet.

In each list, @ is the one that was created last, or that a command worked on last, given its ID or a part of it. @ and @2 themselves do not change the
order: after \`esign tx show @2\`, @ is the same as before.

Transactions: without filters, \`esign tx list\` shows this order: its first row is @, its second row @2. Listing changes nothing.

Templates, webhooks and events: a list makes its first row @, its second row @2, and so on (of events, the first 30 rows).
When \`esign events listen\` starts, the newest event becomes @.

If a part matches several IDs, the command lists them and ends with exit code 2. If nothing matches, the exit code is 5. While nothing of a kind
has been seen, a part is sent as it is, and @ ends with exit code 5. A whole ID is sent as it is, even if this machine has never seen it.`;

async function events(): Promise<string> {
  const { EVENT_MEANINGS, EVENTS_TOPIC } = await import('./topics/events.ts');
  return `Event types, in the order in which they happen:\n\n${rowsText(Object.entries(EVENT_MEANINGS), 26)}\n\n${EVENTS_TOPIC}`;
}

async function routes(): Promise<string> {
  const { API_OPERATIONS } = await import('../../api/contract/operations.ts');
  const rows = Object.entries(API_OPERATIONS).map(([id, operation]: [string, Operation]) => {
    const isAssumed = Object.hasOwn(ASSUMED_ROUTES, id);
    return [id, `${operation.method} ${operation.path}${isAssumed ? ' (assumed)' : ''}`] as const;
  });
  return `The specification of the service does not define all paths; those marked as assumed may be different at a service.

${rowsText(rows, 30)}\n\nTo override a path, use \`esign config set routes.OPERATION "METHOD /path"\` or ESIGN_ROUTES.`;
}

const exitCodes = (): string =>
  `${rowsText(
    EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
    8,
  )}\n\nEach error also has a code: see \`esign help errors\`.`;

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
    name: 'options',
    page: 'esign-options',
    section: 7,
    title: 'Global options',
    summary: 'Options of every command, such as --json and --sandbox',
    text: () =>
      `These options can be given with every command, before or after its name.\n\n${rowsText(globalOptionRows(), 26)}`,
  },
  {
    name: 'environment',
    page: 'esign-environment',
    section: 7,
    title: 'Environment variables',
    summary: 'Environment variables of esign',
    text: () => ENVIRONMENT,
  },
  {
    name: 'exit-codes',
    page: 'esign-exit-codes',
    section: 7,
    title: 'Exit codes',
    summary: 'Exit codes of esign',
    text: exitCodes,
  },
  {
    name: 'errors',
    page: 'esign-errors',
    section: 7,
    title: 'Error codes',
    summary: 'Error codes, what they mean and what to do',
    text: async () => (await import('./topics/error-codes.ts')).errorCodes(),
  },
  {
    name: 'config',
    page: 'esign-config',
    section: 5,
    title: 'Configuration',
    summary: 'Configuration file and project file of esign',
    text: async () => (await import('./topics/configuration.ts')).CONFIGURATION_TOPIC,
  },
  {
    name: 'json',
    page: 'esign-json',
    section: 7,
    title: 'JSON',
    summary: 'JSON output of esign',
    text: async (tree) => (await import('./topics/json-shapes.ts')).jsonShapes(tree),
  },
  {
    name: 'sandbox',
    page: 'esign-sandbox',
    section: 7,
    title: 'Sandbox',
    summary: 'Offline sandbox, and its assumptions',
    text: async () => (await import('./topics/embedded-service.ts')).embeddedService(),
  },
  {
    name: 'fields',
    page: 'esign-fields',
    section: 7,
    title: 'Fields',
    summary: 'Syntax of fields',
    text: () => FIELDS,
  },
  {
    name: 'ids',
    page: 'esign-ids',
    section: 7,
    title: 'IDs',
    summary: 'Short forms of IDs: a part of an ID, @ and @2',
    text: () => IDS,
  },
  {
    name: 'events',
    page: 'esign-events',
    section: 7,
    title: 'Events',
    summary: 'Event types, and how to receive events',
    text: events,
  },
  {
    name: 'routes',
    page: 'esign-routes',
    section: 7,
    title: 'Routes',
    summary: 'API operations and their paths',
    text: routes,
  },
];

/** Lists the topics for `esign help topics`, as they are typed. */
export const TOPIC_LIST = 'topics';

export const topicRows = (): [string, string][] =>
  TOPICS.map(({ name, summary }) => [`esign help ${name}`, summary]);

/** Undefined when there is no such topic. */
export async function topicPage(name: string, tree: Tree): Promise<HelpSection[] | undefined> {
  if (name === TOPIC_LIST) return [{ title: 'TOPICS', blocks: [{ kind: 'terms', rows: topicRows() }] }];
  const topic = TOPICS.find((one) => one.name === name);
  return topic && sectionsOf(await topic.text(tree), topic.title.toUpperCase());
}
