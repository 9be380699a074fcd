// Which folder may import which: src/README.md as rules. Type-only imports count.
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const inside = (path) => `^src/${path}`;

const ADDRESSES = '^src/api/contract/egress\\.ts$';
/** What every room may use. */
const SEEDS_IN_TESTS = '^src/testing/create-sandbox\\.ts$';
const COMMON = '^src/common/';

const { readdirSync } = require('node:fs');

const PAGES_OF_PIPELINE = '^src/service/http/(pipeline|pages)\\.ts$';

/** The rooms of src/pdf, from the ground up: each imports only rooms before it. What lies beside them may be used by all. */
const PDF_ROOMS = [
  'read',
  'content',
  'fonts',
  'text',
  'render',
  'images',
  'sign',
  'write',
  'verify',
  'engine',
];

const folders = readdirSync('src/pdf', { withFileTypes: true }).filter((entry) => entry.isDirectory());
const missing = folders.map(({ name }) => name).filter((name) => !PDF_ROOMS.includes(name));
if (missing.length > 0)
  throw new Error(`PDF_ROOMS of test/architecture/layers.cjs lacks ${missing.join(', ')}.`);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    rule(
      'no-circles',
      'Two files that need each other are one file, or hide a third: take out what both need.',
      {},
      { circular: true },
    ),
    rule(
      'no-orphans',
      'Nobody imports this file: delete it, or wire it up.',
      {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '^bin/',
          '^src/(service|client|testing)/published\\.ts$',
          '^src/cli/shell-completion/main\\.ts$',
          '^src/cli/start/executable\\.ts$',
          '^src/credentials/keyring-process\\.ts$',
          '^src/pdf/engine/process\\.ts$',
          '^src/service/web/(sign|edit)/browser/main\\.ts$',
        ],
      },
      {},
    ),
    rule(
      'common-knows-nothing',
      'What every room uses has no meaning of its own: it imports nothing of the project.',
      { path: COMMON },
      { path: '^src/', pathNot: COMMON },
    ),
    rule(
      'api-knows-nothing',
      'The service as seen from outside depends on zod and undici alone: move what you need into src/api, or turn the import round.',
      { path: inside('api/'), pathNot: ADDRESSES },
      { pathNot: ['^src/api/', COMMON, '^node_modules/(zod|undici)/', '^(node:)?(v8|crypto|stream)$'] },
    ),
    rule(
      'client-runs-where-fetch-runs',
      'The published client imports what needs neither Node nor zod: rows of the table of operations come from src/client/operations.ts.',
      { path: inside('client/') },
      {
        pathNot:
          '^src/(client/|common/|api/(codec|transport|fetch-transport|retry|webhook-message)\\.ts|api/contract/(lenient|operation|service-address)\\.ts)',
      },
    ),
    rule(
      'only-programs-import-the-client',
      'src/client is for other programs. Take src/api/client.ts.',
      { path: '^src/', pathNot: '^src/client/' },
      { path: inside('client/') },
    ),
    rule(
      'only-programs-import-the-sandbox-for-tests',
      'src/testing is for the tests of other programs. Our own tests open services with test/support/harness.ts.',
      { path: '^src/', pathNot: '^src/testing/' },
      { path: inside('testing/') },
    ),
    rule(
      'contract-is-data',
      'The contract declares; it never travels. Take from src/api/contract and zod only.',
      { path: inside('api/contract/'), pathNot: ADDRESSES },
      { pathNot: ['^src/api/contract/', COMMON, '^node_modules/zod/'] },
    ),
    rule(
      'addresses-by-node',
      'Ranges of addresses are matched by BlockList of node:net; nothing else of it, and no other module, belongs here.',
      { path: ADDRESSES },
      { pathNot: ['^src/api/contract/', COMMON, '^(node:)?net$'] },
    ),
    rule(
      'only-s3-signs-requests',
      'Objects of a bucket are read and written by src/service/s3.',
      { path: '^src/', pathNot: '^src/service/s3/' },
      { path: '^node_modules/aws4fetch/' },
    ),
    rule(
      'only-remote-knows-undici',
      'Speak through a Transport (src/api/transport.ts).',
      { path: '^src/', pathNot: '^src/api/remote\\.ts$' },
      { path: '^node_modules/undici/' },
    ),
    rule(
      'service-is-not-a-client',
      'The embedded service never speaks to a remote one.',
      { path: inside('service/') },
      { path: ['^src/api/(remote|client)\\.ts$', '^src/(cli|config|history)/'] },
    ),
    rule(
      'domain-is-pure',
      'Rules get facts and give decisions: hand time, ids and randomness in, and leave I/O to the operations.',
      { path: inside('service/domain/') },
      { pathNot: ['^src/service/domain/', '^src/api/contract/', COMMON, '^node_modules/zod/'] },
    ),
    rule(
      'store-knows-no-request',
      'The store keeps what the domain decided; it must not know request contexts, the pipeline or operations.',
      { path: inside('service/store/') },
      {
        path: inside('service/(operations|changes|signing|http|context|documents|web)'),
      },
    ),
    rule(
      'leaves-are-leaves',
      'documents, signing, sealing, outbox and web are composed by operations; they do not import each other, but the last signature seals.',
      { path: '^src/service/(documents|signing|sealing|outbox)/' },
      {
        path: '^src/service/(documents|signing|sealing|outbox|operations|web)/',
        pathNot: ['^src/service/$1/', '^src/service/sealing/seal-documents\\.ts$'],
      },
    ),
    rule(
      'sign-seals',
      'Only the way of a signature (signing/sign.ts) seals documents, with the code that it loads for it.',
      { path: inside('service/'), pathNot: '^src/service/(sealing/|signing/sign\\.ts)' },
      { path: inside('service/sealing/seal-documents\\.ts') },
    ),
    rule(
      'pages-are-pages',
      "A page speaks to the store, and to what a resource's file in service/operations exports for pages and handlers alike. Only the pipeline finds handlers and shows pages.",
      { path: inside('service/web/'), pathNot: '^src/service/web/(sign|edit)/' },
      {
        path: inside(
          'service/(operations/(handlers|sandbox|signing)|changes|signing|service|documents|http/(pipeline|server|form|handle|route))(/|\\.ts)',
        ),
      },
    ),
    rule(
      'signing-pages-are-pages',
      'A signing page asks service/signing for what a recipient does, and service/documents for pictures; it changes nothing itself.',
      { path: inside('service/web/sign/') },
      {
        path: inside('service/(operations|changes|service|http/(pipeline|server|handle|route))(/|\\.ts)'),
      },
    ),
    rule(
      'browsers-have-no-node',
      'What runs in a browser gets its data with the page: it imports nothing of the service.',
      { path: '^src/service/web/(sign|edit)/browser/' },
      { path: '^src/', pathNot: '^src/service/web/$1/browser/' },
    ),
    rule(
      'pages-come-last',
      'Nothing but the pipeline knows that there are pages; paths.ts is what it may always have.',
      { path: '^src/', pathNot: ['^src/service/web/', PAGES_OF_PIPELINE] },
      { path: inside('service/web/') },
    ),
    rule(
      'pages-are-lazy',
      'An API call must not pay for pages: import them when one is asked for.',
      { path: PAGES_OF_PIPELINE },
      { path: inside('service/web/'), pathNot: '/paths\\.ts$', dependencyTypesNot: ['dynamic-import'] },
    ),
    ...PDF_ROOMS.slice(0, -1).map((room, index) =>
      rule(
        `pdf-${room}-imports-downwards`,
        `Rooms of src/pdf import only rooms below them: ${PDF_ROOMS.join(', ')}.`,
        { path: inside(`pdf/${room}/`) },
        { path: PDF_ROOMS.slice(index + 1).map((above) => inside(`pdf/${above}/`)) },
      ),
    ),
    rule(
      'verifying-is-for-verifiers',
      'Nothing else of src/pdf needs what verifies signatures.',
      { path: '^src/pdf/', pathNot: '^src/pdf/verify/' },
      { path: inside('pdf/verify/') },
    ),
    rule(
      'pdf-knows-no-transaction',
      'src/pdf is about PDF: hand in numbers and bytes.',
      { path: inside('pdf/'), pathNot: '^src/pdf/engine/' },
      { path: '^src/', pathNot: ['^src/pdf/', COMMON] },
    ),
    rule(
      'placement-is-pure',
      'src/placement tells where a field is placed: hand in what is found in a document, and what a user asks for.',
      { path: inside('placement/') },
      { path: '^src/', pathNot: ['^src/placement/', '^src/api/contract/', '^src/pdf/', COMMON] },
    ),
    rule(
      'word-documents-by-the-engine',
      'src/pdf/engine converts Word documents: ask it. Nothing else imports src/docx.',
      { path: '^src/', pathNot: ['^src/docx/', '^src/pdf/engine/'] },
      { path: inside('docx/') },
    ),
    rule(
      'word-documents-become-pdf',
      'src/docx is about Word documents and the PDF that they become: hand in bytes and fonts.',
      { path: ['^src/docx/', '^src/pdf/engine/'] },
      { path: '^src/', pathNot: '^src/(docx|pdf|common)/' },
    ),
    rule(
      'documents-by-the-engine',
      'A document is opened by src/pdf/engine, which may do it in another process: ask the engine of the context.',
      { path: '^src/', pathNot: '^src/(pdf|docx)/' },
      {
        path: inside('pdf/'),
        pathNot:
          '^src/pdf/(engine/(engine|in-process|office|one-shot|pool|program-replaced|waiting-line)|geometry|remarks|fonts/(faces|alternatives)|sign/[^/]+|verify/verify|write/(missing|plan|field-picture)|write/certificate/(content|evidence|evidence-file|words))\\.ts$',
      },
    ),
    rule(
      'seals-are-made-in-one-place',
      'Only service/sealing makes certificates and seals: ask it.',
      { path: '^src/', pathNot: ['^src/pdf/', '^src/service/sealing/', '^src/cli/commands/verify/'] },
      { path: ['^src/pdf/sign/', '^src/pdf/verify/'] },
    ),
    rule(
      'engine-starts-processes',
      'Of the document engine only child.ts, isolation.ts and office-process.ts start a process, and nobody loads them before they are needed.',
      { path: inside('pdf/'), pathNot: '^src/pdf/engine/(child|isolation|office-process)\\.ts$' },
      { path: '^(node:)?child_process$' },
    ),
    rule(
      'files-know-no-meaning',
      'src/files opens, reads and makes what others name: what is in a file is their business.',
      { path: inside('files/') },
      { path: '^src/', pathNot: '^src/(files|common)/' },
    ),
    rule(
      'http-knows-no-meaning',
      'src/http sends a request and reads a response: what they mean is the business of its callers.',
      { path: inside('http/') },
      { path: '^src/', pathNot: '^src/(http|common)/' },
    ),
    rule(
      'database-knows-no-table',
      'src/database opens and commits: tables and migrations come from whoever opens one.',
      { path: inside('database/') },
      { path: '^src/', pathNot: '^src/(database|files|common)/' },
    ),
    rule(
      'config-stands-alone',
      'src/config reads settings and nothing else.',
      { path: inside('config/') },
      { path: '^src/', pathNot: ['^src/config/', '^src/api/contract/', '^src/files/', COMMON] },
    ),
    rule(
      'history-keeps-records',
      'src/history uses src/database alone.',
      { path: inside('history/') },
      { path: '^src/', pathNot: ['^src/history/', '^src/database/', '^src/files/', COMMON] },
    ),
    rule(
      'credentials-keep-logins',
      "src/credentials keeps what it is given: who logs in, and where tokens are sent, is the command line's business.",
      { path: inside('credentials/') },
      { path: '^src/', pathNot: ['^src/credentials/', '^src/database/', '^src/files/', COMMON] },
    ),
    rule(
      'only-the-sandbox-connection-knows-the-service',
      'Commands get connections from their context; only sandbox.ts, sandbox-roots.ts, team-server.ts and store-copies.ts of src/cli/connection know the service.',
      {
        path: inside('cli/'),
        pathNot: '^src/cli/connection/(sandbox|sandbox-roots|team-server|store-copies)\\.ts$',
      },
      // Codes of errors are types.
      { path: '^src/(service|database)/', pathNot: '^src/database/database-error\\.ts$' },
    ),
    rule(
      'commands-do-not-import-each-other',
      'What two commands need lives in a room named for the thing: src/cli/sending, events, connection, input or command.',
      { path: '^src/cli/commands/(.+)/[^/]+$' },
      { path: '^src/cli/commands/', pathNot: '^src/cli/commands/$1/' },
    ),
    rule(
      'a-command-imports-its-folder',
      'A command that is too long for one file has a folder of its name beside it.',
      { path: '^src/cli/commands/([^/]+)\\.ts$' },
      { path: '^src/cli/commands/', pathNot: '^src/cli/commands/$1/' },
    ),
    rule(
      'only-the-tree-knows-commands',
      'Nothing below a command imports one: hand in what is needed, or move it to the room it belongs to.',
      { path: inside('cli/'), pathNot: ['^src/cli/command-list\\.ts$', '^src/cli/commands/'] },
      { path: inside('cli/commands/') },
    ),
    rule(
      'the-tree-is-handed-over',
      'Take the tree of commands as an argument (src/cli/command/tree.ts has its type); only the process edge imports it.',
      { path: inside('cli/'), pathNot: '^src/cli/run\\.ts$' },
      { path: '^src/cli/tree\\.ts$' },
    ),
    rule(
      'only-the-process-edge-composes',
      'Take what you need from the context (src/cli/command/context.ts); app.ts only builds it.',
      { path: inside('cli/'), pathNot: '^src/cli/(run|run-command)\\.ts$' },
      { path: '^src/cli/app\\.ts$' },
    ),
    rule(
      'commands-have-no-loose-files',
      'A file of several commands, or of none, belongs to a room of its own; see the rooms in src/README.md.',
      {},
      {
        path: '^src/cli/[^/]+\\.ts$',
        pathNot: '^src/cli/(main|run|run-command|program|tree|command-list|app)\\.ts$',
      },
    ),
    rule(
      'recent-and-connection-know-no-transaction-command',
      'Parts that every command uses know nothing of how one command shows or changes a transaction.',
      { path: '^src/cli/(input|terminal|connection|process|command)/' },
      { path: '^src/cli/(sending|events|describe|completion)/' },
    ),
    rule(
      'nobody-imports-the-terminal',
      'The terminal is the outermost room.',
      { path: '^src/', pathNot: ['^src/cli/', SEEDS_IN_TESTS] },
      { path: inside('cli/') },
    ),
    rule(
      'a-seed-means-the-same-in-a-test',
      'A sandbox for tests is seeded by the code of `esign sandbox seed`, and needs nothing else of the command line.',
      { path: SEEDS_IN_TESTS },
      { path: inside('cli/'), pathNot: '^src/cli/seeding/' },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
