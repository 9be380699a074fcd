// The source imports each thing when it is needed; esbuild makes a chunk of every set of modules that are needed
// together, which are dozens, and Node takes most of a millisecond to load each. Here what is imported lazily from
// one room counts as one: `import('../flows/send.ts')` becomes `import('together:flows')` and its part of it.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** The first that matches; what matches none is loaded by itself. */
const ROOMS = [
  ['commands', /^cli\/commands\/(?!help|commands)/],
  ['api', /^api\/(?!remote|contract\/openapi)/],
  ['service', /^(service\/service|history\/history|database\/sqlite)\.ts$/],
  ['flows', /^cli\/(flows|views|input|interpreted-checks)/],
];

const LAZY = /(?<!typeof )import\('(\.{1,2}\/[^']+\.ts)'\)/g;
const NAMESPACE = 'together';

/** @param source absolute path of src/ */
export async function loadTogether(source) {
  const members = new Map(ROOMS.map(([room]) => [room, []]));

  /** The room of a module and its number there; undefined when it is loaded by itself. */
  function placeOf(path) {
    const name = relative(source, path);
    const room = ROOMS.find(([, pattern]) => pattern.test(name))?.[0];
    if (room === undefined) return undefined;
    const paths = members.get(room);
    if (!paths.includes(path)) paths.push(path);
    return { room, part: `part${paths.indexOf(path)}` };
  }

  const redirected = (text, path) =>
    text.replace(LAZY, (whole, target) => {
      const place = placeOf(join(dirname(path), target));
      return place ? `import('${NAMESPACE}:${place.room}').then((room) => room.${place.part})` : whole;
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
        contents: members
          .get(room)
          .map((path, index) => `export * as part${index} from ${JSON.stringify(path)};`)
          .join('\n'),
        resolveDir: source,
      }));
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
        contents: redirected(await readFile(path, 'utf8'), path),
        loader: 'ts',
      }));
    },
  };
}
