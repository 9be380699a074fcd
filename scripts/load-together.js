// The source imports each thing when it is needed. esbuild makes a chunk of every set of modules that are needed
// together, which are dozens, and Node takes most of a millisecond to load each. Two things make them few:
// what is imported lazily from one room counts as one (`import('../flows/send.ts')` becomes a part of
// `import('together:flows')`), and small modules that nearly everything needs are loaded once, with the first room.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** The first that matches; a module that matches none is a room of its own. */
const ROOMS = [
  ['commands', /^cli\/commands\/(?!help|commands)/],
  ['api', /^api\/(?!remote|contract\/openapi)/],
  ['service', /^(service\/service|history\/history|database\/sqlite)\.ts$/],
  // What answers told is remembered after nearly every command that has a flow.
  [
    'flows',
    /^(cli\/(flows(?!\/(doctor|api|curl|login|profiles|whoami|logout))|views|input|interpreted-checks|sightings)|history\/seen\.ts$)/,
  ],
];

/** A few kilobytes that need nothing else. */
const EVERYWHERE = [
  'api/contract/file-types.ts',
  'api/contract/instant.ts',
  'api/contract/limits.ts',
  'api/contract/operation.ts',
  'api/contract/problems.ts',
  'api/contract/scopes.ts',
  'api/path.ts',
  'api/timeouts.ts',
  'api/transport.ts',
  'cli/command.ts',
  'cli/describe/describe.ts',
  'cli/edges.ts',
  'cli/errors.ts',
  'cli/global-options.ts',
  'cli/input/login-values.ts',
  'cli/input/nearest.ts',
  'cli/input/person.ts',
  'cli/terminal/safe-text.ts',
  'cli/tree.ts',
  'cli/views/transaction.ts',
  'config/config-file.ts',
  'config/environment.ts',
  'config/paths.ts',
  'config/profile.ts',
  'database/folder.ts',
];

const LAZY = /(?<!typeof )import\('(\.{1,2}\/[^']+\.ts)'\)/g;
const NAMESPACE = 'together';

/** @param source absolute path of src/ */
export async function loadTogether(source) {
  const members = new Map();

  /** The room of a module, and its number there. */
  function placeOf(path) {
    const name = relative(source, path);
    const room = ROOMS.find(([, pattern]) => pattern.test(name))?.[0] ?? name;
    const paths = members.get(room) ?? [];
    members.set(room, paths);
    if (!paths.includes(path)) paths.push(path);
    return { room, part: `part${paths.indexOf(path)}` };
  }

  const redirected = (text, path) =>
    text.replace(LAZY, (_, target) => {
      const { room, part } = placeOf(join(dirname(path), target));
      return `import('${NAMESPACE}:${room}').then((room) => room.${part})`;
    });

  // Everybody's parts are known before the first room is built.
  for (const entry of await readdir(source, { recursive: true }))
    if (entry.endsWith('.ts')) redirected(await readFile(join(source, entry), 'utf8'), join(source, entry));

  return {
    name: 'load-together',
    setup(build) {
      build.onResolve({ filter: /^together:/ }, ({ path }) => ({
        path: path.slice(NAMESPACE.length + 1),
        namespace: NAMESPACE,
      }));
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path: room }) => ({
        contents: [
          ...EVERYWHERE.map((name) => `import ${JSON.stringify(join(source, name))};`),
          ...members.get(room).map((path, index) => `export * as part${index} from ${JSON.stringify(path)};`),
        ].join('\n'),
        resolveDir: source,
      }));
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
        contents: redirected(await readFile(path, 'utf8'), path),
        loader: 'ts',
      }));
    },
  };
}
