// Makes a certificate authority like the sandbox's once for each test file, and functions that seal with it.
import { randomBytes } from 'node:crypto';
import type { Sealing } from '../../../src/pdf/sign/seal.ts';
import {
  type Authority,
  issueSigner,
  makeAuthority,
  revocationListsOf,
  signerOf,
  timestampsOf,
} from '../../../src/service/sealing/authority.ts';

export type ServiceAuthority = { authority: Authority; root: Uint8Array; sealing: Sealing };

let known: Promise<ServiceAuthority> | undefined;

export function sharedServiceAuthority(): Promise<ServiceAuthority> {
  known ??= newServiceAuthority();
  return known;
}

/** The real time, because foreign programs compare with it. */
const clock = () => new Date().toISOString();

export async function newServiceAuthority(
  random: (bytes: number) => Uint8Array = randomBytes,
): Promise<ServiceAuthority> {
  const facts = { now: clock(), random };
  const authority = await makeAuthority('sandbox', facts);
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
