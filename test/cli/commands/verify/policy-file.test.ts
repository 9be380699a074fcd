// A file of --policy changes rows of the table of the standard, and leaves all others as they are.
import { expect, test } from 'vitest';
import { policyIn } from '../../../../src/cli/commands/verify/requirements.ts';
import { OPTIONS } from '../../../../src/cli/commands/verify/verify.ts';
import type { FileReader } from '../../../../src/cli/input/files.ts';
import { ETSI_POLICY } from '../../../../src/pdf/verify/verify.ts';

const policyOf = (text: string) =>
  policyIn('policy.json', { read: async () => Buffer.from(text) } as unknown as FileReader);

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

test('a row that the file does not name stays as it is', async () => {
  const { hashes, ...others } = await policyOf('{"name": "Ours", "hashes": {"SHA-224": "2020-01-01"}}');
  expect(hashes).toEqual({ ...ETSI_POLICY.hashes, sha224: day('2020-01-01') });
  const { hashes: _, ...standard } = ETSI_POLICY;
  expect(others).toEqual({ ...standard, name: 'Ours' });
  const { rsa, ec, ocspRsa } = await policyOf(
    '{"rsa_below": {"2048": "2020-01-01"}, "ec_below": {"256": "2022-01-01"}, "ocsp_rsa_below": {"2048": "2020-01-01"}}',
  );
  expect(rsa.map(({ below }) => below)).toEqual([1024, 1900, 2048, 3000]);
  expect(ec).toEqual([ETSI_POLICY.ec[0], { below: 256, from: day('2022-01-01') }]);
  expect(ocspRsa).toEqual([{ below: 2048, from: day('2020-01-01') }, ...ETSI_POLICY.ocspRsa]);
});

test('null removes a row', async () => {
  const policy = await policyOf('{"hashes": {"MD5": null}, "rsa_below": {"3000": null}, "rsa_pkcs1": null}');
  expect(Object.keys(policy.hashes)).toEqual(['sha1', 'sha224']);
  expect(policy.rsa).toEqual(ETSI_POLICY.rsa.slice(0, 2));
  expect(policy.rsaPkcs1).toBeUndefined();
});

test('the example of the help changes nothing but the end of PKCS #1 v1.5', async () => {
  const [example = ''] = OPTIONS.policy.summary.match(/\{.*\}/) ?? [];
  expect(await policyOf(example)).toEqual({ ...ETSI_POLICY, name: 'policy.json', rsaPkcs1: undefined });
});
