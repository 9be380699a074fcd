// Seals with the settings: with a key of the user, a timestamp authority on the web, at a lower level. What is not set comes
// from the authority of the store. No part of a key or password ever appears in an error.
import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { LIMITS } from '../../api/contract/limits.ts';
import type { Instant } from '../../common/instant.ts';
import { parseUrl } from '../../common/parse-url.ts';
import { readNamedFile, whyUnread } from '../../files/read-file.ts';
import { listAddressesOf, readCertificate } from '../../pdf/sign/certificate.ts';
import {
  type FindRevocationLists,
  SEAL_LEVELS,
  type Sealing,
  type SealLevel,
  type Signer,
} from '../../pdf/sign/seal.ts';
import { plainNameOf } from '../../pdf/sign/seal-chain.ts';
import { SealingUnavailable } from '../../pdf/sign/sealing-unavailable.ts';
import { type DigestName, signingKeyOf, UnusableKey } from '../../pdf/sign/signing-key.ts';
import type { ServiceSealing } from './embedded-sealing.ts';
import { sendWebRequest, type WebAuthority, webTimestamps } from './web-timestamps.ts';

/**
 * These settings let a store seal with a key of the user. Paths are absolute or relative to the folder where the program was
 * started.
 */
export type SealingSettings = {
  /** The file has the private key and its certificates in PEM; the certificate of the key comes first. */
  key?: string;
  certificate?: string;
  /** The file has both (PKCS #12), instead of the two above. */
  p12?: string;
  /** The password opens `key` or `p12`, and must not be printed. */
  password?: string;
  /** The authority answers requests for timestamps (RFC 3161). */
  tsa?: string;
  /** Its timestamps must have this policy: numbers with dots. */
  tsa_policy?: string;
  tsa_digest?: string;
  /** The file has the certificates of its issuers in PEM, where its timestamps lack them. */
  tsa_certificates?: string;
  level?: string;
  /**
   * The files have revocation lists in PEM or DER, with commas between their paths; without them, lists are loaded from the
   * URLs in the certificates.
   */
  revocation_lists?: string;
};

/** @throws SealingUnavailable for a setting that cannot be followed */
export async function loadConfiguredSealing(
  settings: SealingSettings,
  embedded: ServiceSealing,
  { clock }: { clock: () => Instant },
): Promise<ServiceSealing> {
  const isOwn =
    settings.p12 !== undefined || settings.key !== undefined || settings.certificate !== undefined;
  const signer = isOwn ? await loadSigner(settings) : embedded.signer;
  const authority = await createWebAuthority(settings);
  const level = levelOf(settings);
  const ownAuthority = embedded.ownAuthority && {
    ...embedded.ownAuthority,
    timestamps: level !== 'B' && !authority,
    revocationLists: level === 'LT' || level === 'LTA',
  };
  const certificate = readCertificate(signer.certificates[0]!);
  return {
    ...embedded,
    clock,
    signer,
    level,
    ownAuthority: isOwn ? undefined : ownAuthority,
    ...(authority && { timestamps: webTimestamps(authority) }),
    revocationLists: revocationListsFor(settings, embedded),
    ...(isOwn && certificate && { name: plainNameOf(certificate) }),
  };
}

function levelOf({ level = 'LTA' }: SealingSettings): SealLevel {
  const match = SEAL_LEVELS.find((name) => name === level.toUpperCase());
  if (match) return match;
  throw notUsable(
    `"${level}" is not a valid value for sealing.level.`,
    `Use one of ${SEAL_LEVELS.join(', ')}.`,
  );
}

/** @returns undefined when none is set */
export async function createWebAuthority(settings: SealingSettings): Promise<WebAuthority | undefined> {
  const { tsa, tsa_policy, tsa_digest = 'sha256', tsa_certificates } = settings;
  if (tsa === undefined) return undefined;
  const url = parseUrl(tsa);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw notUsable(
      `"${tsa}" is not a valid URL (sealing.tsa).`,
      'Use an http or https URL without a user name or password.',
    );
  if (tsa_policy !== undefined && !/^[0-2](\.\d{1,15}){1,30}$/.test(tsa_policy))
    throw notUsable(
      `"${tsa_policy}" is not a valid OID (sealing.tsa_policy).`,
      'Use numbers separated by dots, for example 1.2.3.4.',
    );
  const digest = DIGESTS.find((name) => name === tsa_digest);
  if (!digest)
    throw notUsable(
      `"${tsa_digest}" is not a valid value for sealing.tsa_digest.`,
      `Use one of ${DIGESTS.join(', ')}.`,
    );
  const certificates =
    tsa_certificates === undefined
      ? []
      : certificatesInPem(await readSettingFile('tsa_certificates', tsa_certificates), tsa_certificates);
  return { url: url.href, digest, policy: tsa_policy, certificates };
}

const DIGESTS: readonly DigestName[] = ['sha256', 'sha384', 'sha512'];

// --- Revocation lists ---

/**
 * Finds revocation lists. Those of the store's own authority are there in any case: its timestamps may be used with a key
 * of the user.
 */
function revocationListsFor(settings: SealingSettings, embedded: Sealing): FindRevocationLists {
  const { revocation_lists } = settings;
  return async (certificates) => {
    const ofStore = (await embedded.revocationLists?.(certificates)) ?? [];
    const others =
      revocation_lists === undefined ? await downloadLists(certificates) : await readLists(revocation_lists);
    return [...ofStore, ...others];
  };
}

async function readLists(paths: string): Promise<Uint8Array[]> {
  const files = paths.split(',').map((path) => path.trim());
  const read = async (path: string) => {
    const bytes = await readSettingFile('revocation_lists', path);
    const blocks = pemBlocks(bytes.toString('latin1'), /^X509 CRL$/);
    return blocks.length > 0 ? blocks : [bytes];
  };
  return (await Promise.all(files.map(read))).flat();
}

/** Downloads lists. One that cannot be loaded is missing; sealing reports it with the name of the certificate. */
async function downloadLists(certificates: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const read = certificates.flatMap((der) => readCertificate(der) ?? []);
  const addresses = new Set(read.flatMap((certificate) => listAddressesOf(certificate).slice(0, 1)));
  const load = (url: string) =>
    sendWebRequest({ url, maxBytes: LIMITS.revocationListBytes, timeoutMs: LIMITS.authorityAnswerMs });
  const answers = await Promise.all([...addresses].slice(0, LIMITS.revocationListAddresses).map(load));
  return answers.flatMap((answer) => (answer.ok ? [answer.body] : []));
}

// --- The key of the user ---

type KeyWithCertificates = { key: KeyObject; certificates: Uint8Array[] };

/** @throws SealingUnavailable that names the setting and the file */
async function loadSigner(settings: SealingSettings): Promise<Signer> {
  const { key, certificates } = await loadKey(settings);
  const leaf = certificates.find((der) => new X509Certificate(der).checkPrivateKey(key));
  if (!leaf)
    throw notUsable(
      'The sealing certificate does not belong to the sealing key.',
      'Set a certificate and a key that belong together.',
    );
  try {
    return { certificates: [leaf, ...certificates.filter((der) => der !== leaf)], key: signingKeyOf(key) };
  } catch (error) {
    if (error instanceof UnusableKey)
      throw notUsable(error.message, 'Set another key (sealing.key or sealing.p12).');
    throw error;
  }
}

const notUsable = (message: string, hint: string) => new SealingUnavailable('settings', message, hint);

async function loadKey({ key, certificate, p12, password }: SealingSettings): Promise<KeyWithCertificates> {
  if (p12 !== undefined) return readP12(await readSettingFile('p12', p12), p12, password ?? '');
  if (key === undefined || certificate === undefined)
    throw notUsable(
      `sealing.${key === undefined ? 'key' : 'certificate'} is not set.`,
      'Set both sealing.key and sealing.certificate, or sealing.p12.',
    );
  return {
    key: keyInPem(await readSettingFile('key', key), key, password),
    certificates: certificatesInPem(await readSettingFile('certificate', certificate), certificate),
  };
}

// --- Files ---

/** Larger files are refused: a revocation list of a large authority has some megabytes. */
const FILE_BYTES = 16 * 1024 * 1024;

/** @param name of the setting, without `sealing.` */
async function readSettingFile(name: string, path: string): Promise<Buffer> {
  try {
    return Buffer.from(await readNamedFile(path, { mostBytes: FILE_BYTES }));
  } catch (error) {
    throw notUsable(
      `The file "${path}" (sealing.${name}) cannot be read (${whyUnread(error)}).`,
      'Check the path and the permissions of the file.',
    );
  }
}

function keyInPem(pem: Buffer, path: string, password: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(password !== undefined && { passphrase: password }) });
  } catch {
    if (!pem.includes('ENCRYPTED'))
      throw notUsable(
        `"${path}" does not contain a private key in PEM format.`,
        'Use a file that begins with "-----BEGIN PRIVATE KEY-----".',
      );
    throw password === undefined
      ? notUsable(
          `The key in "${path}" is encrypted.`,
          'Set ESIGN_SEALING_PASSWORD, or sealing.password_file.',
        )
      : notUsable(
          `The password for the key in "${path}" is wrong.`,
          'Check ESIGN_SEALING_PASSWORD or sealing.password_file.',
        );
  }
}

const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----/g;

const pemBlocks = (text: string, label: RegExp): Buffer[] =>
  [...text.matchAll(PEM_BLOCK)]
    .filter(([, name]) => label.test(name ?? ''))
    .map(([, , body]) => Buffer.from(body ?? '', 'base64'));

/** Reads one or more in PEM, or one in DER. */
function certificatesInPem(bytes: Buffer, path: string): Buffer[] {
  const blocks = pemBlocks(bytes.toString('latin1'), /CERTIFICATE$/);
  const certificates = blocks.length > 0 ? blocks : [bytes];
  for (const der of certificates) {
    try {
      new X509Certificate(der);
    } catch {
      throw notUsable(`"${path}" does not contain a certificate.`, 'Use a file in PEM or DER format.');
    }
  }
  return certificates;
}

// --- PKCS #12 ---

/** The library takes the file apart; what is inside goes to node:crypto. */
async function readP12(bytes: Buffer, path: string, password: string): Promise<KeyWithCertificates> {
  const pkijs = await import('pkijs');
  const engine = new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto as unknown as EngineCrypto });
  pkijs.setEngine('node', engine);
  const bags = await bagsIn(pkijs, bytes, password).catch((error: unknown) => {
    throw notOpened(error, path);
  });
  const [key] = bags.keys;
  if (!key || bags.certificates.length === 0)
    throw notUsable(
      `"${path}" does not contain a ${key ? 'certificate' : 'private key'}.`,
      'Export the key together with its certificate.',
    );
  return { key: createPrivateKey({ key, type: 'pkcs8', format: 'der' }), certificates: bags.certificates };
}

type Pkijs = typeof import('pkijs');
/** Its constructor takes the type that browsers have. */
type EngineCrypto = NonNullable<ConstructorParameters<Pkijs['CryptoEngine']>[0]>['crypto'];
type Bags = { keys: Buffer[]; certificates: Buffer[] };

async function bagsIn(pkijs: Pkijs, bytes: Buffer, password: string): Promise<Bags> {
  const secret = new Uint8Array(Buffer.from(password, 'utf8')).buffer;
  const pfx = pkijs.PFX.fromBER(new Uint8Array(bytes).buffer);
  await pfx.parseInternalValues({ password: secret, checkIntegrity: isAscii(password) });
  const safe = pfx.parsedValue?.authenticatedSafe;
  if (!safe) throw new Error('It has no contents.');
  await safe.parseInternalValues({ safeContents: safe.safeContents.map(() => ({ password: secret })) });
  const bags: Bags = { keys: [], certificates: [] };
  const contents = (safe.parsedValue as { safeContents: { value: InstanceType<Pkijs['SafeContents']> }[] })
    .safeContents;
  for (const { value } of contents)
    for (const { bagValue } of value.safeBags) await sort(pkijs, bagValue, secret, bags);
  return bags;
}

async function sort(
  pkijs: Pkijs,
  bag: unknown,
  password: ArrayBuffer,
  { keys, certificates }: Bags,
): Promise<void> {
  if (bag instanceof pkijs.PKCS8ShroudedKeyBag) {
    // The library keeps this method from its types, and offers no other.
    await (bag as unknown as { parseInternalValues(parts: object): Promise<void> }).parseInternalValues({
      password,
    });
    if (bag.parsedValue) keys.push(Buffer.from(bag.parsedValue.toSchema().toBER()));
  }
  if (bag instanceof pkijs.PrivateKeyInfo) keys.push(Buffer.from(bag.toSchema().toBER()));
  if (bag instanceof pkijs.CertBag) certificates.push(Buffer.from(certificateIn(bag)));
}

const certificateIn = ({ certValue }: { certValue: unknown }): ArrayBuffer =>
  (certValue as { valueBlock: { valueHexView: Uint8Array<ArrayBuffer> } }).valueBlock.valueHexView.slice()
    .buffer;

/**
 * Recognises a password that all programs take alike: with other characters, the check of the whole file differs between
 * them.
 */
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

function notOpened(error: unknown, path: string): SealingUnavailable {
  const message = error instanceof Error ? error.message : String(error);
  if (
    /integrity|decrypt|password|operation-specific|unable to/i.test(message) &&
    !/algorithm|OID|PBES2|scheme/i.test(message)
  )
    return notUsable(
      `The password for "${path}" is wrong.`,
      'Check ESIGN_SEALING_PASSWORD or sealing.password_file.',
    );
  return notUsable(
    `"${path}" cannot be opened: it is damaged, or encrypted with an outdated algorithm (RC2, 3DES).`,
    'Convert it: openssl pkcs12 -legacy -in OLD.p12 -nodes -out key.pem && openssl pkcs12 -export -in key.pem -out NEW.p12',
  );
}
