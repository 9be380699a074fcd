// Splits the program into bundles: everything in a bundle is read at each start that loads it, and every function
// in it enlarges its cached compiled code. A module lies in one bundle alone, so that it runs once; another
// bundle requires it by name (`require("./main.cjs#src/api/codec.ts")`, src/cli/start/bundles.ts).
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Beginnings of paths: modules that common commands do not need, with everything that only they import. What `src/cli` imports from
 * here, plainly or by `import()`, and what others import from here by `import()`, is loaded with its first use.
 */
const RARE = [
  'src/api/contract/openapi/document.ts',
  'src/cli/command/env-file-options.ts',
  'src/cli/command/secrets.ts',
  'src/cli/commands/',
  'src/cli/connection/new-sandbox.ts',
  'src/cli/connection/store-copies.ts',
  'src/cli/connection/team-server.ts',
  'src/cli/describe/',
  'src/cli/input/api-fields.ts',
  'src/cli/input/field-file.ts',
  'src/cli/input/meant.ts',
  'src/cli/input/settings.ts',
  'src/cli/mcp/',
  'src/cli/process/faults.ts',
  'src/cli/process/trace-work.ts',
  'src/cli/process/workers.ts',
  'src/cli/run-command.ts',
  'src/cli/seeding/',
  'src/cli/sending/dry-run.ts',
  'src/cli/sending/edit.ts',
  'src/cli/sending/previewed.ts',
  'src/cli/sending/resume.ts',
  'src/cli/sending/suggestions.ts',
  'src/cli/sending/wizard.ts',
  'src/cli/shell-completion/',
  'src/cli/terminal/browser.ts',
  'src/cli/terminal/github-actions.ts',
  'src/cli/terminal/hidden-secrets.ts',
  'src/cli/terminal/jq.ts',
  'src/cli/terminal/line-prompts.ts',
  'src/cli/terminal/pictures.ts',
  'src/config/config-writer.ts',
  'src/credentials/',
  'src/docx/',
  'src/pdf/',
  'src/placement/form-',
  'src/placement/suggestions/',
  'src/placement/tags/',
  'src/service/copies/',
  'src/service/mail/',
  'src/service/operations/oauth.ts',
  'src/service/operations/sandbox/',
  'src/service/operations/signing.ts',
  'src/service/operations/templates.ts',
  'src/service/operations/webhooks.ts',
  'src/service/outbox/',
  'src/service/checks/pattern.ts',
  'src/service/s3/',
  'src/service/sealing/',
  'src/service/serve/',
  'src/service/http/mcp.ts',
  'src/service/http/server.ts',
  'src/service/store/state/inspect.ts',
  'src/service/store/migrations/',
  'src/service/background/upkeep.ts',
  'src/service/web/',
];
/** Exceptions of these: what common commands do need. */
const COMMON = [
  'src/cli/commands/tx/create.ts',
  'src/cli/commands/tx/download.ts',
  'src/cli/commands/tx/list.ts',
  'src/cli/commands/tx/open.ts',
  'src/cli/commands/tx/send.ts',
  'src/cli/commands/tx/show.ts',
  'src/cli/commands/tx/start.ts',
  'src/cli/commands/tx/wait.ts',
  'src/pdf/engine/in-parts.ts',
  'src/pdf/engine/one-shot.ts',
  'src/pdf/geometry.ts',
  'src/pdf/engine/work.ts',
  'src/pdf/engine/worker.ts',
  'src/pdf/read/plain.ts',
  'src/pdf/read/sound-pages.ts',
  'src/pdf/render/free-boxes.ts',
  'src/pdf/content/tag-scan.ts',
];
/** The embedded service and the history, with SQLite: a command that uses a remote service needs neither. */
const LOCAL = ['src/cli/connection/sandbox.ts', 'src/database/', 'src/history/'];

/** What `esign verify` needs: scripts call it for many files, one after the other. */
const VERIFY = ['src/cli/commands/verify/', 'src/cli/connection/sandbox-roots.ts'];

const isIn = (paths) => (module) => paths.some((path) => module.startsWith(path));
const isRare = (module) => isIn(RARE)(module) && !isIn(COMMON)(module) && !isIn(VERIFY)(module);

/** Refuses a path that no module has. It was moved, and its modules would silently lie in another bundle. */
function checkPaths(modules) {
  for (const path of [...RARE, ...COMMON, ...LOCAL, ...VERIFY])
    if (!modules.some((module) => module.startsWith(path)))
      throw new Error(`scripts/program-bundles.js names ${path}, which is no module of the program.`);
}

/**
 * The bundles in order: a module lies in the first bundle that needs it. A package lies in the bundle of its importers,
 * because another bundle would require it whole.
 */
const BUNDLES = [
  { name: 'main', holds: () => true, packages: ['chalk', 'commander', 'zod'] },
  { name: 'local', holds: isIn(LOCAL), packages: ['kysely'] },
  { name: 'verify', holds: isIn(VERIFY), packages: [] },
  { name: 'rare', holds: isRare, packages: [] },
];

/** The bundle of a module that is loaded later: the last one that holds it. */
const placeOf = (target) => BUNDLES.findLastIndex(({ holds }) => holds(target));

/** Stands before the module in `require("./rare.cjs#later:src/cli/…")`, which src/cli/start/bundles.ts reads. */
const DEFERRED_MARK = 'later:';

const isOfCommands = isIn(['src/cli/']);
/** The file of a plain import may wait for its first use only where files do nothing while they are loaded, as those of commands. */
const isDeferred = (module, target) =>
  isOfCommands(module) && !isRare(module) && !isIn(VERIFY)(module) && placeOf(target) > placeOf(module);

/** Names are read when they are used. Anything else of a module would be read while the importing file is loaded, or not at all. */
function mustBeNamed(importer, path) {
  const source = readFileSync(importer, 'utf8');
  const named = new RegExp(
    `^(?:import|export) (?:type )?\\{[^}]*\\} from '${path.replaceAll('.', '\\.')}';`,
    'gm',
  );
  const mentions = source.split(`'${path}';`).length - 1;
  if (
    mentions !== (source.match(named) ?? []).length ||
    new RegExp(`^export \\{[^}]*\\} from '${path}'`, 'm').test(source)
  )
    throw new Error(
      `${relative(process.cwd(), importer)} must import names from ${path}, which is loaded with its first use.`,
    );
}

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
      ({ external, kind, path }) =>
        !external && (kind === 'dynamic-import' || isDeferred(module, path)) === isLater,
    );
  const pathsOf = (imports) => imports.map(({ path }) => path);
  const ours = Object.keys(inputs).filter((module) => module.startsWith('src/'));
  checkPaths(ours);
  const importing = (packages) =>
    ours.filter((module) => importsOf(module, false).some(({ original }) => packages.includes(original)));

  const places = new Map();
  for (const [place, { packages }] of BUNDLES.entries()) {
    const later = ours.flatMap((module) => pathsOf(importsOf(module, true)));
    const toDo = place === 0 ? [entry] : later.filter((target) => placeOf(target) === place);
    for (let module = toDo.pop(); module !== undefined; module = toDo.pop()) {
      if (places.has(module)) continue;
      places.set(module, place);
      toDo.push(...pathsOf(importsOf(module, false)));
      toDo.push(...pathsOf(importsOf(module, true)).filter((target) => placeOf(target) <= place));
    }
    // Only these modules move to their package: what else they import stays in the bundle that needs it.
    for (const module of importing(packages)) if (!places.has(module)) places.set(module, place);
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
        onResolve({ filter: /^\./ }, ({ path, importer, kind }) => {
          const imports = inputs[relative(root, importer)]?.imports ?? [];
          const target = imports.find(({ original }) => original === path)?.path;
          const at = places.get(target);
          if (at === undefined || at === place) return undefined;
          const mark = kind === 'import-statement' && at > place ? DEFERRED_MARK : '';
          if (mark) mustBeNamed(importer, path);
          return { path: `./${fileOf(BUNDLES[at].name)}#${mark}${target}`, external: true };
        });
      },
    },
  }));
}
