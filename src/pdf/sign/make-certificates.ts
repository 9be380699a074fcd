// Makes certificates and revocation lists. Who may be given one is decided elsewhere. Times are instants in ISO 8601, to
// the second; nothing here reads a clock or makes a number up.

import { createHash, type KeyObject } from 'node:crypto';
import {
  bits,
  bitsOf,
  context,
  contextPrimitive,
  type DerPart,
  derInteger,
  flags,
  OID,
  octets,
  oid,
  printable,
  readDer,
  sequence,
  sequenceOf,
  set,
  TRUE,
  time,
  utf8,
} from './der.ts';
import type { SigningKey } from './signing-key.ts';

export type Name = { country?: string; organization?: string; unit?: string; common: string };

/** Each attribute stands for itself: readers show a name by the parts it consists of. */
export function nameOf({ country, organization, unit, common }: Name): Buffer {
  const part = (type: string, value: DerPart) => set(sequence(oid(type), value));
  return sequence(
    ...(country === undefined ? [] : [part(OID.country, printable(country))]),
    ...(organization === undefined ? [] : [part(OID.organization, utf8(cut(organization)))]),
    ...(unit === undefined ? [] : [part(OID.organizationalUnit, utf8(cut(unit)))]),
    part(OID.commonName, utf8(cut(common))),
  );
}

/** RFC 5280 allows no more characters. */
const NAME_LENGTH = 64;
const cut = (text: string): string => [...text].slice(0, NAME_LENGTH).join('');

// --- Extensions ---

const extension = (id: string, value: DerPart, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [TRUE] : []), octets(value));

// The numbers of the uses of a key (RFC 5280 §4.2.1.3).
const DIGITAL_SIGNATURE = 0;
const CONTENT_COMMITMENT = 1;
const CERTIFICATE_SIGNING = 5;
const LIST_SIGNING = 6;

export type CertificatePurpose =
  | { kind: 'authority'; pathLength: number }
  /** It signs documents. It names no extended use: openssl and NSS take one that they do not know for a wrong one. */
  | { kind: 'documents' }
  /** The only extended use is critical (RFC 3161 §2.3). */
  | { kind: 'timestamps' }
  /** It issues certificates of servers, for these names and no others. */
  | { kind: 'authority of servers'; permitted: readonly PermittedName[] }
  | { kind: 'server'; names: readonly ServerName[] };

export type ServerName = { dns: string } | { ip: Uint8Array };

/** The names are one and all below it, or the addresses that are the same where the mask has ones. */
export type PermittedName = { dns: string } | { ip: Uint8Array; mask: Uint8Array };

function extensionsFor(purpose: CertificatePurpose): Buffer[] {
  switch (purpose.kind) {
    case 'authority':
      return [
        extension(OID.basicConstraints, sequence(TRUE, derInteger(purpose.pathLength)), true),
        extension(OID.keyUsage, flags(CERTIFICATE_SIGNING, LIST_SIGNING), true),
        extension(OID.extendedKeyUsage, sequence(...ISSUED_USES.map(oid))),
      ];
    case 'documents':
      return [extension(OID.keyUsage, flags(DIGITAL_SIGNATURE, CONTENT_COMMITMENT), true)];
    case 'timestamps':
      return [
        extension(OID.keyUsage, flags(DIGITAL_SIGNATURE), true),
        extension(OID.extendedKeyUsage, sequence(oid(OID.timeStamping)), true),
      ];
    case 'authority of servers':
      return [
        extension(OID.basicConstraints, sequence(TRUE, derInteger(0)), true),
        extension(OID.keyUsage, flags(CERTIFICATE_SIGNING), true),
        extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuthentication))),
        extension(OID.nameConstraints, sequence(context(0, ...purpose.permitted.map(permittedName))), true),
      ];
    case 'server':
      return [
        extension(OID.basicConstraints, sequence(), true),
        extension(OID.keyUsage, flags(DIGITAL_SIGNATURE), true),
        extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuthentication))),
        extension(OID.subjectAltName, sequence(...purpose.names.map(generalName))),
      ];
  }
}

/**
 * An authority with these uses is trusted for documents and timestamps only: its key cannot certify a website. OpenSSL and NSS
 * verify the signature of a document as if it were that of an email.
 */
const ISSUED_USES = [OID.emailProtection, OID.documentSigning, OID.timeStamping];

// RFC 5280 §4.2.1.6: the numbers of a DNS name and an address.
const generalName = (name: ServerName): Buffer =>
  'dns' in name ? contextPrimitive(2, Buffer.from(name.dns, 'latin1')) : contextPrimitive(7, name.ip);

/** The mask stands behind the address (RFC 5280 §4.2.1.10). */
const permittedName = (name: PermittedName): Buffer =>
  sequence(generalName('dns' in name ? name : { ip: Buffer.concat([name.ip, name.mask]) }));

/** The identifier is a hash of the bits of a public key, without its algorithm (RFC 5280 §4.2.1.2). */
export function keyIdentifier(publicKey: KeyObject): Buffer {
  const key = bitsOf(sequenceOf(readDer(spkiOf(publicKey)))?.[1]);
  return createHash('sha1')
    .update(key ?? '')
    .digest();
}

const spkiOf = (publicKey: KeyObject): Buffer => publicKey.export({ type: 'spki', format: 'der' });

// --- Certificates ---

/** The name of the issuer in a certificate is that of its own certificate. */
export type Issuer = { name: Name; publicKey: KeyObject; key: SigningKey };

export type CertificatePlan = {
  serial: Uint8Array;
  subject: Name;
  publicKey: KeyObject;
  purpose: CertificatePurpose;
  validFrom: string;
  validTo: string;
  issuer: Issuer;
};

export async function makeCertificate(plan: CertificatePlan): Promise<Uint8Array> {
  const { issuer } = plan;
  const body = sequence(
    context(0, derInteger(2)),
    derInteger(plan.serial),
    issuer.key.algorithm,
    nameOf(issuer.name),
    sequence(time(plan.validFrom), time(plan.validTo)),
    nameOf(plan.subject),
    spkiOf(plan.publicKey),
    context(
      3,
      sequence(
        ...extensionsFor(plan.purpose),
        extension(OID.subjectKeyIdentifier, octets(keyIdentifier(plan.publicKey))),
        authorityKey(issuer),
      ),
    ),
  );
  return signCertificate(body, issuer.key);
}

const authorityKey = ({ publicKey }: Issuer): Buffer =>
  extension(OID.authorityKeyIdentifier, sequence(contextPrimitive(0, keyIdentifier(publicKey))));

const signCertificate = async (body: DerPart, key: SigningKey): Promise<Uint8Array> =>
  sequence(body, key.algorithm, bits(await key.sign(body)));

// --- Revocation lists ---

export type RevocationListPlan = {
  issuer: Issuer;
  /** Must never be ahead of the clock: a reader takes such a list for one of the future. */
  thisUpdate: string;
  nextUpdate: string;
  revoked: readonly { serial: Uint8Array; at: string }[];
};

export async function makeRevocationList(plan: RevocationListPlan): Promise<Uint8Array> {
  const { issuer, revoked } = plan;
  const body = sequence(
    derInteger(1),
    issuer.key.algorithm,
    nameOf(issuer.name),
    time(plan.thisUpdate),
    time(plan.nextUpdate),
    ...(revoked.length === 0
      ? []
      : [sequence(...revoked.map(({ serial, at }) => sequence(derInteger(serial), time(at))))]),
    context(
      0,
      sequence(
        authorityKey(issuer),
        // Each list has a higher number than the ones before it: its time, read as one.
        extension(OID.crlNumber, derInteger(BigInt(plan.thisUpdate.replace(/\D/g, '')))),
      ),
    ),
  );
  return signCertificate(body, issuer.key);
}
