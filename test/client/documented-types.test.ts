// The types of the package as programs see them, compiled under `strict`: every example of the documentation, and what the types say of each service.
// All of them are modules of one TypeScript program.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompilerOptions } from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { SLOW } from '../support/tier.ts';

const { PUBLISHED_TYPES, readSurface } = (await import('../../scripts/declarations.js' as string)) as {
  PUBLISHED_TYPES: Record<string, string[]>;
  readSurface: (sources: string[]) => Promise<string>;
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

/** What an example takes from the program around it. */
const AROUND: Record<string, string> = {
  'docs/testing.md 2': `import type { Sandbox } from '@esign-cli/esign/testing';
declare const sandbox: Sandbox;
declare const app: { secret: string; request(path: string, init: RequestInit): Promise<Response> };
`,
};

/** By their page and place. A program that is saved as JavaScript, for another package, is none. */
function examples(): Map<string, string> {
  const found = new Map<string, string>();
  for (const page of PAGES) {
    const blocks = [
      ...readFileSync(join(ROOT, page), 'utf8').matchAll(/(.*)\n\n```(?:js|ts)\n([\s\S]*?)^```$/gm),
    ].filter(([, before = '']) => !before.includes('.mjs`'));
    for (const [index, [, , code = '']] of blocks.entries()) {
      const name = `${page} ${index + 1}`;
      found.set(name, `${AROUND[name] ?? ''}${code}\nexport {};\n`);
    }
  }
  return found;
}

const SAID = `
import { createClient, type Event, type Transaction, verifyWebhook } from '@esign-cli/esign';
import { createSandbox } from '@esign-cli/esign/testing';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Equal<A, B>): void => undefined;

const own = createClient({ baseUrl: 'https://sign.example.com' });
const other = createClient<'other'>({ baseUrl: 'https://api.example.com' });
const [a, b] = [await own.transactions.get('T'), await other.transactions.get('T')];

same<typeof a.status, 'draft' | 'started' | 'completed' | 'expired' | 'rejected'>(true);
same<typeof a.template.recipients, NonNullable<typeof a.template>['recipients']>(true);
same<(typeof a.template.recipients)[number]['submitted_at'], string | null>(true);
same<(typeof a.sealed_documents)[number]['sha256'], string>(true);
same<typeof b, Transaction<'other'>>(true);
// @ts-expect-error another service may leave the property out
b.template.recipients.length;
b.template?.recipients?.at(0)?.role === 'a role that only another service knows';
// @ts-expect-error esign knows no such role
a.template.recipients[0].role === 'a role that only another service knows';

const event = await verifyWebhook('', {}, 'whsec_');
if (event.type === 'transaction_rejected') same<typeof event.data.rejected_by.email, string>(true);
if (event.type === 'ping') same<typeof event.data.id, string>(true);
// @ts-expect-error only one type of event has it
event.data.rejected_by;
const unsure = await verifyWebhook<'other'>('', {}, 'whsec_');
if (unsure.type === 'transaction_rejected') same<typeof unsure.data.rejected_by extends object ? 1 : 2, 2>(true);
for await (const listed of own.events.list()) if (listed.type === 'transaction_created') listed.data.created_by.email;
const { items } = await own.sandbox.listEvents();
same<typeof items, Event[]>(true);

const sandbox = await createSandbox();
const { data } = await sandbox.events.waitFor('transaction_expired');
same<typeof data.expiration_days, number | null>(true);
// @ts-expect-error no type of event has this name
await sandbox.events.waitFor('transaction_expires');
await sandbox.events.receiver({ types: ['transaction_started'] });
// @ts-expect-error no operation has this name
await sandbox.faults.add('transaction.make', 'latency');
// @ts-expect-error no fault has this name
await sandbox.faults.add('transaction.create', 'slow');
await sandbox.faults.add('*', 'webhook-drop', { count: 1 });
// @ts-expect-error the same in the client
await own.sandbox.addFault({ operation: 'transaction.make', kind: 'latency' });
// @ts-expect-error no scope has this name
await sandbox.token({ scopes: ['transaction:write'] });
const open = await sandbox.applications.add({ name: 'A', callbackUrl: 'http://127.0.0.1/', isPublic: true });
// @ts-expect-error a public application has no secret
open.client_secret;
const closed = await sandbox.applications.add({ name: 'A', callbackUrl: 'http://127.0.0.1/' });
same<typeof closed.client_secret, string>(true);
`;

describe.skipIf(!SLOW)('the types of the package', () => {
  const modules = examples();
  const wrong = new Map<string, string[]>();

  beforeAll(async () => {
    const ts = (await import('typescript')).default;
    modules.set('what the types say', SAID);
    const names = [...modules.keys()];
    const files = new Map(names.map((name, at) => [join(ROOT, `module-${at}.ts`), modules.get(name) ?? '']));
    for (const [entry, sources] of Object.entries(PUBLISHED_TYPES))
      files.set(join(ROOT, `types-${entry}.d.ts`), await readSurface(sources));
    const options: CompilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: ['node'],
      paths: {
        '@esign-cli/esign': [join(ROOT, 'types-index.d.ts')],
        '@esign-cli/esign/service': [join(ROOT, 'types-service.d.ts')],
        '@esign-cli/esign/testing': [join(ROOT, 'types-testing.d.ts')],
      },
    };
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile, getSourceFile } = host;
    host.fileExists = (name) => files.has(name) || fileExists(name);
    host.readFile = (name) => files.get(name) ?? readFile(name);
    host.getSourceFile = (name, version) => {
      const text = files.get(name);
      return text === undefined
        ? getSourceFile(name, version)
        : ts.createSourceFile(name, text, version, true);
    };
    const program = ts.createProgram([...files.keys()], options, host);
    for (const [at, name] of names.entries()) {
      const source = program.getSourceFile(join(ROOT, `module-${at}.ts`));
      const found = ts.getPreEmitDiagnostics(program, source);
      wrong.set(
        name,
        found.map(({ messageText, start = 0 }) => {
          const line = source?.text.slice(0, start).split('\n').length;
          return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
        }),
      );
    }
  }, 60_000);

  test('compile in every example of the documentation', () => {
    expect(modules.size).toBe(11);
    expect([...wrong].filter(([, errors]) => errors.length > 0)).toEqual([]);
  });
});
