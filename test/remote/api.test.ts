// `esign api` against a server with scripted answers: what is sent, what is printed, and where the token goes.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { curlLine } from '../../src/cli/commands/api/api-call.ts';
import {
  type BuiltProgram,
  type CommandResult,
  openBuiltProgram,
} from '../support/command-line/built-program.ts';
import { type ScriptedService, startScriptedService } from '../support/servers/scripted-service.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

let runs: BuiltProgram;
let service: ScriptedService;
let answer: Parameters<typeof startScriptedService>[0];

beforeAll(async () => {
  runs = await openBuiltProgram();
  service = await startScriptedService((response, asked, count) => answer(response, asked, count));
});

beforeEach(() => {
  service.asked.length = 0;
  answer = (response) => response.end('{"id":"T"}');
});

afterAll(async () => {
  await runs.close();
  await service.close();
});

const api = (args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> =>
  runs.run(['api', ...args], {
    ESIGN_BASE_URL: `${service.origin}/base`,
    ESIGN_ACCESS_TOKEN: 'TOKEN',
    ...env,
  });

const sent = () => service.asked.map(({ method, path, body }) => [method, path, body.toString()]);

describe('what is sent', () => {
  test.each<[string, string[], [string, string, string]]>(
    sampleOf(
      [
        [
          'an operation',
          ['transaction.detail', '-f', 'transactionId=a b'],
          ['GET', '/base/v1/transaction/a%20b', ''],
        ],
        ['a path', ['get', '/v1/x?y=1', '-f', 'z=2'], ['GET', '/base/v1/x?y=1&z=2', '']],
        ['a path with ids', ['GET', '/v1/x/{id}', '-f', 'id=7'], ['GET', '/base/v1/x/7', '']],
        [
          'a query',
          ['template.list', '-f', 'a[b]=c d', '-F', 'l[]=1', '-F', 'l[]=2'],
          ['GET', '/base/v1/template?a%5Bb%5D=c+d&l%5B%5D=1&l%5B%5D=2', ''],
        ],
        ['a DELETE', ['DELETE', '/v1/webhook/W', '-f', 'x=1'], ['DELETE', '/base/v1/webhook/W?x=1', '']],
        [
          'a body',
          ['transaction.create', '-f', 'name=5', '-F', 'n=5', '-F', 't=true', '-F', 'u=null', '-F', 'w=word'],
          ['POST', '/base/v1/transaction', '{"name":"5","n":5,"t":true,"u":null,"w":"word"}'],
        ],
        [
          'a body with depth',
          ['POST', '/x', '-f', 'a[b][c]=d', '-f', 'l[]=1', '-f', 'l[]=2', '-F', 'a[b][e]=1.5'],
          ['POST', '/base/x', '{"a":{"b":{"c":"d","e":1.5}},"l":["1","2"]}'],
        ],
        [
          'a key that means something to JavaScript',
          ['POST', '/x', '-f', '__proto__[a]=b'],
          ['POST', '/base/x', '{"__proto__":{"a":"b"}}'],
        ],
        ['an empty body', ['transaction.create'], ['POST', '/base/v1/transaction', '{}']],
        ['no body', ['POST', '/x'], ['POST', '/base/x', '']],
        [
          'an operation without a body',
          ['transaction.start', '-f', 'transactionId=T'],
          ['PUT', '/base/v1/transaction/T/start', ''],
        ],
      ],
      6,
    ),
  )('%s', async (_, args, wanted) => {
    const { code, err } = await api(args);
    expect(code, err).toBe(0);
    expect(sent()).toEqual([wanted]);
    expect(service.asked[0]?.headers).toMatchObject({
      authorization: 'Bearer TOKEN',
      accept: 'application/json',
    });
  });

  test('has the content of files', async () => {
    const file = join(runs.folder, "it's a file.json");
    await writeFile(file, '{"a":"ä"}');
    await api(['PUT', '/x', '-F', `text=@${file}`]);
    await api(['PUT', '/x', '--input', file, '-f', 'q=1']);
    await api(['file.upload', '-F', `file=@${file}`, '-f', 'name=n']);
    const [first, second, third] = service.asked;
    expect(first?.body.toString()).toBe('{"text":"{\\"a\\":\\"ä\\"}"}');
    expect([second?.path, second?.body.toString()]).toEqual(['/base/x?q=1', '{"a":"ä"}']);
    expect(third?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(third?.body.toString()).toMatch(
      /name="name"\r\n\r\nn\r\n[\s\S]+filename="it's a file\.json"[\s\S]+\{"a":"ä"\}/,
    );
  });

  test('to the address that a profile says', async () => {
    const ESIGN_ROUTES = '{"transaction.cancel":"POST /v2/{transactionId}/end"}';
    await api(['transaction.cancel', '-f', 'transactionId=T', '-f', 'cancelled_reason=x'], { ESIGN_ROUTES });
    expect(sent()).toEqual([['POST', '/base/v2/T/end', '{"cancelled_reason":"x"}']]);
    const { out } = await runs.run(['api', 'routes', '--json'], {
      ESIGN_BASE_URL: service.origin,
      ESIGN_ROUTES,
    });
    const { items } = JSON.parse(out) as { items: { id: string }[] };
    expect(items.find(({ id }) => id === 'transaction.cancel')).toMatchObject({
      method: 'POST',
      path: '/v2/{transactionId}/end',
      overridden: true,
      assumed: null,
    });
    expect(items.find(({ id }) => id === 'template.list')).toMatchObject({
      overridden: false,
      assumed: 'A4',
    });
  });

  test('never to another service, nor again what is sent once', async () => {
    for (const address of [
      'https://evil.example/v1',
      'https://evil.example/base/v1',
      `${service.origin}/other`,
      `${service.origin}.evil.example/base/x`,
    ])
      expect(await api(['GET', address])).toMatchObject({ code: 2, out: '' });
    expect(service.asked).toEqual([]);
    await api(['GET', `${service.origin}/base/v1/x?y=1`]);
    await api(['GET', '//evil.example/x']);
    expect(sent().map(([, path]) => path)).toEqual(['/base/v1/x?y=1', '/base//evil.example/x']);
    service.asked.length = 0;
    answer = (response) => response.destroy();
    expect(await api(['PUT', '/v1/transaction/T/start'])).toMatchObject({ code: 7 });
    expect(await api(['PUT', '/unknown'])).toMatchObject({ code: 7 });
    expect(service.asked).toHaveLength(2);
  });
});

describe('what makes no sense is refused before anything is sent', () => {
  test.each(
    sampleOf(
      [
        [['GET', 'v1/x'], 'value_invalid|address_elsewhere'],
        [['transaction.detial'], 'operation_unknown'],
        [['transaction.detail'], 'value_invalid'],
        [['GET'], 'argument_missing'],
        [['/v1/x'], 'argument_missing'],
        [['STEAL', '/x'], 'value_invalid'],
        [['file.upload'], 'file_missing'],
        [['POST', '/x', '-f', 'name'], 'value_invalid'],
        [['POST', '/x', '-f', '=x'], 'value_invalid'],
        [['POST', '/x', '-f', 'a=1', '-f', 'a[b]=2'], 'value_invalid'],
        [['POST', '/x', '-f', 'a[][b]=1'], 'value_invalid'],
        [['POST', '/x', '-F', 'a=@/nothing/here'], 'file_not_found'],
        [['template.list', '--paginate', '--include'], 'options_conflict'],
        [['transaction.create', '--paginate'], 'options_conflict'],
        [[], 'argument_missing'],
      ],
      2,
    ),
  )('%j is refused before anything is sent', async (args, code) => {
    const run = await api([...args, '--json']);
    expect(run).toMatchObject({ code: 2, out: '' });
    expect(JSON.parse(run.err).error.code).toMatch(new RegExp(`^(${code})$`));
    expect(service.asked).toEqual([]);
  });
});

describe('what is printed', () => {
  test('is the unchanged body', async () => {
    for (const body of ['{ "id" : 1e2 }', 'text', '']) {
      answer = (response) => response.end(body);
      expect(await api(['GET', '/x'])).toMatchObject({ code: 0, out: body });
    }
  });

  test.skipIf(!SLOW)('is JSON with --json, whatever came', async () => {
    const png = Buffer.from([0x89, 0x50, 0xff, 0x00]);
    answer = (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    expect(JSON.parse((await api(['GET', '/x', '--json'])).out)).toEqual({
      content_type: 'image/png',
      base64: png.toString('base64'),
    });
    answer = (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hi');
    expect(JSON.parse((await api(['GET', '/x', '--json'])).out)).toEqual({
      content_type: 'text/plain',
      text: 'hi',
    });
    answer = (response) => response.writeHead(200, { 'x-a': 'b' }).end('[1]');
    expect(JSON.parse((await api(['GET', '/x', '--json', '--include'])).out)).toMatchObject({
      status: 200,
      headers: { 'x-a': 'b' },
      body: [1],
    });
    answer = (response) => response.end('['.repeat(50_000) + ']'.repeat(50_000));
    expect(await api(['GET', '/x', '--json'])).toMatchObject({ code: 0 });
  });

  test.each([
    [400, 3],
    [401, 4],
    [404, 5],
    [409, 6],
    [302, 7],
  ])('of a %i is its body, and the error on stderr', async (status, code) => {
    answer = (response) =>
      response.writeHead(status, { location: 'https://x.example/' }).end('{"message":"No"}');
    const run = await api(['POST', '/x']);
    expect(run).toMatchObject({ code, out: '{"message":"No"}' });
    expect(run.err).toMatch(status === 302 ? /redirects to https:\/\/x\.example/ : /^\nerror: No/);
    expect(run.err).not.toContain('routes.');
  });

  test('is every item of every page, one a line, and ends when a service does not move on', async () => {
    answer = (response, { path }) => {
      const page = Number(new URL(path, service.origin).searchParams.get('page'));
      const meta = { next_page: page < 3 ? page + 1 : 2, is_last_page: false };
      response.end(JSON.stringify({ items: [{ id: page }, { id: -page }], meta }));
    };
    const lines = '{"id":1}\n{"id":-1}\n{"id":2}\n{"id":-2}\n{"id":3}\n{"id":-3}\n';
    expect(await api(['template.list', '--paginate', '-f', 'search=x'])).toMatchObject({
      code: 0,
      out: lines,
    });
    expect(sent().map(([, path]) => path)).toEqual(
      [1, 2, 3].map((page) => `/base/v1/template?search=x&limit=100&page=${page}`),
    );
    expect((await api(['template.list', '--paginate', '--json'])).out).toBe(lines);
    answer = (response) => response.end('{"id":"no list"}');
    expect((await api(['GET', '/x', '--paginate'])).out).toBe('{"id":"no list"}');
  });
});

describe('--dry-run', () => {
  test('sends nothing, and shows no token', async () => {
    const { code, out } = await api(['transaction.create', '-f', 'name=A', '--dry-run']);
    expect(code).toBe(0);
    expect(out).toBe(
      `curl -X POST ${service.origin}/base/v1/transaction -H "Authorization: Bearer $ESIGN_ACCESS_TOKEN" ` +
        `-H 'accept: application/json' -H 'content-type: application/json' --data-raw '{"name":"A"}'\n`,
    );
    expect(service.asked).toEqual([]);
  });

  test('is a line that a shell takes apart as it was meant', () => {
    const texts = ["it's", '$HOME `id` $(id)', 'a"b\\c', 'two\nlines', "''", '*?[x]~!', '-n', ' ', 'ä €'];
    const lines = texts.map((text) => {
      const headers = { accept: 'a', 'content-type': 'application/json', authorization: 'Bearer SECRET' };
      const url = `https://x.example/?q=${text}`;
      return curlLine({
        call: { method: 'POST', url, headers, body: new TextEncoder().encode(text) },
        operation: '',
      });
    });
    const script = `curl() { printf '%s\\0' "$@"; }\n${lines.join('\n')}`;
    const words = execFileSync('sh', ['-c', script], { env: { ESIGN_ACCESS_TOKEN: 'T' } })
      .toString()
      .split('\0');
    expect(words.slice(0, -1)).toEqual(
      texts.flatMap((text) => [
        ...['-X', 'POST', `https://x.example/?q=${text}`, '-H', 'Authorization: Bearer T'],
        ...['-H', 'accept: a', '-H', 'content-type: application/json', '--data-raw', text],
      ]),
    );
  });
});
