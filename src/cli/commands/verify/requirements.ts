// What the caller accepts beside valid files (--accept, --require), and the exit code that follows. It must never let an invalid
// signature pass.

import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import { epochMsOf } from '../../../common/instant.ts';
import { isRecord } from '../../../common/json.ts';
import { nearest } from '../../../common/nearest.ts';
import { once } from '../../../common/once.ts';
import {
  type AlgorithmPolicy,
  ETSI_POLICY,
  effectOf,
  type HashName,
  hashNameOf,
  KNOWN_HASHES,
  readCertificates,
  SUB_INDICATIONS,
  type SubIndication,
  type TrustAnchor,
} from '../../../pdf/verify/verify.ts';
import type { Uses } from '../../command/context.ts';
import { type CliError, cliError } from '../../command/errors.ts';
import { EXIT, type ExitCode } from '../../command/exit-codes.ts';
import { invalidValue } from '../../command/wrong-input.ts';
import { type FileReader, fileLabel, readJson } from '../../input/files.ts';
import { allFaults, type VerifiedFile, type VerifyOptions } from './verified-file.ts';

export type Acceptance = { accepted: ReadonlySet<SubIndication>; isUnchangedEnough: boolean };

const INDETERMINATE = 'indeterminate';

/** `indeterminate:REASON,REASON`, for each option that was given. */
export function acceptanceOf(options: {
  accept: readonly string[];
  require: string | undefined;
}): Acceptance {
  const accepted = options.accept.flatMap(reasonsIn);
  return { accepted: new Set(accepted), isUnchangedEnough: options.require === 'unchanged' };
}

/** Reasons of the verdict `invalid` are none that can be accepted. */
const ACCEPTABLE = SUB_INDICATIONS.slice(SUB_INDICATIONS.indexOf('NO_SIGNING_CERTIFICATE_FOUND'));

function reasonsIn(text: string): SubIndication[] {
  const [verdict = '', reasons, ...more] = text.split(':');
  if (verdict !== INDETERMINATE || !reasons || more.length > 0)
    throw invalidValue({
      name: '--accept',
      value: text,
      meant: verdict !== INDETERMINATE ? nearest(verdict, [INDETERMINATE]) : undefined,
      use: `indeterminate: and one or more of ${ACCEPTABLE.join(', ')}`,
    });
  return reasons.split(',').map((word) => {
    const reason = ACCEPTABLE.find((acceptable) => acceptable === word.trim());
    if (reason) return reason;
    const isOfInvalid = SUB_INDICATIONS.some((subIndication) => subIndication === word.trim());
    throw invalidValue({
      name: '--accept',
      value: word.trim(),
      problem: isOfInvalid
        ? 'is a reason of invalid signatures, which are never accepted'
        : 'is not a reason of the verdict indeterminate',
      meant: isOfInvalid ? undefined : nearest(word.trim(), ACCEPTABLE, MOST_CHANGES),
      use: `one or more of ${ACCEPTABLE.join(', ')}`,
    });
  });
}

/** The words are long, so that a misspelt one may be further from the right one than others are. */
const MOST_CHANGES = 4;

/** Tells whether nothing is wrong with a file, or only what the caller accepts. */
export const isAccepted = (file: VerifiedFile, acceptance: Acceptance): boolean =>
  file.verdict === 'valid' || acceptingOption(file, acceptance) !== undefined;

/** The option by which a file passes that is not valid. */
export function acceptingOption(
  file: VerifiedFile,
  { accepted, isUnchangedEnough }: Acceptance,
): '--accept' | '--require unchanged' | undefined {
  if (file.verdict !== INDETERMINATE) return undefined;
  const faults = allFaults(file);
  // A signature that was not looked at can be an invalid one.
  if (faults.some(({ code }) => code === 'too_many_signatures')) return undefined;
  const effects = faults.map(effectOf);
  if (effects.every(({ subIndication }) => accepted.has(subIndication))) return '--accept';
  const isUnchanged = effects.every(({ question }) => question === 'identity' || question === 'time');
  return isUnchangedEnough && isUnchanged ? '--require unchanged' : undefined;
}

/** Those of several files by what counts first. */
const WORST_FIRST: readonly ExitCode[] = [EXIT.usage, EXIT.endedBadly, EXIT.uncertain, EXIT.done];

export function exitOf(files: readonly VerifiedFile[], acceptance: Acceptance): ExitCode {
  const exits = files.map((file): ExitCode => {
    if (file.verdict === 'not_a_pdf') return EXIT.usage;
    if (isAccepted(file, acceptance)) return EXIT.done;
    return file.verdict === INDETERMINATE ? EXIT.uncertain : EXIT.endedBadly;
  });
  return WORST_FIRST.find((exit) => exits.includes(exit)) ?? EXIT.done;
}

export async function trustOf(
  { connections }: Uses<'connections'>,
  paths: readonly string[],
  reader: FileReader,
): Promise<VerifyOptions['trust']> {
  const anchors: TrustAnchor[] = [];
  for (const path of paths) {
    const certificates = readCertificates(await reader.read(path));
    if (certificates.length === 0)
      throw cliError('certificate_unreadable', {
        sentence: `${fileLabel(path)} contains no certificate.`,
        hint: 'Specify a file with certificates in PEM format (-----BEGIN CERTIFICATE-----), or with one certificate in DER format.',
      });
    anchors.push(...certificates.map((certificate) => ({ certificate, why: `--trust ${path}` })));
  }
  const all = once(async () => {
    const { certificates, importedAt } = await connections.sandboxRoots();
    const why =
      importedAt === undefined
        ? 'the sandbox of this machine'
        : `the sandbox of this machine, whose authority was imported from a file on ${importedAt}`;
    const ofSandbox = certificates
      .flatMap((root) => readCertificates(root))
      .map((certificate) => ({ certificate, why }));
    return { anchors: [...anchors, ...ofSandbox], ofSystem: once(anchorsOfSystem) };
  });
  return { named: anchors.length > 0 ? { anchors } : await all(), all };
}

/** Where systems keep them that Node does not ask: Debian, Red Hat, Alpine and macOS with Homebrew. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
  '/opt/homebrew/etc/ca-certificates/cert.pem',
];

function anchorsOfSystem(): TrustAnchor[] {
  const why = 'the certificate store of this system';
  return readCertificates(Buffer.from(pemOfSystem())).map((certificate) => ({ certificate, why }));
}

/** Only newer Nodes tell the system's certificates. */
function pemOfSystem(): string {
  const tell: unknown = Reflect.get(tls, 'getCACertificates');
  const told = typeof tell === 'function' ? (tell('system') as string[]) : [];
  if (told.length > 0) return told.join('\n');
  for (const bundle of BUNDLES)
    try {
      return readFileSync(bundle, 'latin1');
    } catch {
      // This system keeps them elsewhere.
    }
  return '';
}

const PROPERTIES = ['name', 'hashes', 'rsa_below', 'rsa_pkcs1', 'ec_below', 'ocsp_rsa_below'];

export async function policyIn(path: string, reader: FileReader): Promise<AlgorithmPolicy> {
  const content = await readJson(path, reader);
  if (!isRecord(content)) throw wrong('is not a JSON object');
  for (const name of Object.keys(content))
    if (!PROPERTIES.includes(name))
      throw wrong(
        `has the unknown property "${name}"`,
        `one of ${PROPERTIES.join(', ')}`,
        nearest(name, PROPERTIES),
      );
  const { name = path, hashes = {}, rsa_below = {}, rsa_pkcs1, ec_below = {}, ocsp_rsa_below = {} } = content;
  if (typeof name !== 'string') throw wrong('has a "name" that is not a string');
  return {
    name,
    hashes: hashesIn(hashes),
    rsa: rulesIn('rsa_below', rsa_below, ETSI_POLICY.rsa),
    rsaPkcs1: rsa_pkcs1 === undefined ? ETSI_POLICY.rsaPkcs1 : dayIn('rsa_pkcs1', rsa_pkcs1),
    ec: rulesIn('ec_below', ec_below, ETSI_POLICY.ec),
    ocspRsa: rulesIn('ocsp_rsa_below', ocsp_rsa_below, ETSI_POLICY.ocspRsa),
  };
}

/** The rows of the standard with those of the file: each takes the place of the row of its name, and null removes that. */
function merged<Row>(
  name: string,
  value: unknown,
  rows: readonly (readonly [Row, number])[],
  rowOf: (word: string) => Row,
): [Row, number][] {
  if (!isRecord(value)) throw wrong(`has "${name}", which is not an object`);
  const days = new Map(rows);
  for (const [word, day] of Object.entries(value)) {
    const [row, from] = [rowOf(word), dayIn(`${name}.${word}`, day)];
    if (from === undefined) days.delete(row);
    else days.set(row, from);
  }
  return [...days];
}

function hashIn(word: string): HashName {
  const hash = hashNameOf(word);
  if (hash) return hash;
  throw wrong(
    `has the unknown hash "${word}"`,
    `one of ${KNOWN_HASHES.join(', ')}`,
    nearest(word, KNOWN_HASHES),
  );
}

const hashesIn = (value: unknown): AlgorithmPolicy['hashes'] =>
  Object.fromEntries(
    merged('hashes', value, Object.entries(ETSI_POLICY.hashes) as [HashName, number][], hashIn),
  );

/** `{"1900": "2019-10-01"}`: keys of fewer bits, and since when they are weak. */
function rulesIn(name: string, value: unknown, rules: AlgorithmPolicy['rsa']): AlgorithmPolicy['rsa'] {
  const rows = rules.map(({ below, from }) => [below, from] as const);
  return merged(name, value, rows, (word) => {
    if (/^[1-9]\d{1,4}$/.test(word)) return Number(word);
    throw wrong(`has "${word}" in "${name}", which is not a number of bits`);
  })
    .map(([below, from]) => ({ below, from }))
    .sort((a, b) => a.below - b.below);
}

/** Undefined for null: it has no end. */
function dayIn(name: string, value: unknown): number | undefined {
  if (value === null) return undefined;
  const ms =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
      ? epochMsOf(`${value}T00:00:00.000Z`)
      : Number.NaN;
  if (Number.isNaN(ms))
    throw wrong(`has no day for "${name}"`, 'a day such as 2012-08-01, or null for no end');
  return ms;
}

const wrong = (problem: string, use?: string, meant?: string): CliError =>
  invalidValue({
    name: 'The file of --policy',
    problem,
    use: use ?? 'properties as "esign verify --help" names them',
    meant,
  });
