// Reads the private key and the certificates that a store seals with instead of its own: from PEM or PKCS #12. No part of a
// key or password ever appears in an error.
import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { readNamedFile, whyUnread } from '../../files/read-file.ts';
import type { Signer } from '../../pdf/sign/seal.ts';
import { SealingUnavailable } from '../../pdf/sign/sealing-unavailable.ts';
import { signingKeyOf, UnusableKey } from '../../pdf/sign/signing-key.ts';
import type { SealingSettings } from './settings.ts';

type Found = { key: KeyObject; certificates: Uint8Array[] };

/** @throws SealingUnavailable that names the setting and the file */
export async function loadSigner(settings: SealingSettings): Promise<Signer> {
  const { key, certificates } = await loadKey(settings);
  const own = certificates.find((der) => new X509Certificate(der).checkPrivateKey(key));
  if (!own)
    throw notUsable(
      'The sealing certificate does not belong to the sealing key.',
      'Set a certificate and a key that belong together.',
    );
  try {
    return { certificates: [own, ...certificates.filter((der) => der !== own)], key: signingKeyOf(key) };
  } catch (error) {
    if (error instanceof UnusableKey)
      throw notUsable(error.message, 'Set another key (sealing.key or sealing.p12).');
    throw error;
  }
}

const notUsable = (message: string, hint: string) => new SealingUnavailable('settings', message, hint);

async function loadKey({ key, certificate, p12, password }: SealingSettings): Promise<Found> {
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

/** The largest that is read: a revocation list of a large authority has some megabytes. */
const FILE_BYTES = 16 * 1024 * 1024;

/** @param name of the setting, without `sealing.` */
export async function readSettingFile(name: string, path: string): Promise<Buffer> {
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

export const pemBlocks = (text: string, label: RegExp): Buffer[] =>
  [...text.matchAll(PEM_BLOCK)]
    .filter(([, name]) => label.test(name ?? ''))
    .map(([, , body]) => Buffer.from(body ?? '', 'base64'));

/** One or more, in PEM; or one in DER. */
export function certificatesInPem(bytes: Buffer, path: string): Buffer[] {
  const blocks = pemBlocks(bytes.toString('latin1'), /CERTIFICATE$/);
  const found = blocks.length > 0 ? blocks : [bytes];
  for (const der of found) {
    try {
      new X509Certificate(der);
    } catch {
      throw notUsable(`"${path}" does not contain a certificate.`, 'Use a file in PEM or DER format.');
    }
  }
  return found;
}

// --- PKCS #12 ---

/** Its library takes it apart; what is inside goes to node:crypto. */
async function readP12(bytes: Buffer, path: string, password: string): Promise<Found> {
  const pkijs = await import('pkijs');
  const engine = new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto as unknown as EngineCrypto });
  pkijs.setEngine('node', engine);
  const found = await bagsIn(pkijs, bytes, password).catch((error: unknown) => {
    throw notOpened(error, path);
  });
  const [key] = found.keys;
  if (!key || found.certificates.length === 0)
    throw notUsable(
      `"${path}" does not contain a ${key ? 'certificate' : 'private key'}.`,
      'Export the key together with its certificate.',
    );
  return { key: createPrivateKey({ key, type: 'pkcs8', format: 'der' }), certificates: found.certificates };
}

type Pkijs = typeof import('pkijs');
/** The type that browsers have. */
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

/** The check of the whole file takes a password with other characters in a way that differs between programs. */
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

function notOpened(error: unknown, path: string): SealingUnavailable {
  const said = error instanceof Error ? error.message : String(error);
  if (
    /integrity|decrypt|password|operation-specific|unable to/i.test(said) &&
    !/algorithm|OID|PBES2|scheme/i.test(said)
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
