import { INSTALLATION_OPTIONS, SERVER_OPTIONS } from '../../config/serve-settings.ts';
import { defineCommand } from '../command/command.ts';
import { boolean, list, nameOnly, object, prints, text } from '../command/json-output.ts';
import { showRecord } from '../command/record.ts';
import { CHECK } from '../command/shared-json.ts';
import { runServer } from './serve/run-server.ts';

const { allow, require, ...SERVING_OPTIONS } = SERVER_OPTIONS;

export const command = defineCommand({
  summary: 'Serve a team from PostgreSQL',
  details:
    'Serves the API, the signing pages and the dashboard, with everything stored in PostgreSQL. Any number of nodes can serve ' +
    'the same database behind one address. Before it serves, it checks the database, the clock, sealing, email and the fonts; ' +
    'if a check fails, it does not start, unless the check is named in --allow. Each option can be set by a variable as well: ' +
    '--database by ESIGN_SERVE_DATABASE, and so on. Variables that contain a secret also exist with _FILE. Unlike the sandbox, a ' +
    'team server has no user at first: `esign serve user add` adds one.',
  manual:
    'How documents are sealed and email is sent is set by ESIGN_SERVE_SEALING_* and ESIGN_SERVE_MAIL_*, with the keys of `sealing` and ' +
    '`mail` in `esign help config`. The passwords are in ESIGN_SEALING_PASSWORD and ESIGN_SMTP_PASSWORD.\n\n' +
    'Two paths are for load balancers: /healthz answers 200 while the process runs, and /readyz answers 200 while it can do its work. ' +
    'After SIGTERM, /readyz answers 503, and requests in progress are finished. The log on standard error has one JSON object a line.',
  arguments: [],
  options: {
    ...INSTALLATION_OPTIONS,
    ...SERVING_OPTIONS,
    check: { summary: 'Run the checks of a start, then end' },
    'mail-to': { value: 'ADDRESS', summary: 'With --check, send a letter to this email address' },
    allow,
    require,
  },
  json: prints(
    object({
      installation: text,
      origin: text,
      listening: text,
      database: text,
      checks: list(CHECK),
    }),
    ', printed once the server is ready; with --check ',
    object({ ok: boolean, checks: nameOnly(list(CHECK)) }),
  ),
  examples: [
    {
      line: 'esign serve --database postgres://esign@db.example.com/esign --key-file esign.key --origin https://sign.example.com',
      about: 'Serve a team behind a proxy that ends TLS',
    },
    { line: 'esign serve --check', about: 'Check the settings of ESIGN_SERVE_* before a start' },
  ],
  async run(context, { options }) {
    return runServer(context, options);
  },
});

export const commands = {
  migrate: defineCommand({
    summary: 'Update the tables of a team server',
    details:
      'Makes the tables of a new installation, or changes those of an older version. `esign serve` does the same when it starts, ' +
      'unless it is started with --no-migrate. Several nodes may run it at the same time: one of them makes the changes.',
    arguments: [],
    options: INSTALLATION_OPTIONS,
    json: prints(object({ installation: text, database: text })),
    examples: [
      {
        line: 'esign serve migrate',
        about: 'Create the tables in an empty database; it and the key come from ESIGN_SERVE_*',
      },
    ],
    async run(context, { options }) {
      const { installation, database } = await context.connections.openTeamServer({
        ...options,
        migrates: true,
      });
      return showRecord(
        { installation, database },
        { installation: 'Installation', database: 'Database' },
        { headline: 'The tables are up to date.' },
      );
    },
  }),

  ca: defineCommand({
    summary: 'Print the root certificate of a team server',
    details:
      'An installation without a certificate of its own (ESIGN_SERVE_SEALING_*) seals documents with an authority that it makes. ' +
      'Programs report such a signature as valid and its signer as unknown until they trust this root certificate.',
    arguments: [],
    options: INSTALLATION_OPTIONS,
    json: prints(object({ name: text, sha256: text, valid_from: text, valid_to: text, pem: text })),
    examples: [
      {
        line: 'esign serve ca > root.pem',
        about: 'Save the certificate for `esign verify --trust root.pem`',
      },
    ],
    async run(context, { options }) {
      const team = await context.connections.openTeamServer({ ...options, migrates: false });
      const root = await team.root();
      return { kind: 'text', text: root.pem.trimEnd(), json: root };
    },
  }),
};
