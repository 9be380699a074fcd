// Bundles packages that few commands need separately, one file each. They are loaded when a module that imports one is
// first needed, because everything in the program's own bundle is read at each start. The service for programs and the process
// for documents load the same files. Packages that are not named here are in the program.

import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Node returns a CommonJS package as the default export; esbuild's output for an ES module must look the same. */
const commonJs = (specifier) => `module.exports = require(${JSON.stringify(specifier)});`;
const byDefault = (specifier) => `import given from ${JSON.stringify(specifier)}; module.exports = given;`;
const byNames = (specifier) => `export * from ${JSON.stringify(specifier)};`;

const only =
  (...names) =>
  (specifier) =>
    `export { ${names.join(', ')} } from ${JSON.stringify(specifier)};`;

/** What src/api/remote.ts uses of undici. The whole package takes three times as long to load. */
const undiciParts = () => `
  const { prototype } = require('undici/lib/dispatcher/dispatcher');
  prototype.request = require('undici/lib/api/api-request');
  prototype.connect = require('undici/lib/api/api-connect');
  exports.Agent = require('undici/lib/dispatcher/agent');
  exports.Client = require('undici/lib/dispatcher/client');
  exports.buildConnector = require('undici/lib/core/connect');`;

/** How each package is bundled and from which file, by the imported name. */
export const PACKAGES = Object.fromEntries(
  [
    ['@cantoo/pdf-lib', byNames],
    ['@embedpdf/pdfium', commonJs],
    ['@fastify/busboy', commonJs],
    // Without the editor, whose tables of encodings are larger than everything else.
    ['@inquirer/prompts', only('checkbox', 'confirm', 'input', 'password', 'select')],
    ['@jsquash/webp/codec/dec/webp_dec.js', byDefault],
    ['aws4fetch', byNames],
    ['bidi-js', commonJs],
    ['canonicalize', byDefault],
    ['cli-table3', commonJs],
    ['cli-table3/src/utils.js', commonJs],
    ['conf', byDefault],
    ['fflate', commonJs],
    ['fontkit', byNames],
    ['jpeg-js', commonJs],
    ['nodemailer', commonJs],
    ['nodemailer/lib/mail-composer', commonJs],
    ['open', byDefault],
    ['ora', byDefault],
    ['pg', commonJs],
    ['pkijs', byNames],
    ['pngjs', commonJs],
    ['prom-client', commonJs],
    ['qrcode-generator', commonJs],
    ['re2js', commonJs],
    ['saxes', commonJs],
    ['undici', undiciParts],
    ['utif2', commonJs],
    ['yaml', byNames],
    ['yauzl', commonJs],
  ].map(([specifier, how]) => [specifier, how(specifier)]),
);

/** Packages that are one file together, so that what all of them use is in it once. */
const OPENTELEMETRY = '@opentelemetry';
PACKAGES[OPENTELEMETRY] = ['api', 'exporter-trace-otlp-proto', 'resources', 'sdk-trace-base']
  .map((name) => byNames(`${OPENTELEMETRY}/${name}`))
  .join('\n');

const MCP = '@modelcontextprotocol/server';
PACKAGES[MCP] = [
  `export { acceptedContent, createMcpHandler, inputRequired, McpServer } from '${MCP}';`,
  `export { serveStdio } from '${MCP}/stdio';`,
].join('\n');

/** The name of the file without its ending: a package, or those that are one file with it. */
const fileNameOf = (specifier) =>
  [OPENTELEMETRY, MCP].find((name) => specifier.startsWith(`${name}/`)) ?? specifier;

/** Without its validator of JSON Schemas, a third of the package: what a person answers is checked by whoever asked. */
export const withoutSchemaValidator = {
  name: 'without-schema-validator',
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'without-validator',
    }));
    build.onLoad({ filter: /.*/, namespace: 'without-validator' }, () => ({
      contents: `import process from 'node:process';
        export { process };
        export class DefaultJsonSchemaValidator {
          getValidator() {
            return (data) => ({ valid: true, data, errorMessage: undefined });
          }
        }`,
    }));
  },
};

/** `@cantoo/pdf-lib` → `package-cantoo-pdf-lib.cjs` */
export const bundleOf = (specifier) =>
  `package-${fileNameOf(specifier)
    .replace(/\.c?js$/, '')
    .replace(/\W+/g, '-')
    .replace(/^-/, '')}.cjs`;

const NATIVE = ['@napi-rs/keyring', '@photostructure/sqlite'];
const INSIDE = /^(chalk|commander|kysely|zod)(\/|$)/;

/** The exports of kysely that are used, as one module: kysely itself has 250 modules, and each takes time to start. */
const KYSELY = [
  'CompiledQuery',
  'Kysely',
  'PostgresAdapter',
  'PostgresQueryCompiler',
  'SqliteAdapter',
  'SqliteDriver',
  'SqliteQueryCompiler',
  'sql',
];

/** @param bundled esbuild's `build` */
export const kyselyAsOne = (bundled) => ({
  name: 'kysely-as-one',
  setup(build) {
    build.onResolve({ filter: /^kysely$/ }, ({ path }) => ({
      path,
      namespace: 'as-one',
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace: 'as-one' }, async ({ path }) => {
      const { absWorkingDir, target } = build.initialOptions;
      const { outputFiles } = await bundled({
        absWorkingDir,
        target,
        stdin: { contents: `export { ${KYSELY.join(', ')} } from '${path}';`, resolveDir: absWorkingDir },
        bundle: true,
        format: 'esm',
        platform: 'node',
        write: false,
      });
      return { contents: outputFiles[0].text };
    });
  },
});

/** @returns the file that has the package; undefined for one that is bundled. @throws for one that is not named here */
function fileOf({ path, importer, kind }) {
  if (kind === 'entry-point' || path.startsWith('node:') || importer.includes('/node_modules/')) return;
  if (Object.hasOwn(PACKAGES, fileNameOf(path))) return `./${bundleOf(path)}`;
  if (INSIDE.test(path) || NATIVE.includes(path)) return;
  throw new Error(`Say in scripts/packages-apart.js where the package "${path}" belongs.`);
}

export const packagesApart = {
  name: 'packages-apart',
  setup(build) {
    build.onResolve({ filter: /^[a-z@]/ }, (imported) => {
      const file = fileOf(imported);
      return file && { path: file, external: true };
    });
  },
};

/**
 * The same for ES modules. Each package is required, because Node reads the text of a CommonJS file that is imported twice, and finds
 * no names of exports in these files.
 * @param folder where the files have been built
 */
export const packagesRequired = (folder) => ({
  name: 'packages-required',
  setup(build) {
    const require = createRequire(import.meta.url);
    build.onResolve({ filter: /^[a-z@]/ }, (imported) => {
      const file = fileOf(imported);
      return file && { path: file, namespace: 'package' };
    });
    build.onLoad({ filter: /.*/, namespace: 'package' }, ({ path }) => {
      const names = Object.keys(require(join(folder, path))).filter((name) => /^(?!default$)\w+$/.test(name));
      return {
        contents: `import { createRequire } from 'node:module';
          const whole = createRequire(import.meta.url)(${JSON.stringify(path)});
          export default whole;
          export const { ${names.join(', ')} } = whole;`,
      };
    });
  },
});
