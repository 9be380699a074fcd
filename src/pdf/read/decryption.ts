// Decrypts the strings and streams of a PDF with the standard security handler (ISO 32000-2, 7.6), by its user or owner password. Other
// handlers, which work with certificates, are not known.
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { type Dict, PdfStream, PdfString, type Value } from './values.ts';

type ObjectName = { number: number; generation: number };

export type Decryption = {
  /** Decrypts the strings of a value of an object. The text of a signature is never encrypted. */
  value(value: Value, object: ObjectName): Value;
  /** Decrypts the data of a stream, which stays packed; undefined where it cannot be decrypted. */
  stream(data: Buffer, dict: Dict, object: ObjectName): Buffer | undefined;
};

export type DecryptionRefused = 'password_wrong' | 'handler_unknown';

type Method = 'none' | 'rc4' | 'aes128' | 'aes256';

type Settings = {
  revision: number;
  keyBytes: number;
  user: Buffer;
  owner: Buffer;
  userKey: Buffer;
  ownerKey: Buffer;
  permissions: number;
  isMetadataEncrypted: boolean;
  strings: Method;
  streams: Method;
  firstId: Buffer;
};

/**
 * @param encrypt the dictionary that the trailer names, with its references resolved
 * @param firstId the first of the two identifiers of the file
 */
export function createDecryption(
  encrypt: Dict,
  firstId: Buffer,
  password: string,
): Decryption | DecryptionRefused {
  const settings = settingsOf(encrypt, firstId);
  if (!settings) return 'handler_unknown';
  const key = settings.revision >= 5 ? keyOfAes256(settings, password) : keyOfOlder(settings, password);
  return key ? decryptionWith(key, settings) : 'password_wrong';
}

const numberIn = (dict: Dict, key: string): number | undefined => {
  const value = dict.get(key);
  return typeof value === 'number' ? value : undefined;
};

const bytesIn = (dict: Dict, key: string): Buffer => {
  const value = dict.get(key);
  return value instanceof PdfString ? value.bytes : Buffer.alloc(0);
};

/** The handler has revisions 2 to 6; 5 is that of Adobe's extension level 3. */
function settingsOf(encrypt: Dict, firstId: Buffer): Settings | undefined {
  const version = numberIn(encrypt, 'V') ?? 0;
  const revision = numberIn(encrypt, 'R') ?? 0;
  const permissions = numberIn(encrypt, 'P');
  if (encrypt.get('Filter') !== 'Standard' || permissions === undefined) return undefined;
  if (![1, 2, 4, 5].includes(version) || ![2, 3, 4, 5, 6].includes(revision)) return undefined;
  if ((version === 5) !== revision >= 5) return undefined;
  const [strings, streams] = version < 4 ? (['rc4', 'rc4'] as const) : methodsOf(encrypt);
  const keyBytes = version === 1 ? 5 : version === 4 ? 16 : (numberIn(encrypt, 'Length') ?? 40) / 8;
  if (!strings || !streams || (version < 5 && (keyBytes < 5 || keyBytes > 16 || keyBytes % 1 !== 0)))
    return undefined;
  return {
    revision,
    keyBytes,
    user: bytesIn(encrypt, 'U'),
    owner: bytesIn(encrypt, 'O'),
    userKey: bytesIn(encrypt, 'UE'),
    ownerKey: bytesIn(encrypt, 'OE'),
    permissions,
    isMetadataEncrypted: encrypt.get('EncryptMetadata') !== false,
    strings,
    streams,
    firstId,
  };
}

const METHODS: Record<string, Method> = { None: 'none', V2: 'rc4', AESV2: 'aes128', AESV3: 'aes256' };
/** Only these methods belong to each version (ISO 32000-2, table 25). Readers make other keys of the rest. */
const METHODS_OF_VERSION: Record<number, readonly Method[]> = {
  4: ['none', 'rc4', 'aes128'],
  5: ['none', 'aes256'],
};

/** Finds the crypt filters for strings and for streams. One that is called /Identity is decrypted by some readers. */
function methodsOf(encrypt: Dict): [Method | undefined, Method | undefined] {
  const filters = encrypt.get('CF');
  const allowed = METHODS_OF_VERSION[Number(encrypt.get('V'))] ?? [];
  if (filters instanceof Map && filters.has('Identity')) return [undefined, undefined];
  const methodOf = (key: string): Method | undefined => {
    const name = encrypt.get(key) ?? 'Identity';
    if (name === 'Identity') return 'none';
    const filter = filters instanceof Map && typeof name === 'string' ? filters.get(name) : undefined;
    const method = filter instanceof Map ? filter.get('CFM') : undefined;
    const algorithm =
      typeof method === 'string' && Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    return algorithm && allowed.includes(algorithm) ? algorithm : undefined;
  };
  return [methodOf('StrF'), methodOf('StmF')];
}

// ── keys ────────────────────────────────────────────────────────────────────────────────────────────────────────

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

const md5 = (...pieces: Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(pieces)).digest();

const padded = (password: Buffer): Buffer => Buffer.concat([password, PADDING]).subarray(0, 32);

/** Derives the file's key from the user's password, or from the owner's (algorithms 2, 6 and 7). */
function keyOfOlder(settings: Settings, password: string): Buffer | undefined {
  const passwordBytes = Buffer.from(password, 'latin1');
  const byUser = keyByUser(settings, passwordBytes);
  if (byUser) return byUser;
  const { revision, keyBytes, owner } = settings;
  if (owner.length < 32) return undefined;
  let hash = md5(padded(passwordBytes));
  if (revision >= 3) for (let round = 0; round < 50; round += 1) hash = md5(hash);
  const ownerKey = hash.subarray(0, keyBytes);
  let user = owner.subarray(0, 32);
  for (let round = revision >= 3 ? 19 : 0; round >= 0; round -= 1) user = rc4(mixed(ownerKey, round), user);
  return keyByUser(settings, user);
}

const mixed = (key: Buffer, round: number): Buffer => key.map((byte) => byte ^ round) as Buffer;

function keyByUser(settings: Settings, password: Buffer): Buffer | undefined {
  const { revision, keyBytes, user, owner, permissions, isMetadataEncrypted, firstId } = settings;
  const bits = Buffer.alloc(4);
  bits.writeInt32LE(permissions | 0);
  const mark = revision >= 4 && !isMetadataEncrypted ? Buffer.from('ffffffff', 'hex') : Buffer.alloc(0);
  let hash = md5(padded(password), owner.subarray(0, 32), bits, firstId, mark);
  if (revision >= 3) for (let round = 0; round < 50; round += 1) hash = md5(hash.subarray(0, keyBytes));
  const key = hash.subarray(0, keyBytes);
  if (revision === 2) return rc4(key, PADDING).equals(user.subarray(0, 32)) ? key : undefined;
  let check = md5(PADDING, firstId);
  for (let round = 0; round < 20; round += 1) check = rc4(mixed(key, round), check);
  return check.equals(user.subarray(0, 16)) ? key : undefined;
}

/** Each entry has a hash, a salt to check the password and a salt for the key (revisions 5 and 6, algorithm 2.A). */
function keyOfAes256(settings: Settings, password: string): Buffer | undefined {
  const { revision, user, owner, userKey, ownerKey } = settings;
  const passwordBytes = Buffer.from(password.normalize('NFKC'), 'utf8').subarray(0, 127);
  if (user.length < 48 || userKey.length < 32) return undefined;
  const hashOf = (salt: Buffer, more: Buffer) =>
    revision === 5
      ? createHash('sha256').update(passwordBytes).update(salt).update(more).digest()
      : nextHash(passwordBytes, salt, more);
  const tried = (entry: Buffer, wrapped: Buffer, more: Buffer) => {
    if (entry.length < 48 || wrapped.length < 32) return undefined;
    if (!hashOf(entry.subarray(32, 40), more).equals(entry.subarray(0, 32))) return undefined;
    const decipher = createDecipheriv('aes-256-cbc', hashOf(entry.subarray(40, 48), more), Buffer.alloc(16));
    return decipher.setAutoPadding(false).update(wrapped.subarray(0, 32));
  };
  return tried(user, userKey, Buffer.alloc(0)) ?? tried(owner, ownerKey, user.subarray(0, 48));
}

// ── data ────────────────────────────────────────────────────────────────────────────────────────────────────────

function decryptionWith(key: Buffer, { strings, streams, isMetadataEncrypted }: Settings): Decryption {
  const keyOf = (method: Method, { number, generation }: ObjectName): Buffer => {
    if (method === 'aes256') return key;
    const name = Buffer.alloc(5);
    name.writeUIntLE(number % 2 ** 24, 0, 3);
    name.writeUIntLE(generation % 2 ** 16, 3, 2);
    const salt = method === 'aes128' ? Buffer.from('sAlT') : Buffer.alloc(0);
    return md5(key, name, salt).subarray(0, Math.min(16, key.length + 5));
  };
  const opened = (method: Method, data: Buffer, object: ObjectName): Buffer | undefined => {
    if (method === 'none') return data;
    return method === 'rc4' ? rc4(keyOf(method, object), data) : openAes(keyOf(method, object), data);
  };
  const value = (written: Value, object: ObjectName): Value => {
    if (written instanceof PdfString) {
      const text = opened(strings, written.bytes, object);
      return text ? new PdfString(text, written.isHex, false, written.written) : asWritten(written);
    }
    if (Array.isArray(written)) return written.map((item) => value(item, object));
    if (written instanceof PdfStream)
      return new PdfStream(mapped(written.dict, object), written.start, written.end, object);
    return written instanceof Map ? mapped(written, object) : written;
  };
  const mapped = (dict: Dict, object: ObjectName): Dict => {
    const isSignature = dict.has('ByteRange');
    return new Map(
      [...dict].map(([name, entry]) => [
        name,
        isSignature && name === 'Contents' ? asWritten(entry) : value(entry, object),
      ]),
    );
  };
  return {
    value,
    stream(data, dict, object) {
      const isMetadata = dict.get('Type') === 'Metadata' && dict.get('Subtype') === 'XML';
      const isPlain = dict.get('Type') === 'XRef' || (isMetadata && !isMetadataEncrypted);
      return isPlain ? data : opened(streams, data, object);
    },
  };
}

/** Other readers decrypt what this one leaves as it is, each in its own way: so it is the same as no decrypted text. */
const asWritten = (value: Value): Value =>
  value instanceof PdfString ? new PdfString(value.bytes, value.isHex, true, value.written) : value;

/** The first 16 bytes are the start value; the end is filled up (7.6.3.1). */
function openAes(key: Buffer, data: Buffer): Buffer | undefined {
  if (data.length === 0) return data;
  try {
    const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, data.subarray(0, 16));
    return Buffer.concat([decipher.update(data.subarray(16)), decipher.final()]);
  } catch {
    return undefined;
  }
}

const HASHES = ['sha256', 'sha384', 'sha512'] as const;
const LEAST_ROUNDS = 64;

/** @param more the 48 bytes of /U where it is the password of the owner */
function nextHash(password: Buffer, salt: Buffer, more: Buffer): Buffer {
  let key = createHash('sha256').update(password).update(salt).update(more).digest();
  for (let round = 0, last = 0; round < LEAST_ROUNDS || last > round - 32; round += 1) {
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => Buffer.concat([password, key, more])));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    const encrypted = cipher.setAutoPadding(false).update(repeated);
    // The first 16 bytes as a number, modulo 3: 256 is 1 modulo 3, so their sum will do.
    const sum = encrypted.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    key = createHash(HASHES[sum % 3]!)
      .update(encrypted)
      .digest();
    last = encrypted.at(-1)!;
  }
  return key.subarray(0, 32);
}

export function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  let j = 0;
  const swap = (i: number) => {
    const held = state[i]!;
    state[i] = state[j]!;
    state[j] = held;
  };
  for (let i = 0; i < 256; i += 1) {
    j = (j + state[i]! + key[i % key.length]!) & 0xff;
    swap(i);
  }
  const out = Buffer.allocUnsafe(data.length);
  let i = 0;
  j = 0;
  for (let at = 0; at < data.length; at += 1) {
    i = (i + 1) & 0xff;
    j = (j + state[i]!) & 0xff;
    swap(i);
    out[at] = data[at]! ^ state[(state[i]! + state[j]!) & 0xff]!;
  }
  return out;
}
