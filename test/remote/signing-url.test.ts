// The signing URL of a transaction at a service whose signing pages no profile names: the service is asked where they are.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import { type ScriptedService, startScriptedService } from '../support/servers/scripted-service.ts';

const transaction = (status: string, token?: string) => ({
  id: 'T',
  status,
  template: {
    name: 'Agreement',
    recipients: [
      { id: 'R', role: 'signer', index: 0, name: 'Ada', email: 'ada@example.com', is_current: true, token },
    ],
    documents: [],
    fields: [],
  },
});

const ADDRESSES = { dashboard_url: 'https://dashboard.example.com', app_url: 'https://sign.example.com' };

let runs: BuiltProgram;
let service: ScriptedService;
let answer = { transaction: transaction('started', 'S'), addresses: ADDRESSES as object | undefined };

beforeAll(async () => {
  runs = await openBuiltProgram();
  service = await startScriptedService((response, { path }) => {
    if (path !== '/.well-known/esign') return response.end(JSON.stringify(answer.transaction));
    return response.writeHead(answer.addresses ? 200 : 404).end(JSON.stringify(answer.addresses ?? {}));
  });
});

afterEach(() => {
  service.asked.length = 0;
});

afterAll(async () => {
  await runs.close();
  await service.close();
});

const run = (...words: string[]) =>
  runs.run([...words, '--json'], { ESIGN_BASE_URL: service.origin, ESIGN_ACCESS_TOKEN: 'token' });

const askedForAddresses = () => service.asked.filter(({ path }) => path === '/.well-known/esign');

describe('a service that is known by its URL and a token', () => {
  test.each(['open', 'show'])(
    'is asked for its signing pages by tx %s, without the token',
    async (command) => {
      answer = { transaction: transaction('started', 'S'), addresses: ADDRESSES };
      const { code, out } = await run('tx', command, 'T');
      expect([code, JSON.parse(out).url]).toEqual([0, 'https://sign.example.com/sign?token=S']);
      expect(askedForAddresses().map(({ headers }) => headers.authorization)).toEqual([undefined]);
    },
  );

  test('is asked for its dashboard by tx show --web where nobody can sign', async () => {
    answer = { transaction: transaction('completed'), addresses: ADDRESSES };
    const { code, out } = await run('tx', 'show', 'T', '--web');
    expect([code, JSON.parse(out).url]).toEqual([0, 'https://dashboard.example.com']);
    answer = { transaction: transaction('completed'), addresses: undefined };
    const refused = await run('tx', 'show', 'T', '--web');
    expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([2, 'dashboard_url_missing']);
  });

  test('is not asked about a transaction that nobody can sign', async () => {
    answer = { transaction: transaction('completed', 'S'), addresses: ADDRESSES };
    const { code, out } = await run('tx', 'show', 'T');
    expect([code, JSON.parse(out).url]).toEqual([0, undefined]);
    expect(askedForAddresses()).toEqual([]);
  });

  test('and that does not say where its signing pages are needs ESIGN_APP_URL', async () => {
    answer = { transaction: transaction('started', 'S'), addresses: undefined };
    const shown = await run('tx', 'show', 'T');
    expect([shown.code, JSON.parse(shown.out).url]).toEqual([0, undefined]);
    const opened = await run('tx', 'open', 'T');
    expect([opened.code, JSON.parse(opened.err).error.code]).toEqual([2, 'app_url_missing']);
  });

  test('and that does not return the link of the recipient is told so, whatever it says of its pages', async () => {
    answer = { transaction: transaction('started'), addresses: ADDRESSES };
    const { code, err } = await run('tx', 'open', 'T');
    expect([code, JSON.parse(err).error.code]).toEqual([5, 'signing_address_unknown']);
    expect(askedForAddresses()).toEqual([]);
  });
});
