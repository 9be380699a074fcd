// docs/openapi.json in the hands of others: two validators accept it, its examples are what its schemas say, and a client that
// a generator makes of it compiles.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SLOW } from '../support/tier.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(root, 'docs/openapi.json'), 'utf8');

type Media = { schema?: object; example?: unknown };

/** Every media type of the document, with the way to it. */
function* mediaOf(node: unknown, way = ''): Generator<[string, Media]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, inside] of Object.entries(node)) {
    if (key === 'content')
      for (const [type, media] of Object.entries(inside as object)) yield [`${way} ${type}`, media as Media];
    else yield* mediaOf(inside, `${way}/${key}`);
  }
}

describe.skipIf(!SLOW)('docs/openapi.json', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'esign-openapi-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is OpenAPI 3.1 by the schema of OpenAPI', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(text));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('has nothing that the linter of Redocly calls an error', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({
      source: text,
      absoluteRef: join(root, 'docs/openapi.json'),
      config,
    });
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  test('has examples that are what the schemas beside them say', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    // The default export of a CommonJS module is the module.
    (addFormats as unknown as (one: Ajv2020) => void)(ajv);
    ajv.addSchema({ $id: 'openapi', ...JSON.parse(text) });
    const wrong: unknown[] = [];
    let examples = 0;
    for (const [way, { schema, example }] of mediaOf(JSON.parse(text))) {
      if (example === undefined || !schema) continue;
      examples += 1;
      const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
      if (!ajv.validate(whole, example)) wrong.push([way, ajv.errorsText()]);
    }
    expect(wrong).toEqual([]);
    expect(examples).toBeGreaterThan(25);
  });

  test('makes a client that compiles', async () => {
    writeFileSync(join(folder, 'api.ts'), astToString(await openapiTypescript(text)));
    writeFileSync(
      join(folder, 'use.ts'),
      `import type { components, paths, webhooks } from './api.ts';
type Query = paths['/v1/template']['get']['parameters']['query'];
export const query: Query = { limit: 20, page: 1 };
// @ts-expect-error A number is no text.
export const wrong: Query = { limit: '20', page: 1 };
type Sealed = webhooks['transaction_completed']['post']['requestBody']['content']['application/json'];
export const names = (event: Sealed): string[] => event.data.sealed_documents.map(({ name }) => name);
export const current = (transaction: components['schemas']['Transaction']): string | undefined =>
  transaction.template.recipients.find((recipient) => recipient.is_current)?.email;
`,
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = '--noEmit --strict --module nodenext --target es2023 --allowImportingTsExtensions use.ts';
    const ran = spawnSync(process.execPath, [tsc, ...options.split(' ')], { cwd: folder, encoding: 'utf8' });
    expect([ran.status, ran.stdout]).toEqual([0, '']);
  });
});
