// Seals with the settings: with a key of the user, a timestamp authority on the web, at a lower level. What is not set comes
// from the authority of the store.

import { LIMITS } from '../../api/contract/limits.ts';
import { parseUrl } from '../../api/contract/parse-url.ts';
import type { Instant } from '../../common/instant.ts';
import { listAddressesOf, readCertificate } from '../../pdf/sign/certificate.ts';
import { type FindRevocationLists, SEAL_LEVELS, type Sealing, type SealLevel } from '../../pdf/sign/seal.ts';
import { plainNameOf } from '../../pdf/sign/seal-chain.ts';
import { SealingUnavailable } from '../../pdf/sign/sealing-unavailable.ts';
import type { DigestName } from '../../pdf/sign/signing-key.ts';
import { certificatesInPem, loadSigner, pemBlocks, readSettingFile } from './own-key.ts';
import type { ServiceSealing } from './service-sealing.ts';
import type { SealingSettings } from './settings.ts';
import { sendWebRequest } from './web-request.ts';
import { type WebAuthority, webTimestamps } from './web-timestamps.ts';

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
  const known = SEAL_LEVELS.find((one) => one === level.toUpperCase());
  if (known) return known;
  throw wrong(`"${level}" is not a valid value for sealing.level.`, `Use one of ${SEAL_LEVELS.join(', ')}.`);
}

const wrong = (message: string, hint: string) => new SealingUnavailable('settings', message, hint);

/** @returns undefined when none is set */
export async function createWebAuthority(settings: SealingSettings): Promise<WebAuthority | undefined> {
  const { tsa, tsa_policy, tsa_digest = 'sha256', tsa_certificates } = settings;
  if (tsa === undefined) return undefined;
  const url = parseUrl(tsa);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw wrong(
      `"${tsa}" is not a valid URL (sealing.tsa).`,
      'Use an http or https URL without a user name or password.',
    );
  if (tsa_policy !== undefined && !/^[0-2](\.\d{1,15}){1,30}$/.test(tsa_policy))
    throw wrong(
      `"${tsa_policy}" is not a valid OID (sealing.tsa_policy).`,
      'Use numbers separated by dots, for example 1.2.3.4.',
    );
  const digest = DIGESTS.find((one) => one === tsa_digest);
  if (!digest)
    throw wrong(
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

/** Those of the store's own authority are there in any case: its timestamps may be used with a key of the user. */
function revocationListsFor(settings: SealingSettings, embedded: Sealing): FindRevocationLists {
  const { revocation_lists } = settings;
  return async (certificates) => {
    const own = (await embedded.revocationLists?.(certificates)) ?? [];
    const others =
      revocation_lists === undefined ? await downloadLists(certificates) : await readLists(revocation_lists);
    return [...own, ...others];
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

/** A list that cannot be loaded is missing; sealing reports it with the name of the certificate. */
async function downloadLists(certificates: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const read = certificates.flatMap((der) => readCertificate(der) ?? []);
  const addresses = new Set(read.flatMap((one) => listAddressesOf(one).slice(0, 1)));
  const load = (url: string) =>
    sendWebRequest({ url, maxBytes: LIMITS.revocationListBytes, timeoutMs: LIMITS.authorityAnswerMs });
  const answers = await Promise.all([...addresses].slice(0, LIMITS.revocationListAddresses).map(load));
  return answers.flatMap((answer) => (answer.ok ? [answer.body] : []));
}
