// An authority for tests, made once in each file of tests, and what seals with it.
import { randomBytes } from 'node:crypto';
import type { Sealing } from '../../src/pdf/signature/seal.ts';
import {
  type Authority,
  issueSigner,
  makeAuthority,
  revocationListsOf,
  signerOf,
  timestampsOf,
} from '../../src/service/completion/authority.ts';

export type TestAuthority = { authority: Authority; root: Uint8Array; sealing: Sealing };

let known: Promise<TestAuthority> | undefined;

export function testAuthority(): Promise<TestAuthority> {
  known ??= newAuthority();
  return known;
}

/** The real time: programs from elsewhere compare with it. */
const clock = () => new Date().toISOString();

export async function newAuthority(
  random: (bytes: number) => Uint8Array = randomBytes,
): Promise<TestAuthority> {
  const facts = { now: clock(), random };
  const authority = await makeAuthority(facts);
  const signer = signerOf(authority, await issueSigner(authority, 'Ada & Söhne, Ltd.', facts));
  return {
    authority,
    root: Buffer.from(authority.root.certificate, 'base64'),
    sealing: {
      signer,
      timestamps: timestampsOf(authority, { clock, random }),
      revocationLists: () => revocationListsOf(authority, clock()),
      level: 'LTA',
      clock,
      name: 'Ada & Söhne, Ltd.',
    },
  };
}
