// Writes certificates, revocation lists, timestamps and signatures byte by byte, so that everything can be made wrong on
// purpose. Independent of the code with which the program signs and verifies.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bits, flag, int, NULL, octets, oid, seq, set, tagged, time, tlv, utf8Text } from './der.ts';

export const DAY = 86_400_000;
export const NOW = Date.parse('2026-11-21T18:00:00Z');

/** `plain256` is p256 whose signatures are two numbers without DER. */
export type Kind =
  | 'p224'
  | 'p256'
  | 'p384'
  | 'p521'
  | 'secp256k1'
  | 'brainpool320'
  | 'plain256'
  | 'rsa'
  | 'rsa3072'
  | 'pss'
  | 'ed25519'
  | 'ed448'
  | 'rsa1024';
export type Hash = 'sha1' | 'sha256' | 'sha384' | 'sha512' | 'sha3-256' | 'shake256';

const HASHES: Record<Hash, string> = {
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  'sha3-256': '2.16.840.1.101.3.4.2.8',
  shake256: '2.16.840.1.101.3.4.2.12',
};
type HashOfSignature = Exclude<Hash, 'shake256'>;
const ECDSA: Record<HashOfSignature, string> = {
  sha1: '1.2.840.10045.4.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
  'sha3-256': '2.16.840.1.101.3.4.3.10',
};
const PLAIN: Record<HashOfSignature, string> = {
  sha1: '0.4.0.127.0.7.1.1.4.1.1',
  sha256: '0.4.0.127.0.7.1.1.4.1.3',
  sha384: '0.4.0.127.0.7.1.1.4.1.4',
  sha512: '0.4.0.127.0.7.1.1.4.1.5',
  'sha3-256': '0.4.0.127.0.7.1.1.4.1.9',
};
const RSA: Record<HashOfSignature, string> = {
  sha1: '1.2.840.113549.1.1.5',
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13',
  'sha3-256': '2.16.840.1.101.3.4.3.14',
};

export const hashAlgorithm = (hash: Hash): Buffer => seq(oid(HASHES[hash]), NULL);
export const digest = (hash: Hash, data: Uint8Array): Buffer =>
  createHash(hash, hash === 'shake256' ? { outputLength: 64 } : {})
    .update(data)
    .digest();

export type Keys = { publicKey: KeyObject; privateKey: KeyObject; kind: Kind };

const kept = new Map<string, Keys>();

/** Keys are made once a run for each name: RSA takes a second. */
export function keysOf(kind: Kind, name = ''): Keys {
  const known = kept.get(`${kind} ${name}`);
  if (known) return known;
  // All RSA parties share one pair of keys, because it takes long to make and does not identify its owner.
  const made =
    kind === 'pss' || (kind === 'rsa' && name !== 'any')
      ? { ...keysOf('rsa', 'any'), kind }
      : { ...generateKeys(kind), kind };
  kept.set(`${kind} ${name}`, made);
  return made;
}

function generateKeys(kind: Exclude<Kind, 'pss'>) {
  if (kind === 'ed25519') return generateKeyPairSync('ed25519');
  if (kind === 'ed448') return generateKeyPairSync('ed448');
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  if (kind === 'rsa1024') return generateKeyPairSync('rsa', { modulusLength: 1024 });
  if (kind === 'rsa3072') return generateKeyPairSync('rsa', { modulusLength: 3072 });
  const namedCurve = {
    p224: 'secp224r1',
    p256: 'prime256v1',
    plain256: 'prime256v1',
    p384: 'secp384r1',
    p521: 'secp521r1',
    secp256k1: 'secp256k1',
    brainpool320: 'brainpoolP320r1',
  }[kind];
  return generateKeyPairSync('ec', { namedCurve });
}

export function signatureAlgorithm(kind: Kind, hash: Hash): Buffer {
  if (kind === 'ed25519') return seq(oid('1.3.101.112'));
  if (kind === 'ed448') return seq(oid('1.3.101.113'));
  if (kind === 'pss') {
    const mask = seq(oid('1.2.840.113549.1.1.8'), hashAlgorithm(hash));
    const parameters = seq(tagged(0, hashAlgorithm(hash)), tagged(1, mask), tagged(2, int(32)));
    return seq(oid('1.2.840.113549.1.1.10'), parameters);
  }
  if (hash === 'shake256') throw new Error('SHAKE256 is a hash of Ed448 only.');
  if (kind.startsWith('rsa')) return seq(oid(RSA[hash]), NULL);
  return seq(oid(kind === 'plain256' ? PLAIN[hash] : ECDSA[hash]));
}

export function signedStructure({ kind, privateKey }: Keys, hash: Hash, data: Uint8Array): Buffer {
  if (kind === 'ed25519' || kind === 'ed448') return sign(null, data, privateKey);
  if (kind === 'plain256') return sign(hash, data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  if (kind === 'pss') return sign(hash, data, { key: privateKey, padding: 6, saltLength: 32 });
  return createSign(hash).update(data).sign(privateKey);
}

// ── certificates ────────────────────────────────────────────────────────────────────────────────────────────────

export type Party = { keys: Keys; der: Buffer; name: Buffer; serial: Buffer; chain: Buffer[] };

export type CertificateOptions = {
  issuer?: Party;
  kind?: Kind;
  hash?: Hash;
  isCa?: boolean;
  pathLength?: number;
  /** BasicConstraints, in the place of what `isCa` and `pathLength` say. */
  constraints?: Buffer;
  usage?: number;
  purposes?: string[];
  isPurposeCritical?: boolean;
  from?: number;
  until?: number;
  keys?: Keys;
  /** SubjectPublicKeyInfo, in the place of that of the keys. */
  keyInfo?: Buffer;
  serial?: Buffer;
  /** Name, in the place of the common name. */
  subject?: Buffer;
  extensions?: Buffer[];
};

export const nameOf = (common: string): Buffer => seq(set(seq(oid('2.5.4.3'), utf8Text(common))));
export const extension = (id: string, isCritical: boolean, value: Uint8Array): Buffer =>
  seq(oid(id), ...(isCritical ? [flag(true)] : []), octets(value));

export const USAGE = {
  digitalSignature: 0x80,
  nonRepudiation: 0x40,
  keyEncipherment: 0x20,
  keyCertSign: 0x04,
  crlSign: 0x02,
};

export function certificate(common: string, options: CertificateOptions = {}): Party {
  const { issuer, hash = 'sha256', isCa = false } = options;
  const keys = options.keys ?? keysOf(options.kind ?? 'p256', common);
  const signer = issuer?.keys ?? keys;
  const name = options.subject ?? nameOf(common);
  const serial = options.serial ?? randomBytes(8).fill(0x41, 0, 1);
  const usage = options.usage ?? (isCa ? USAGE.keyCertSign | USAGE.crlSign : USAGE.digitalSignature);
  const constraints = isCa
    ? [flag(true), ...(options.pathLength === undefined ? [] : [int(options.pathLength)])]
    : [];
  const extensions = [
    extension('2.5.29.19', true, options.constraints ?? seq(...constraints)),
    extension('2.5.29.15', true, bits(Buffer.from([usage]))),
    ...(options.purposes
      ? [extension('2.5.29.37', options.isPurposeCritical ?? false, seq(...options.purposes.map(oid)))]
      : []),
    ...(options.extensions ?? []),
  ];
  const algorithm = signatureAlgorithm(signer.kind, hash);
  const body = seq(
    tagged(0, int(2)),
    int(serial),
    algorithm,
    issuer?.name ?? name,
    seq(time(options.from ?? NOW - 365 * DAY), time(options.until ?? NOW + 365 * DAY)),
    name,
    options.keyInfo ?? keys.publicKey.export({ format: 'der', type: 'spki' }),
    tagged(3, seq(...extensions)),
  );
  const der = seq(body, algorithm, bits(signedStructure(signer, hash, body)));
  return { keys, der, name, serial, chain: [der, ...(issuer?.chain ?? [])] };
}

export const TIMESTAMPING = '1.3.6.1.5.5.7.3.8';

/** A root, an authority below it, a signer, and a timestamp authority. */
export function authority(label = 'Test') {
  const root = certificate(`${label} Root`, { isCa: true });
  const issuing = certificate(`${label} Issuing`, { issuer: root, isCa: true, pathLength: 0 });
  const signer = certificate(`${label} Signer`, { issuer: issuing });
  const tsa = certificate(`${label} TSA`, {
    issuer: root,
    purposes: [TIMESTAMPING],
    isPurposeCritical: true,
  });
  return { root, issuing, signer, tsa };
}

export type Revoked = { party: Party; at: number };

export function crl(
  issuer: Party,
  options: {
    from?: number;
    /** In the place of `from`. */
    fromAsWritten?: Buffer;
    /** Null leaves out when the next list comes. */
    until?: number | null;
    revoked?: Revoked[];
    /** Entries as they are, beside those of `revoked`. */
    entries?: Buffer[];
    keys?: Keys;
    hash?: 'sha1' | 'sha256';
    extensions?: Buffer[];
  } = {},
): Buffer {
  const keys = options.keys ?? issuer.keys;
  const hash = options.hash ?? 'sha256';
  const algorithm = signatureAlgorithm(keys.kind, hash);
  const revoked = (options.revoked ?? []).map(({ party, at }) => seq(int(party.serial), time(at)));
  const entries = [...revoked, ...(options.entries ?? [])];
  const body = seq(
    int(1),
    algorithm,
    issuer.name,
    options.fromAsWritten ?? time(options.from ?? NOW - DAY),
    ...(options.until === null ? [] : [time(options.until ?? NOW + 30 * DAY)]),
    ...(entries.length > 0 ? [seq(...entries)] : []),
    ...(options.extensions ? [tagged(0, seq(...options.extensions))] : []),
  );
  return seq(body, algorithm, bits(signedStructure(keys, hash, body)));
}

/** Makes an OCSP answer of the issuer itself, or of a responder. */
export function ocsp(
  party: Party,
  issuer: Party,
  options: {
    revokedAt?: number;
    by?: Party;
    at?: number;
    producedAt?: number;
    /** In the place of `good`. */
    status?: Buffer;
    extensions?: Buffer[];
    answerExtensions?: Buffer[];
    withoutCertificate?: boolean;
    /** How often the answer stands in the response. */
    times?: number;
  } = {},
): Buffer {
  const by = options.by ?? issuer;
  const at = options.at ?? NOW - DAY;
  const spki = issuer.keys.publicKey.export({ format: 'der', type: 'spki' });
  const keyBits = spki.subarray(spki.length - (issuer.keys.kind === 'p256' ? 65 : 0));
  const id = seq(
    hashAlgorithm('sha1'),
    octets(digest('sha1', issuer.name)),
    octets(digest('sha1', keyBits)),
    int(party.serial),
  );
  const status =
    options.status ?? (options.revokedAt === undefined ? tlv(0x80) : tagged(1, time(options.revokedAt)));
  const extensionsIn = (list: Buffer[] | undefined) => (list ? [tagged(1, seq(...list))] : []);
  const next = tagged(0, time(at + 7 * DAY));
  const answer = seq(id, status, time(at), next, ...extensionsIn(options.answerExtensions));
  const body = seq(
    tagged(1, by.name),
    time(options.producedAt ?? at),
    seq(...Array.from({ length: options.times ?? 1 }, () => answer)),
    ...extensionsIn(options.extensions),
  );
  const basic = seq(
    body,
    signatureAlgorithm(by.keys.kind, 'sha256'),
    bits(signedStructure(by.keys, 'sha256', body)),
    ...(options.by && !options.withoutCertificate ? [tagged(0, seq(options.by.der))] : []),
  );
  return seq(tlv(0x0a, Buffer.from([0])), tagged(0, seq(oid('1.3.6.1.5.5.7.48.1.1'), octets(basic))));
}

// ── signatures ──────────────────────────────────────────────────────────────────────────────────────────────────

export const attribute = (id: string, ...values: Uint8Array[]): Buffer => seq(oid(id), set(...values));

export type CmsOptions = {
  hash?: Hash;
  content?: Buffer;
  contentType?: string;
  certificates?: Buffer[];
  crls?: Buffer[];
  /** Named in the signature in place of the signer's own. */
  names?: Buffer;
  withoutCertificateId?: boolean;
  /** Signs the data itself. */
  withoutAttributes?: boolean;
  signingTime?: number;
  attributes?: Buffer[];
  /** Made from the signature. */
  unsigned?: (signature: Buffer) => Buffer[];
  keys?: Keys;
  signers?: number;
};

export const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.47';

/** Makes SignedData over `data`, which is detached unless `content` is given. */
export function cms(party: Party, data: Uint8Array, options: CmsOptions = {}): Buffer {
  const { hash = 'sha256', contentType = '1.2.840.113549.1.7.1' } = options;
  const keys = options.keys ?? party.keys;
  const attributes = [
    attribute('1.2.840.113549.1.9.3', oid(contentType)),
    attribute('1.2.840.113549.1.9.4', octets(digest(hash, data))),
    ...(options.withoutCertificateId
      ? []
      : [
          attribute(SIGNING_CERTIFICATE, seq(seq(seq(octets(digest('sha256', options.names ?? party.der)))))),
        ]),
    ...(options.signingTime === undefined
      ? []
      : [attribute('1.2.840.113549.1.9.5', time(options.signingTime))]),
    ...(options.attributes ?? []),
  ];
  const signature = signedStructure(keys, hash, options.withoutAttributes ? data : set(...attributes));
  const unsigned = options.unsigned?.(signature) ?? [];
  const issuer = issuerOf(party);
  const info = seq(
    int(1),
    seq(issuer, int(party.serial)),
    hashAlgorithm(hash),
    ...(options.withoutAttributes
      ? []
      : [Buffer.concat([Buffer.from([0xa0]), set(...attributes).subarray(1)])]),
    signatureAlgorithm(keys.kind, hash),
    octets(signature),
    ...(unsigned.length > 0 ? [tagged(1, ...unsigned)] : []),
  );
  const infos = Array.from({ length: options.signers ?? 1 }, () => info);
  return seq(
    oid('1.2.840.113549.1.7.2'),
    tagged(
      0,
      seq(
        int(options.content ? 3 : 1),
        set(hashAlgorithm(hash)),
        seq(oid(contentType), ...(options.content ? [tagged(0, octets(options.content))] : [])),
        tagged(0, ...(options.certificates ?? party.chain)),
        ...(options.crls ? [tagged(1, ...options.crls)] : []),
        tlv(0x31, ...infos),
      ),
    ),
  );
}

/** Reads the issuer's name from the certificate: the fourth value of its body. */
function issuerOf({ der }: Party): Buffer {
  const inner = (buffer: Buffer) => {
    const first = buffer[1]!;
    const head = first < 0x80 ? 2 : 2 + (first & 0x7f);
    const length = first < 0x80 ? first : Number.parseInt(buffer.toString('hex', 2, head), 16);
    return {
      body: buffer.subarray(head, head + length),
      rest: buffer.subarray(head + length),
      whole: buffer.subarray(0, head + length),
    };
  };
  let rest = inner(inner(der).body).body;
  for (let index = 0; index < 3; index += 1) rest = inner(rest).rest;
  return inner(rest).whole;
}

export type TokenOptions = CmsOptions & { at?: number; imprint?: Buffer; imprintHash?: Hash };

export function timestampToken(tsa: Party, data: Uint8Array, options: TokenOptions = {}): Buffer {
  const hash = options.imprintHash ?? 'sha256';
  const info = seq(
    int(1),
    oid('1.2.3.4.1'),
    seq(hashAlgorithm(hash), octets(options.imprint ?? digest(hash, data))),
    int(randomBytes(8).fill(0x41, 0, 1)),
    time(options.at ?? NOW),
  );
  return cms(tsa, info, { ...options, content: info, contentType: '1.2.840.113549.1.9.16.1.4' });
}

export const timestampAttribute = (token: Buffer): Buffer => attribute('1.2.840.113549.1.9.16.2.14', token);
