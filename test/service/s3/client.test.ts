// Requests to S3 as a server gets them: signed by the rules of Amazon, sent again where the server failed, and within limits.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsV4Signer } from 'aws4fetch';
import { afterEach, expect, test } from 'vitest';
import { sha256Of } from '../../../src/common/sha256.ts';
import { createS3Client } from '../../../src/service/s3/client.ts';
import type { S3Access, S3Keys } from '../../../src/service/s3/failures.ts';
import { SLOW } from '../../support/tier.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

type Got = {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
};

/** Starts a server that answers each request with the next status, then with the last one. */
async function clientOf(...answers: [status: number, body?: string][]) {
  return clientWith({}, ...answers);
}

async function clientWith(more: Partial<S3Access>, ...answers: [status: number, body?: string][]) {
  const got: Got[] = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    got.push({ method: request.method, url: request.url, headers: request.headers, body });
    const [status, text = ''] = answers[Math.min(got.length, answers.length) - 1] ?? [200];
    response.writeHead(status).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const access = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    isPathStyle: true,
    accessKeyId: 'AN-ID',
    secretAccessKey: 'A-SECRET',
    sessionToken: 'A-TOKEN',
    ...more,
  };
  const facts = { now: () => '2026-03-01T09:00:00.000Z', random: randomBytes };
  return { got, client: createS3Client('s3://documents/team', access, facts) };
}

const body = (text: string) => ({
  sha256: sha256Of(text),
  sizeBytes: text.length,
  async *read() {
    yield Buffer.from(text);
  },
});

const CODE = (code: string) => `<Error><Code>${code}</Code><Message>A-SECRET</Message></Error>`;

test("the signer gives the signature of Amazon's published example (GET Object)", async () => {
  const { headers } = await new AwsV4Signer({
    url: 'https://examplebucket.s3.amazonaws.com/test.txt',
    headers: { range: 'bytes=0-9', 'x-amz-content-sha256': sha256Of('') },
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    service: 's3',
    region: 'us-east-1',
    datetime: '20130524T000000Z',
    allHeaders: true,
  }).sign();
  expect(headers.get('authorization')).toContain(
    'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

test('an object is sent with its signed hash, its checksum and its length', async () => {
  const { client, got } = await clientOf([200]);
  await client.put('blobs/a', body('the content'));
  const [{ method, url, headers, body: sent } = {} as Got] = got;
  expect([method, url, sent]).toEqual(['PUT', '/documents/team/blobs/a', 'the content']);
  expect(headers['x-amz-content-sha256']).toBe(sha256Of('the content'));
  expect(headers['x-amz-checksum-sha256']).toBe(
    Buffer.from(sha256Of('the content'), 'hex').toString('base64'),
  );
  expect(headers['content-length']).toBe('11');
  expect(headers['x-amz-date']).toBe('20260301T090000Z');
  expect(headers['x-amz-security-token']).toBe('A-TOKEN');
  expect(headers.authorization).toContain('Credential=AN-ID/20260301/eu-central-1/s3/aws4_request');
  expect(headers.authorization).toContain('x-amz-content-sha256');
});

test.skipIf(!SLOW)('what failed for a moment is sent again, whole', async () => {
  const { client, got } = await clientOf([503, CODE('SlowDown')], [500], [200]);
  await client.put('blobs/a', body('the content'));
  expect(got.map(({ body: sent }) => sent)).toEqual(['the content', 'the content', 'the content']);
});

test.each<[number, string, string]>([
  [403, 'SignatureDoesNotMatch', 'refuses the keys'],
  [404, 'NoSuchBucket', 'does not exist'],
  [301, 'PermanentRedirect', 'not in the region eu-central-1'],
  [403, 'RequestTimeTooSkewed', 'refuses the time'],
  [400, 'BadDigest', 'answers 400 (BadDigest)'],
])('%d %s is not sent again, and said without a key', async (status, code, said) => {
  const { client, got } = await clientOf([status, CODE(code)]);
  const error: Error = await client.put('blobs/a', body('x')).then(
    () => new Error('accepted'),
    (thrown) => thrown,
  );
  expect(error.message).toContain(said);
  expect(JSON.stringify({ ...error, message: error.message })).not.toMatch(/A-SECRET|AN-ID|A-TOKEN/);
  expect(got).toHaveLength(1);
});

test('a missing object is nothing, and a missing bucket is an error', async () => {
  const read = async (code: string) => {
    const { client } = await clientOf([404, CODE(code)]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of client.read('blobs/a')) chunks.push(chunk);
    return chunks;
  };
  expect(await read('NoSuchKey')).toEqual([]);
  await expect(read('NoSuchBucket')).rejects.toThrow('"documents" does not exist');
});

test.each([
  [400, 'ExpiredToken'],
  [403, 'InvalidAccessKeyId'],
  [400, 'InvalidToken'],
  [403, 'SignatureDoesNotMatch'],
])(
  'keys that are refused with %d %s are read again, and new ones are used from then on',
  async (status, code) => {
    let keys: S3Keys = { accessKeyId: 'AN-ID', secretAccessKey: 'A-SECRET', sessionToken: 'A-TOKEN' };
    const readKeys = async () => ({ ...keys });
    const { client, got } = await clientWith({ readKeys }, [status, CODE(code)], [status, CODE(code)], [200]);
    // Nothing is sent again while they are the same ones.
    await expect(client.put('blobs/a', body('x'))).rejects.toThrow('refuses the keys');
    expect(got).toHaveLength(1);
    keys = { accessKeyId: 'NEW-ID', secretAccessKey: 'B-SECRET', sessionToken: 'B-TOKEN' };
    await client.put('blobs/a', body('x'));
    await client.remove('blobs/a');
    const used = got.map(({ headers }) => [
      /Credential=([\w-]+)/.exec(headers.authorization ?? '')?.[1],
      headers['x-amz-security-token'],
    ]);
    expect(used.slice(1)).toEqual([
      ['AN-ID', 'A-TOKEN'],
      ['NEW-ID', 'B-TOKEN'],
      ['NEW-ID', 'B-TOKEN'],
    ]);
  },
);

test('keys that are refused again, or cannot be read, are said to be refused', async () => {
  const refused = [403, CODE('InvalidAccessKeyId')] as [number, string];
  let count = 0;
  const readKeys = async () => {
    count += 1;
    return { accessKeyId: `ID-${count}`, secretAccessKey: 'B-SECRET', sessionToken: undefined };
  };
  const { client, got } = await clientWith({ readKeys }, refused);
  await expect(client.remove('blobs/a')).rejects.toThrow('refuses the keys');
  expect([got.length, count]).toEqual([2, 1]);
  const unread = await clientWith({ readKeys: () => Promise.reject(new Error('No such file.')) }, refused);
  await expect(unread.client.remove('blobs/a')).rejects.toThrow('refuses the keys');
});
