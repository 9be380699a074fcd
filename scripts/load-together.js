// The source imports each thing when it is needed. esbuild makes a chunk of every set of modules that are needed
// together, which are dozens, and Node takes most of a millisecond to load each. Two things make them few:
// what is imported lazily from one room counts as one (`import('./run-plan.ts')` becomes a part of
// `import('together:flows')`), and small modules that nearly everything needs are loaded once, with the first room.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** The first that matches; a module that matches none is a room of its own. */
const ROOMS = [
  ['api', /^api\/(?!remote|contract\/openapi)/],
  [
    'service',
    /^(cli\/connection\/sandbox|service\/service|service\/store\/inspect|service\/completion\/root-of-store|history\/history|database\/sqlite)\.ts$/,
  ],
  // What counts the pages of a sound file, and what starts a child for any other.
  ['pages', /^pdf\/(inspect|plain)\.ts$/],
  // What is stamped gets a certificate in the same moment.
  ['stamping', /^pdf\/(stamp\/stamp-pdf|certificate\/certify-pdf)\.ts$/],
  // The dashboard and the signing pages share most of what they are made of.
  ['web', /^service\/web\/(dashboard|sign\/sign-pages)\.ts$/],
  // What seals with the store's own authority; a key of one's own and PKCS #12 come on top when they are set.
  ['sealing', /^service\/completion\/(complete|embedded-sealing)\.ts$/],
  ['own-key', /^service\/completion\/(configured-sealing|check-sealing)\.ts$/],
  // It reads evidence, which nothing else of the command line does.
  ['download', /^cli\/(commands\/tx\/(download\/|show\/show-evidence)|transactions\/download)/],
  ['children', /^pdf\/engine\/(lane|pool)\.ts$/],
  // What answers told is remembered after nearly every command that makes a request.
  [
    'flows',
    /^cli\/(commands\/(tx|templates|webhooks|sandbox|config|completion)|transactions|input|recent|process\/zod-interpreter)/,
  ],
];

/** The definitions of commands, all but those of the program itself, are one room: what `TREE` imports. */
const DEFINITIONS = { in: 'cli/tree.ts', room: 'commands', but: /^cli\/commands\/(help|commands)\.ts$/ };

/**
 * Is loaded only by what has loaded all of the other room: so what both need stays in one piece, and is not cut into one for
 * each set of rooms that need it.
 */
const INSIDE = { web: 'service', sealing: 'service', 'own-key': 'service', download: 'flows' };

/** A few kilobytes that need nothing else. */
const EVERYWHERE = [
  'api/contract/file-types.ts',
  'api/contract/instant.ts',
  'api/contract/limits.ts',
  'api/contract/operation.ts',
  'api/contract/problems.ts',
  'api/contract/remarks.ts',
  'api/contract/scopes.ts',
  'api/path.ts',
  'api/timeouts.ts',
  'api/transport.ts',
  'cli/command/command.ts',
  'cli/command/description.ts',
  'cli/process/edges.ts',
  'cli/command/errors.ts',
  'cli/command/global-options.ts',
  'cli/input/login-values.ts',
  'cli/input/nearest.ts',
  'cli/input/person.ts',
  'cli/terminal/safe-text.ts',
  'cli/tree.ts',
  'cli/transactions/view.ts',
  'config/config-file.ts',
  'config/environment.ts',
  'config/paths.ts',
  'config/profile.ts',
  'database/folder.ts',
  'pdf/engine/one-shot.ts',
  'pdf/page-box.ts',
];

const LAZY = /(?<!typeof )import\('(\.{1,2}\/[^']+\.ts)'\)/g;
const NAMESPACE = 'together';

/** @param source absolute path of src/ */
export async function loadTogether(source) {
  const members = new Map();

  const tree = join(source, DEFINITIONS.in);
  const definitions = new Set(
    [...(await readFile(tree, 'utf8')).matchAll(LAZY)].map(([, target]) => join(dirname(tree), target)),
  );

  function roomOf(path) {
    const name = relative(source, path);
    if (definitions.has(path) && !DEFINITIONS.but.test(name)) return DEFINITIONS.room;
    return ROOMS.find(([, pattern]) => pattern.test(name))?.[0] ?? name;
  }

  /** The room of a module, and its number there. */
  function placeOf(path) {
    const room = roomOf(path);
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
          ...(members.get(INSIDE[room]) ?? []).map((path) => `import ${JSON.stringify(path)};`),
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
