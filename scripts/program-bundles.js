// Splits the program into bundles: everything in a bundle is read at each start that loads it, and every function
// in it enlarges its cached compiled code. A module lies in one bundle alone, so that it runs once; another
// bundle requires it by name (`require("./main.cjs#src/api/codec.ts")`, src/cli/start/bundles.ts).
import { relative } from 'node:path';

/** Modules that `import()` names and common commands do not need, with everything that only they import. */
const RARE = [
  /^src\/cli\/commands\/(?!tx\/(create|download\/|list\/|open|send\/(?!place-conv|plan-view|resume|template-rec|wizard)|show\/(?!show-ev|watch)|start\/|wait))/,
  /^src\/cli\/(completion|describe|process)\//,
  /^src\/cli\/terminal\/(browser|github-actions|jq|pictures)\.ts$/,
  /^src\/config\/(config-writer|mail|sealing)\.ts$/,
  /^src\/credentials\//,
  /^src\/pdf\/(?!engine\/(lane|work)\.ts|plain\.ts|sound-pages\.ts|space\/look\.ts)/,
  /^src\/service\/(sealing|mail|outbox|web|operations\/(oauth|sandbox|signing|template|webhook))\//,
  /^src\/service\/(pattern|server|upkeep|store\/inspect|store\/migrations\/.*)\.ts$/,
  /^src\/api\/contract\/openapi\.ts$/,
];
/** The embedded service and the history, with SQLite: a command that uses a remote service needs neither. */
const LOCAL = [/^src\/cli\/connection\/sandbox\.ts$/, /^src\/(history|database)\//];

const isOneOf = (patterns) => (module) => patterns.some((pattern) => pattern.test(module));

/**
 * The bundles in order: a module lies in the first bundle that needs it. A package lies in the bundle of its importers,
 * because another bundle would require it whole.
 */
const BUNDLES = [
  { name: 'main', holds: () => true, packages: ['chalk', 'commander', 'zod'] },
  { name: 'local', holds: isOneOf(LOCAL), packages: ['kysely'] },
  { name: 'rare', holds: isOneOf(RARE), packages: [] },
];

/** The bundle of a module that is imported later: the last one whose patterns name it. */
const placeOf = (target) => BUNDLES.findLastIndex(({ holds }) => holds(target));

/** The placeholder in the names of the bundles beside the program until their content is known. */
export const UNNAMED_BUILD = '0123456789abcdef';

/** The program keeps its name; the others are named by the build, so that a running program finds the bundles of its own build. */
export const fileOf = (name) => (name === 'main' ? 'main.cjs' : `${name}-${UNNAMED_BUILD}.cjs`);

/**
 * @param inputs of esbuild's metafile for the whole program
 * @param entry the module that the program starts with
 * @returns for each bundle the modules that others require from it, and a plugin that omits modules of other bundles
 */
export function cutIntoBundles(inputs, root, entry) {
  const importsOf = (module, isLater) =>
    inputs[module].imports.filter(
      ({ external, kind }) => !external && (kind === 'dynamic-import') === isLater,
    );
  const pathsOf = (imports) => imports.map(({ path }) => path);
  const ours = Object.keys(inputs).filter((module) => module.startsWith('src/'));
  const importing = (packages) =>
    ours.filter((module) => importsOf(module, false).some(({ original }) => packages.includes(original)));

  const places = new Map();
  for (const [place, { packages }] of BUNDLES.entries()) {
    const later = ours.flatMap((module) => pathsOf(importsOf(module, true)));
    const toDo = [
      ...(place === 0 ? [entry] : later.filter((target) => placeOf(target) === place)),
      ...importing(packages),
    ];
    for (let module = toDo.pop(); module !== undefined; module = toDo.pop()) {
      if (places.has(module)) continue;
      places.set(module, place);
      toDo.push(...pathsOf(importsOf(module, false)));
      toDo.push(...pathsOf(importsOf(module, true)).filter((target) => placeOf(target) <= place));
    }
  }
  const askedFor = (place) =>
    ours.flatMap((module) =>
      places.get(module) === place
        ? []
        : pathsOf(inputs[module].imports).filter(
            (target) => places.get(target) === place && target.startsWith('src/'),
          ),
    );
  return BUNDLES.map(({ name }, place) => ({
    name,
    askedFor: [...new Set(askedFor(place))].sort(),
    leavingOutOthers: {
      name: 'leaving-out-others',
      setup({ onResolve }) {
        onResolve({ filter: /^\./ }, ({ path, importer }) => {
          const imports = inputs[relative(root, importer)]?.imports ?? [];
          const target = imports.find(({ original }) => original === path)?.path;
          const at = places.get(target);
          if (at === undefined || at === place) return undefined;
          return { path: `./${fileOf(BUNDLES[at].name)}#${target}`, external: true };
        });
      },
    },
  }));
}
