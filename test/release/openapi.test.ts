// Other tools can use docs/openapi.json: two validators accept it, its examples fit its schemas, and a
// generated client compiles and sends a transaction.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(root, 'docs/openapi.json'), 'utf8');

type Media = { schema?: object; example?: unknown };

/** Every media type of the document, with its path. */
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

  test('makes types that compile, and with which a minimal transaction is sent', async () => {
    writeFileSync(join(folder, 'api.ts'), astToString(await openapiTypescript(text)));
    writeFileSync(join(folder, 'use.ts'), USE);
    writeFileSync(join(folder, 'send.ts'), SEND);
    writeFileSync(join(folder, 'node.d.ts'), NODE);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options =
      '--outDir out --strict --module nodenext --target es2023 --lib es2023,dom,dom.iterable --rewriteRelativeImportExtensions node.d.ts use.ts send.ts';
    const compiled = spawnSync(process.execPath, [tsc, ...options.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([compiled.status, compiled.stdout]).toEqual([0, '']);
    const harness = await openHarness('over HTTP');
    try {
      const given = [harness.baseUrl, harness.service.ownToken, join(root, 'test/fixtures/contract.pdf')];
      const sent = await promisify(execFile)(process.execPath, [join(folder, 'out/send.js'), ...given]);
      expect(JSON.parse(sent.stdout)).toEqual({
        url: expect.stringContaining('/sign?token='),
        status: 'started',
        cancelled: null,
        startedBy: 'sender@esign.test',
      });
    } finally {
      await harness.close();
    }
  });
});

/** A program with statements that the types allow, and some that they do not. */
const USE = `import type { components, paths, webhooks } from './api.ts';
type Query = paths['/v1/template']['get']['parameters']['query'];
export const query: Query = { limit: 20, page: 1 };
// @ts-expect-error A number is no text.
export const wrong: Query = { limit: '20', page: 1 };
type Sealed = webhooks['transaction_completed']['post']['requestBody']['content']['application/json'];
export const names = (event: Sealed): string[] => event.data.sealed_documents.map(({ name }) => name);
// @ts-expect-error Another service does not send the hash.
export const hashes = (event: Sealed): string[] => event.data.sealed_documents.map(({ sha256 }) => sha256);
export const current = (transaction: components['schemas']['Transaction']): string | undefined =>
  transaction.template.recipients.find((recipient) => recipient.is_current)?.email;
// @ts-expect-error Another service does not say when a transaction was cancelled.
export const cancelled = (transaction: components['schemas']['Transaction']): string | null => transaction.cancelled_at;
export const why = (event: components['schemas']['Event']): string | undefined =>
  event.type === 'transaction_cancelled' ? event.data.cancelled_reason : undefined;
`;

/** The parts of Node that the client uses. */
const NODE = `declare const process: { argv: [string, string, string, string, string] };
declare module 'node:fs/promises' {
  export function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
}
`;

/** A client over the generated types alone: from an upload to a started transaction, with what is needed and nothing else. */
const SEND = `import { readFile } from 'node:fs/promises';
import type { paths } from './api.ts';

const [, , base, token, file] = process.argv;

type Method = 'get' | 'post' | 'put';
type Json<T> = { content: { 'application/json': T } };
type Body<O> = O extends { requestBody?: infer B } ? (NonNullable<B> extends Json<infer T> ? T : undefined) : undefined;
type Answer<O> = O extends { responses: { 200: Json<infer T> } | { 201: Json<infer T> } } ? T : never;

async function call<P extends keyof paths, M extends Method>(
  method: M,
  path: P,
  { id = '', query = '', body }: { id?: string; query?: string; body?: Body<paths[P][M]> },
): Promise<Answer<paths[P][M]>> {
  const response = await fetch(base + path.replace('{transactionId}', id) + query, {
    method: method.toUpperCase(),
    headers: {
      authorization: \`Bearer \${token}\`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer<paths[P][M]>;
}

const form = new FormData();
form.set('file', new Blob([await readFile(file)]), 'contract.pdf');
const headers = { authorization: \`Bearer \${token}\` };
const uploaded = await fetch(\`\${base}/v1/file/upload\`, { method: 'POST', headers, body: form });
const upload = (await uploaded.json()) as Answer<paths['/v1/file/upload']['post']>;

const { id } = await call('post', '/v1/transaction', {});
await call('post', '/v1/transaction/{transactionId}/document', { id, body: { token: upload.token } });
const { template } = await call('get', '/v1/transaction/{transactionId}', { id });
await call('put', '/v1/transaction/{transactionId}', {
  id,
  body: {
    name: 'Agreement',
    documents: template.documents.map((document, index) => ({ id: document.id, index })),
    recipients: [
      { role: 'sender', index: 0, name: 'Sender', email: 'sender@esign.test' },
      { role: 'signer', index: 1, name: 'Ada', email: 'ada@example.com' },
    ],
  },
});
const { template: draft } = await call('get', '/v1/transaction/{transactionId}', { id });
await call('put', '/v1/transaction/{transactionId}/fields', {
  id,
  body: {
    fields: [
      {
        document_id: draft.documents[0]?.id ?? '',
        recipient_id: draft.recipients[1]?.id ?? '',
        page: 0,
        width: 200,
        height: 50,
        positionX: 72,
        positionY: 600,
        type: 'signature',
      },
    ],
  },
});
const { url } = await call('put', '/v1/transaction/{transactionId}/start', { id });
const { status, cancelled_at } = await call('get', '/v1/transaction/{transactionId}', { id });
const { items } = await call('get', '/v1/event', { query: \`?transaction_id=\${id}\` });
const startedBy = items.flatMap((event) =>
  event.type === 'transaction_started' ? [event.data.started_by.email] : [],
)[0];
console.log(JSON.stringify({ url, status, cancelled: cancelled_at, startedBy }));
`;
