// The settings of a bucket: complete ones are read, and half of them are refused by name, without their values.
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readS3Settings } from '../../src/config/s3.ts';
import { parseServeSetting } from '../../src/config/serve-settings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KEYS = { ESIGN_SERVE_S3_ACCESS_KEY_ID: 'an-id', ESIGN_SERVE_S3_SECRET_ACCESS_KEY: 'a-secret' };
const ENDPOINT = { ESIGN_SERVE_S3_ENDPOINT: 'https://s3.example.com' };

const refusal = (variables: Record<string, string>, options = {}) =>
  readS3Settings({ options, variables }).then(
    () => 'accepted',
    (error: Error & { hint?: string }) => `${error.message} ${error.hint}`,
  );

test('without a bucket there are none', async () => {
  expect(
    await readS3Settings({ options: {}, variables: { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'x' } }),
  ).toBeUndefined();
});

test('an option wins over its variable, and keys of esign win over those of AWS', async () => {
  const variables = {
    ...KEYS,
    ...ENDPOINT,
    AWS_ACCESS_KEY_ID: 'other',
    AWS_SECRET_ACCESS_KEY: 'other',
    AWS_SESSION_TOKEN: 'other',
  };
  const options = { blobs: 's3://documents/team/', 's3-region': 'eu-central-1', 's3-path-style': true };
  expect(
    await readS3Settings({ options, variables: { ...variables, ESIGN_SERVE_BLOBS: 's3://no' } }),
  ).toEqual({
    location: 's3://documents/team',
    access: {
      endpoint: 'https://s3.example.com',
      region: 'eu-central-1',
      isPathStyle: true,
      accessKeyId: 'an-id',
      secretAccessKey: 'a-secret',
      sessionToken: undefined,
    },
  });
});

test.each([
  ['https://10.0.0.7:9000', true],
  ['http://[::1]:9000', true],
  ['http://localhost:9000', false],
  ['https://s3.example.com', false],
  ['https://s3.localhost.example', false],
])('the bucket is in the path at %s: %s', async (endpoint, isPathStyle) => {
  const settings = await readS3Settings({
    options: { blobs: 's3://documents', 's3-endpoint': endpoint },
    variables: KEYS,
  });
  expect(settings?.access).toMatchObject({ endpoint, isPathStyle });
});

test('the standard variables are read, and files that contain a key', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'secret');
  writeFileSync(file, 'from-a-file\n');
  const standard = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 's',
    AWS_SESSION_TOKEN: 't',
  };
  const found = await readS3Settings({ options: { blobs: 's3://documents' }, variables: standard });
  expect(found?.access).toMatchObject({
    endpoint: undefined,
    region: 'eu-west-1',
    accessKeyId: 'id',
    sessionToken: 't',
  });
  const { ESIGN_SERVE_S3_ACCESS_KEY_ID } = KEYS;
  const variables = {
    ...ENDPOINT,
    ESIGN_SERVE_S3_ACCESS_KEY_ID,
    ESIGN_SERVE_S3_SECRET_ACCESS_KEY_FILE: file,
  };
  const read = await readS3Settings({ options: { blobs: 's3://documents' }, variables });
  expect(read?.access).toMatchObject({ secretAccessKey: 'from-a-file', region: 'us-east-1' });
  await rm(folder, { recursive: true });
});

test.each<[string, Record<string, string>, object, RegExp]>([
  ['no bucket', KEYS, {}, /ESIGN_SERVE_S3_ACCESS_KEY_ID is set, but no bucket.*--blobs/],
  ['no bucket beside an option', {}, { 's3-region': 'eu-1' }, /--s3-region is set, but no bucket/],
  ['no region', KEYS, { blobs: 's3://documents' }, /region of the bucket is missing.*--s3-region/],
  [
    'no secret',
    { ...ENDPOINT, ESIGN_SERVE_S3_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'x' },
    { blobs: 's3://documents' },
    /ESIGN_SERVE_S3_SECRET_ACCESS_KEY is missing/,
  ],
  [
    'no key',
    { ...ENDPOINT, AWS_SECRET_ACCESS_KEY: 'a-secret' },
    { blobs: 's3://documents' },
    /AWS_ACCESS_KEY_ID is missing/,
  ],
  [
    'no keys at all',
    ENDPOINT,
    { blobs: 's3://documents' },
    /S3_ACCESS_KEY_ID and ESIGN_SERVE_S3_SECRET_ACCESS_KEY are missing.*_FILE/,
  ],
  [
    'an endpoint with a password',
    KEYS,
    { blobs: 's3://documents', 's3-endpoint': 'https://u:a-secret@s3.example.com' },
    /--s3-endpoint is not the URL/,
  ],
])('%s: refused by name', async (_, variables, options, expected) => {
  const said = await refusal(variables, options);
  expect(said).toMatch(expected);
  expect(said).not.toContain('a-secret');
});

test.each([
  'documents',
  's3://',
  's3://A',
  's3://documents//x',
  's3://documents/../x',
  's3://documents/a?b',
  'https://documents/x',
])('%s is no place', (text) => {
  expect(() => parseServeSetting('blobs', text)).toThrow('--blobs');
});
