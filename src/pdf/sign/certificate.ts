// Reads what a certificate says (RFC 5280), for sealing and for verifying. Whether it is to be trusted is decided in verify/chain.ts.
import type { KeyObject } from 'node:crypto';
import { instantOf } from '../../common/instant.ts';
import { sha256Of } from '../../common/sha256.ts';
import { VERIFY_LIMITS } from '../limits.ts';
import { publicKeyOf, type SignatureAlgorithm, signatureAlgorithmOf } from './algorithms.ts';
import {
  bitsOf,
  childrenOf,
  contentOf,
  contextTag,
  type Der,
  encoded,
  explicit,
  flagsOf,
  hexOf,
  isShortestOid,
  listOf,
  numberOf,
  octetsOf,
  oidOf,
  readDer,
  sequenceOf,
  setOf,
  stringOf,
  TAG,
  timeOf,
} from './der.ts';

export type Certificate = {
  der: Buffer;
  sha256: string;
  /** The serial number in hexadecimal digits, and as an integer in DER, as signatures name it. */
  serial: string;
  serialNumber: Buffer;
  /** Names are kept as they are encoded, to compare them, and as people read them. */
  subject: Buffer;
  issuer: Buffer;
  subjectName: string;
  issuerName: string;
  /** People are called by the common name, or by what comes nearest. */
  name: string;
  notBefore: number;
  notAfter: number;
  /** The key is read when it is first asked for, as a store of the system has hundreds. It is undefined for a kind that is not known. */
  readonly key: KeyObject | undefined;
  /** The hash covers the key with its kind. */
  keySha256: string;
  /** OCSP hashes the bits of the key alone. */
  keyBits: Buffer;
  isCa: boolean;
  /** So many authorities may follow below; undefined for any number. */
  pathLength: number | undefined;
  /** Both are undefined where the certificate does not restrict them. */
  keyUsage: KeyUsage | undefined;
  purposes: string[] | undefined;
  isPurposeCritical: boolean;
  keyId: Buffer | undefined;
  crlPoints: CrlPoint[];
  /** Policies, and extensions below, have their numbers as names. */
  policies: string[];
  /** Each certificate needs a policy behind so many below it; undefined for none (RFC 5280, 4.2.1.11). */
  policyNeededAfter: number | undefined;
  /** It is true if `anyPolicy` does not stand for every policy. */
  inhibitsAnyPolicy: boolean;
  /** These policies are called by other numbers below it. */
  renamedPolicies: string[];
  /** The certificate has these forms of names (the numbers of GeneralName), and restricts those in certificates below it. */
  nameForms: ReadonlySet<number>;
  restrictedForms: ReadonlySet<number>;
  /** These extensions must be understood and are not. */
  unknownCritical: string[];
  signed: Buffer;
  algorithm: SignatureAlgorithm | undefined;
  signature: Buffer;
};

/** RFC 5280, 4.2.1.13 describes such a place of revocation lists. */
type CrlPoint = {
  /** GeneralNames are kept as encoded, in characters of one byte each. */
  names: string[];
  /** The lists of this place may be for some reasons only. */
  hasReasons: boolean;
  /** Without names, the issuer of the certificate makes the lists. */
  crlIssuers: Buffer[];
};

type KeyUsage = {
  digitalSignature: boolean;
  nonRepudiation: boolean;
  keyCertSign: boolean;
  crlSign: boolean;
};

export const PURPOSE = {
  any: '2.5.29.37.0',
  email: '1.3.6.1.5.5.7.3.4',
  timestamp: '1.3.6.1.5.5.7.3.8',
  ocsp: '1.3.6.1.5.5.7.3.9',
  document: '1.3.6.1.5.5.7.3.36',
  microsoftDocument: '1.3.6.1.4.1.311.10.3.12',
  adobeDocument: '1.2.840.113583.1.1.5',
} as const;

/** The same few certificates stand several times in a document, and in all that an authority seals. Larger ones are read each time. */
const cache = new Map<string, Certificate | undefined>();
const MOST_CACHED = 64;
const MOST_CACHED_BYTES = 8192;

/** Returns undefined for bytes that are no certificate. */
export function readCertificate(bytes: Uint8Array): Certificate | undefined {
  // A copy: a part of the file would keep all of the file in memory.
  const buffer = Buffer.from(bytes);
  if (buffer.length > MOST_CACHED_BYTES) return parseCertificate(buffer);
  const key = buffer.toString('latin1');
  if (cache.has(key)) return cache.get(key);
  if (cache.size >= MOST_CACHED) cache.clear();
  const certificate = parseCertificate(buffer);
  cache.set(key, certificate);
  return certificate;
}

function parseCertificate(buffer: Buffer): Certificate | undefined {
  const whole = readDer(buffer);
  const [signed, algorithm, signature] = sequenceOf(whole) ?? [];
  const elements = sequenceOf(signed);
  const bits = bitsOf(signature);
  if (!whole || !signed || !algorithm || !elements || !bits) return undefined;
  const first = elements[0]?.tag === contextTag(0) ? 1 : 0;
  const [serial, inner, issuer, validity, subject, keyInfo] = elements.slice(first);
  const [notBefore, notAfter] = (sequenceOf(validity) ?? []).map(timeOf);
  const keyBits = bitsOf(sequenceOf(keyInfo)?.[1]);
  if (!isSerial(serial) || !inner || !issuer || !subject || !keyInfo || !keyBits) return undefined;
  if (notBefore === undefined || notAfter === undefined) return undefined;
  // The algorithm stands twice, and only one of them is signed.
  if (!encoded(inner).equals(encoded(algorithm))) return undefined;
  const extensions = extensionsOf(elements);
  if (!extensions) return undefined;
  const der = encoded(whole);
  let read: { key: KeyObject | undefined } | undefined;
  return {
    der,
    sha256: sha256Of(der),
    serial: hexOf(serial),
    serialNumber: encoded(serial),
    subject: encoded(subject),
    issuer: encoded(issuer),
    subjectName: nameInWords(subject),
    issuerName: nameInWords(issuer),
    name: displayNameOf(subject),
    notBefore,
    notAfter,
    get key() {
      read ??= { key: publicKeyOf(keyInfo) };
      return read.key;
    },
    keySha256: sha256Of(encoded(keyInfo)),
    keyBits,
    ...readExtensions(extensions),
    nameForms: nameFormsOf(subject, extensions.get(EXTENSION.otherNames)?.value),
    signed: encoded(signed),
    algorithm: signatureAlgorithmOf(algorithm),
    signature: bits,
  };
}

/** An integer without bytes is none. */
const isSerial = (der: Der | undefined): der is Der =>
  der?.tag === TAG.integer && der.content < der.contentEnd;

// ── extensions ──────────────────────────────────────────────────────────────────────────────────────────────────

type Extensions = Map<string, { isCritical: boolean; value: Der }>;

const EXTENSION = {
  keyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  otherNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlPoints: '2.5.29.31',
  purposes: '2.5.29.37',
  policies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  policyConstraints: '2.5.29.36',
  inhibitAnyPolicy: '2.5.29.54',
} as const;

/** They restrict the names below. They should be critical, and are not always. What they say is not understood here, only of which forms of names. */
export const NAME_CONSTRAINTS = '2.5.29.30';

/** These extensions are understood, or have no effect on what is decided here: names, policies, and where to find more. */
const HARMLESS = new Set<string>([
  ...Object.values(EXTENSION),
  // A responder of OCSP need not be asked about.
  '1.3.6.1.5.5.7.48.1.5',
  '2.5.29.18',
  '2.5.29.35',
  '1.3.6.1.5.5.7.1.1',
  '1.3.6.1.5.5.7.1.3',
]);

/** Returns undefined for a certificate that has the same extension twice, or an extension that cannot be read. */
function extensionsOf(elements: Der[]): Extensions | undefined {
  const extensions: Extensions = new Map();
  const list = elements.find(({ tag }) => tag === contextTag(3));
  if (!list) return extensions;
  const listed = sequenceOf(explicit(list));
  if (!listed) return undefined;
  for (const extension of listed) {
    const [id, ...rest] = sequenceOf(extension) ?? [];
    const oid = oidOf(id);
    const octets = octetsOf(rest.at(-1));
    const value = octets && readDer(octets);
    if (oid === undefined || !value || extensions.has(oid)) return undefined;
    const isCritical = rest[0]?.tag === TAG.boolean && contentOf(rest[0])[0] !== 0;
    extensions.set(oid, { isCritical, value });
  }
  return extensions;
}

function readExtensions(extensions: Extensions) {
  const value = (oid: string) => extensions.get(oid)?.value;
  const constraints = sequenceOf(value(EXTENSION.basicConstraints)) ?? [];
  const pathLength = constraints.find(({ tag }) => tag !== TAG.boolean);
  const usage = value(EXTENSION.keyUsage);
  const purposes = value(EXTENSION.purposes);
  return {
    isCa: constraints[0]?.tag === TAG.boolean && contentOf(constraints[0])[0] !== 0,
    // What cannot be read allows nothing.
    pathLength: pathLength && (numberOf(pathLength) ?? 0),
    keyUsage: usage && keyUsageOf(usage),
    // What cannot be read is for nothing.
    purposes: purposes && (sequenceOf(purposes) ?? []).map((purpose) => oidOf(purpose) ?? ''),
    isPurposeCritical: extensions.get(EXTENSION.purposes)?.isCritical === true,
    keyId: octetsOf(value(EXTENSION.keyId)),
    crlPoints: (sequenceOf(value(EXTENSION.crlPoints)) ?? []).map(crlPointOf),
    policies: (sequenceOf(value(EXTENSION.policies)) ?? []).flatMap(
      (policy) => oidOf(sequenceOf(policy)?.[0]) ?? [],
    ),
    policyNeededAfter: policyNeededAfter(value(EXTENSION.policyConstraints)),
    inhibitsAnyPolicy: extensions.has(EXTENSION.inhibitAnyPolicy),
    renamedPolicies: renamedPolicies(value(EXTENSION.policyMappings)),
    restrictedForms: restrictedForms(value(NAME_CONSTRAINTS)),
    unknownCritical: [...extensions].flatMap(([oid, { isCritical }]) =>
      (isCritical || oid === NAME_CONSTRAINTS) && !HARMLESS.has(oid) ? [oid] : [],
    ),
  };
}

/** The numbers that GeneralName gives to names of other kinds, email addresses, names of certificates, and addresses such as `mailto:`. */
const FORM = { other: 0, email: 1, directory: 4, uri: 6 } as const;
/** Names that cannot be read may be of any form. */
const ALL_FORMS: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]);

const formOf = (name: Der | undefined): number | undefined => {
  const number = name && name.tag & 0x1f;
  return name && (name.tag & 0xc0) === 0x80 && ALL_FORMS.has(number!) ? number : undefined;
};

/** Lists the values in the sequence of an extension; undefined where there are none, or other bytes follow it. */
function partsOf(list: Der): Der[] | undefined {
  const names = list.end === list.bytes.length ? sequenceOf(list) : undefined;
  return names?.length ? names : undefined;
}

/** Other readers may see a name in what this one does not understand: it counts as names of all forms. */
function nameFormsOf(subject: Der, others: Der | undefined): ReadonlySet<number> {
  const attributes = attributesOf(subject);
  const names = others ? partsOf(others) : [];
  const forms = names?.map(formOf);
  if (!attributes || !names || !forms || forms.includes(undefined)) return ALL_FORMS;
  if (attributes.length + names.length === 0) return ALL_FORMS;
  // An email address may stand in the name of the certificate (RFC 5280, 4.2.1.10), and in a name of another form (RFC 9598).
  const hasEmail =
    forms.some((form) => form === FORM.other || form === FORM.uri) ||
    attributes.some(({ type, value }) => type === EMAIL_ADDRESS || hasAtSign(value)) ||
    names.some(hasAtSign);
  return new Set([
    ...forms.flatMap((form) => form ?? []),
    ...(attributes.length > 0 ? [FORM.directory] : []),
    ...(hasEmail ? [FORM.email] : []),
  ]);
}

const EMAIL_ADDRESS = '1.2.840.113549.1.9.1';

const hasAtSign = (value: Der): boolean => contentOf(value).includes('@');

/** Lists the attributes of all parts of a name; undefined if one of them cannot be read. */
function attributesOf(name: Der): { type: string; value: Der }[] | undefined {
  const attributes = sequenceOf(name)?.flatMap((part) => {
    const pairs = setOf(part);
    return pairs?.length ? pairs.map(attributeOf) : [undefined];
  });
  return attributes?.every((attribute) => attribute !== undefined) ? attributes : undefined;
}

function attributeOf(pair: Der): { type: string; value: Der } | undefined {
  const [id, value, ...more] = sequenceOf(pair) ?? [];
  const type = isShortestOid(id) ? oidOf(id) : undefined;
  return type !== undefined && value && more.length === 0 ? { type, value } : undefined;
}

/** Lists the forms of names that are permitted or excluded (RFC 5280, 4.2.1.10): others are not restricted. */
function restrictedForms(constraints: Der | undefined): ReadonlySet<number> {
  if (!constraints) return new Set();
  const lists = partsOf(constraints);
  const areLists = lists?.every(({ tag }) => tag === contextTag(0) || tag === contextTag(1));
  const forms = lists?.flatMap((list) => {
    const subtrees = childrenOf(list);
    return subtrees?.length ? subtrees.map((subtree) => formOf(sequenceOf(subtree)?.[0])) : [undefined];
  });
  if (!areLists || !forms || forms.includes(undefined)) return ALL_FORMS;
  return new Set(forms.flatMap((form) => form ?? []));
}

function crlPointOf(point: Der): CrlPoint {
  const elements = sequenceOf(point) ?? [];
  const part = (number: number) =>
    elements.find(({ tag }) => tag === contextTag(number) || tag === contextTag(number, false));
  return {
    names: listOf(explicit(part(0))).map((name) => encoded(name).toString('latin1')),
    hasReasons: part(1) !== undefined,
    crlIssuers: directoryNamesIn(part(2)),
  };
}

/** Lists the names of the kind that certificates have, as encoded, among GeneralNames. */
export const directoryNamesIn = (names: Der | undefined): Buffer[] =>
  listOf(names).flatMap((name) => (name.tag === contextTag(4) ? listOf(name).map(encoded) : []));

/** Lists the policies of PolicyMappings that are not called by their own number as well (RFC 5280, 4.2.1.5). */
function renamedPolicies(mappings: Der | undefined): string[] {
  const pairs = (sequenceOf(mappings) ?? []).map((pair) => (sequenceOf(pair) ?? []).map(oidOf));
  const same = new Set(pairs.flatMap(([above, below]) => (above === below ? [above] : [])));
  return pairs.flatMap(([above]) => (above !== undefined && !same.has(above) ? [above] : []));
}

function policyNeededAfter(constraints: Der | undefined): number | undefined {
  const count = sequenceOf(constraints)?.find(({ tag }) => tag === contextTag(0, false));
  return count && contentOf(count).length === 1 ? contentOf(count)[0] : count && 0;
}

function keyUsageOf(der: Der): KeyUsage {
  const first = flagsOf(der)?.[0] ?? 0;
  return {
    digitalSignature: (first & 0x80) !== 0,
    nonRepudiation: (first & 0x40) !== 0,
    keyCertSign: (first & 0x04) !== 0,
    crlSign: (first & 0x02) !== 0,
  };
}

/** A key may sign documents if its certificate says so, or does not say what it is for. */
export const maySign = ({ keyUsage }: Certificate): boolean =>
  !keyUsage || keyUsage.digitalSignature || keyUsage.nonRepudiation;

/** The certificate of a timestamp authority is for nothing else (RFC 3161, 2.3). */
export const mayTimestamp = (certificate: Certificate): boolean =>
  maySign(certificate) &&
  certificate.isPurposeCritical &&
  certificate.purposes?.length === 1 &&
  certificate.purposes[0] === PURPOSE.timestamp;

/** Lists the addresses of its revocation lists on the web (GeneralName [6]). */
export const listAddressesOf = ({ crlPoints }: Certificate): string[] =>
  crlPoints
    .flatMap(({ names }) => names.map((name) => readDer(Buffer.from(name, 'latin1'))))
    .flatMap((name) => (name?.tag === contextTag(6, false) ? contentOf(name).toString('latin1') : []))
    .filter((address) => /^https?:\/\//i.test(address));

/** Certificates state times to the second: `2026-11-21T18:00:00Z`. */
export const describeTime = (ms: number): string => `${instantOf(ms).slice(0, 19)}Z`;

/** Reads all certificates of a PEM text, or that of DER bytes. */
export function readCertificates(bytes: Uint8Array): Certificate[] {
  const text = Buffer.from(bytes).toString('latin1');
  if (!text.includes('-----BEGIN'))
    return [readCertificate(bytes)].filter((certificate) => certificate !== undefined);
  const blocks = text.matchAll(
    /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g,
  );
  return [...blocks].flatMap(([, base64 = '']) => readCertificate(Buffer.from(base64, 'base64')) ?? []);
}

// ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────

const ATTRIBUTES: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'organizationIdentifier',
  '1.2.840.113549.1.9.1': 'E',
  '0.9.2342.19200300.100.1.25': 'DC',
};

type NamePart = { type: string; value: string };

function partsOfName(name: Der): NamePart[] {
  return (sequenceOf(name) ?? []).flatMap((set) =>
    (setOf(set) ?? []).map((attribute) => {
      const [type, value] = sequenceOf(attribute) ?? [];
      const oid = oidOf(type) ?? '?';
      return { type: ATTRIBUTES[oid] ?? oid, value: stringOf(value) ?? '?' };
    }),
  );
}

/** Writes a name as people read it, the most particular part first: `CN=Ada Lovelace, O=Example`. */
const nameInWords = (name: Der): string =>
  partsOfName(name)
    .reverse()
    .map(({ type, value }) => `${type}=${escapeValue(shortened(value))}`)
    .join(', ');

/** Escapes what would end a value, or begin another (RFC 4514, 2.4). */
const escapeValue = (value: string): string => value.replace(/[,+"\\<>;=]|^[ #]| $/g, '\\$&');

const shortened = (value: string): string =>
  value.length > VERIFY_LIMITS.nameCharacters ? `${value.slice(0, VERIFY_LIMITS.nameCharacters)}…` : value;

function displayNameOf(name: Der): string {
  const elements = partsOfName(name);
  const of = (type: string) => elements.findLast((part) => part.type === type)?.value;
  const personal = [of('GN'), of('SN')].filter((part) => part !== undefined).join(' ');
  const names = [of('CN'), personal, of('O'), of('E')];
  const visible = names.find((name) => name !== undefined && VISIBLE.test(name));
  return shortened(visible ?? '') || nameInWords(name) || 'no name';
}

/** Blanks, controls, the empty pattern of Braille and what fonts leave out (Hangul fillers among them) show nothing. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Names are compared as they are read: in any type of string, and without regard to case and blanks (RFC 5280, 7.1). */
export const isSameName = (first: Buffer, second: Buffer): boolean =>
  first.equals(second) || plainName(first) === plainName(second);

const plainNames = new WeakMap<Buffer, string>();

export function plainName(name: Buffer): string {
  const before = plainNames.get(name);
  if (before !== undefined) return before;
  const read = readDer(name);
  const plain = read ? nameInWords(read).toLowerCase().replace(/\s+/g, ' ').trim() : '';
  plainNames.set(name, plain);
  return plain;
}
