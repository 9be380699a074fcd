// Seals a PDF by PAdES (EN 319 142-1): a signature in a field that is there, a timestamp of it, what is needed to check both
// later, and a timestamp over all of it. Each is an update behind the ones before, and not a byte follows the last one.
// It draws nothing and knows no transaction.

import { epochMsOf } from '../../common/instant.ts';
import { openForUpdate } from '../read/incremental.ts';
import type { PdfFile } from '../read/read-pdf.ts';
import { type Dict, PdfString, Ref, textOf, type Value, writeText, writeValue } from '../read/values.ts';
import { digestOf } from './algorithms.ts';
import { appendSignature, appendValidationData, ChangedObjects } from './append-to-pdf.ts';
import { type Certificate, describeTime, maySign, readCertificate } from './certificate.ts';
import { digitsOf, OID } from './der.ts';
import { listsFor, plainNameOf, wholeChain } from './seal-chain.ts';
import { SealingUnavailable } from './sealing-unavailable.ts';
import type { DigestName, SigningKey } from './signing-key.ts';
import { signerOfToken } from './timestamp.ts';
import { attribute, signCms } from './write-cms.ts';

export { SealingUnavailable } from './sealing-unavailable.ts';

export type Signer = {
  /** The certificate of the key comes first, then those of its issuers up to the root, in DER. */
  certificates: readonly Uint8Array[];
  key: SigningKey;
};

export type TimestampAuthority = {
  /** Data to be stamped is digested with it. */
  digest: DigestName;
  /** @returns a token in DER that was checked @throws SealingUnavailable when none can be obtained */
  timestamp(imprint: Uint8Array): Promise<Uint8Array>;
  /** Its tokens may lack those of its issuers up to the root. */
  certificates: readonly Uint8Array[];
};

/** @param certificates everything whose revocation has to be known, each in DER */
export type FindRevocationLists = (certificates: readonly Uint8Array[]) => Promise<readonly Uint8Array[]>;

export const SEAL_LEVELS = ['B', 'T', 'LT', 'LTA'] as const;
export type SealLevel = (typeof SEAL_LEVELS)[number];

export type Sealing = {
  signer: Signer;
  level: SealLevel;
  /** Levels from T on need it. */
  timestamps?: TimestampAuthority;
  /** Levels from LT on need it. */
  revocationLists?: FindRevocationLists;
  /** Returns the time, as in `2026-11-21T18:00:00.000Z`. */
  clock: () => string;
  /** The signature states this time; by default, that of `clock` when it is made. */
  signedAt?: string;
  /** It says who seals, why and where, for people. */
  name?: string;
  reason?: string;
  location?: string;
};

/**
 * @param pdf sound and not encrypted, with an empty signature field that has a widget on a page; it has no signature yet
 * @param fieldName of a field at the top of the form
 * @throws SealingUnavailable when the level cannot be reached
 */
export async function sealPdf(pdf: Uint8Array, fieldName: string, sealing: Sealing): Promise<Uint8Array> {
  const certificate = certificateOf(sealing);
  const signed = await sign(pdf, fieldName, certificate, sealing);
  if (sealing.level === 'B' || sealing.level === 'T') return signed.pdf;
  let tokens = signed.tokens;
  // An authority may have several certificates and take one after the other.
  for (let attempt = 0; attempt < CERTIFICATES_OF_AUTHORITY; attempt += 1) {
    const data = await validationData(certificate, tokens, sealing);
    const checked = appendValidationData(signed.pdf, data);
    if (sealing.level === 'LT') return checked;
    const stamped = await stampDocument(checked, fieldName, sealing);
    const stored = data.certificates.map((der) => Buffer.from(der).toString('latin1'));
    if (stored.includes(signerIn(stamped.token).signer.der.toString('latin1'))) return stamped.pdf;
    tokens = [...tokens, stamped.token];
  }
  throw new SealingUnavailable(
    'timestamps',
    'The timestamp authority uses a different certificate for each timestamp.',
    'Use another timestamp authority.',
  );
}

const CERTIFICATES_OF_AUTHORITY = 4;

function certificateOf({ signer, clock }: Sealing): Certificate {
  const certificate = signer.certificates[0] && readCertificate(signer.certificates[0]);
  if (!certificate?.key)
    throw new SealingUnavailable(
      'certificate',
      'The sealing certificate cannot be read.',
      'Use a certificate in PEM or DER format.',
    );
  const name = plainNameOf(certificate);
  if (!maySign(certificate))
    throw new SealingUnavailable(
      'certificate',
      `The certificate "${name}" is not intended for signatures.`,
      'Use a certificate whose key usage includes digital signature or content commitment.',
    );
  const now = epochMsOf(clock());
  if (now >= certificate.notAfter + SECOND_MS)
    throw new SealingUnavailable(
      'certificate',
      `The certificate "${name}" expired at ${describeTime(certificate.notAfter)}.`,
      'Use a certificate that is still valid.',
    );
  if (now < certificate.notBefore)
    throw new SealingUnavailable(
      'certificate',
      `The certificate "${name}" is not valid before ${describeTime(certificate.notBefore)}.`,
      'Check the clock of this machine, or use a certificate that is already valid.',
    );
  return certificate;
}

/** Times in certificates have no fractions: the last second counts as a whole. */
const SECOND_MS = 1000;

// --- The signature ---

type Signed = { pdf: Uint8Array; tokens: Uint8Array[] };

async function sign(
  pdf: Uint8Array,
  fieldName: string,
  certificate: Certificate,
  sealing: Sealing,
): Promise<Signed> {
  const file = openForUpdate(pdf);
  const { signer, level } = sealing;
  const timestamps = level === 'B' ? undefined : neededTimestamps(sealing);
  const objects = new ChangedObjects(file);
  const field = fieldNamed(file, fieldName);
  if (file.latest.dict(field)?.has('V')) throw new Error(`The field "${fieldName}" is already signed.`);
  const signature = objects.add(null);
  objects.change(field, ['V'], () => signature);
  certify(objects, file, signature);
  let tokens: Uint8Array[] = [];
  const makeUnsignedAttributes = async (value: Uint8Array) => {
    tokens = timestamps ? [await timestamps.timestamp(digestOf(timestamps.digest, value))] : [];
    return tokens.map((token) => attribute(OID.signatureTimestamp, token));
  };
  const sealed = await appendSignature(
    file,
    {
      number: signature.number,
      entries: signatureEntries(sealing),
      others: objects.contents(),
      bytes: roomFor(signer.certificates, SIGNATURE_BYTES) + (timestamps ? roomForToken(timestamps) : 0),
    },
    (covered) =>
      signCms(
        { certificate, key: signer.key, certificates: signer.certificates },
        { digest: digestOf(signer.key.digest, ...covered) },
        makeUnsignedAttributes,
      ),
  );
  return { pdf: sealed, tokens };
}

/** A signature with its attributes, without certificates, takes less: RSA with 4096 bits takes 512 bytes of it. */
const SIGNATURE_BYTES = 1400;
/** A token takes more, because it holds what it is about as well. */
const TOKEN_BYTES = 1600;
/** An authority that is not known yet may send a chain of three. */
const UNKNOWN_CERTIFICATES_BYTES = 6000;

const roomFor = (certificates: readonly Uint8Array[], more: number): number =>
  certificates.reduce((sum, { length }) => sum + length, more);

const roomForToken = ({ certificates }: TimestampAuthority): number =>
  roomFor(certificates, TOKEN_BYTES + (certificates.length === 0 ? UNKNOWN_CERTIFICATES_BYTES : 0));

function signatureEntries({
  clock,
  signedAt = clock(),
  name,
  reason,
  location,
}: Sealing): [string, string][] {
  const texts = { Name: name, Reason: reason, Location: location };
  return [
    ['Type', '/Sig'],
    ['Filter', '/Adobe.PPKLite'],
    ['SubFilter', '/ETSI.CAdES.detached'],
    ['M', `(D:${digitsOf(signedAt)}Z)`],
    ...Object.entries(texts).flatMap(([key, text]): [string, string][] =>
      text === undefined ? [] : [[key, writeText(text)]],
    ),
    ['Reference', `[${writeValue(PERMISSION)}]`],
  ];
}

/** Forms may be filled in and signed further (P 2). Under 1 Acrobat refuses timestamps and what belongs to them as well. */
const PERMISSION: Dict = new Map<string, Value>([
  ['Type', 'SigRef'],
  ['TransformMethod', 'DocMDP'],
  [
    'TransformParams',
    new Map<string, Value>([
      ['Type', 'TransformParams'],
      ['P', 2],
      ['V', '1.2'],
    ]),
  ],
]);

function certify(objects: ChangedObjects, { bytes, latest }: PdfFile, signature: Ref): void {
  const root = latest.root!;
  objects.change(root, ['Perms', 'DocMDP'], () => signature);
  const isSecond = bytes.toString('latin1', 0, '%PDF-2'.length) === '%PDF-2';
  // Before PDF 2.0 the kinds of signatures and timestamps that are written here are an extension (EN 319 142-1, 5.1).
  if (!isSecond) objects.change(root, ['Extensions', 'ESIC'], () => EXTENSION);
}

const EXTENSION: Dict = new Map<string, Value>([
  ['BaseVersion', '1.7'],
  ['ExtensionLevel', 1],
]);

// --- Fields ---

const fieldsOf = ({ latest }: PdfFile): Value[] =>
  latest.array(latest.dict(latest.dict(latest.root)?.get('AcroForm'))?.get('Fields')) ?? [];

function fieldNamed(file: PdfFile, name: string): Ref {
  const { latest } = file;
  const field = fieldsOf(file).find((candidate) => textOf(latest.dict(candidate)?.get('T')) === name);
  if (field instanceof Ref && latest.dict(field)?.get('FT') === 'Sig') return field;
  throw new Error(`The PDF has no signature field "${name}".`);
}

/** Adds a field on the page of another one, which shows nothing. */
function addInvisibleField(objects: ChangedObjects, file: PdfFile, beside: Ref, value: Ref): void {
  const { latest } = file;
  const page = latest.dict(beside)?.get('P');
  if (!(page instanceof Ref)) throw new Error('The signature field of the seal is not on any page.');
  const usedNames = new Set(fieldsOf(file).map((field) => textOf(latest.dict(field)?.get('T'))));
  let name = 'Timestamp';
  for (let number = 2; usedNames.has(name); number += 1) name = `Timestamp ${number}`;
  const field = objects.add(
    new Map<string, Value>([
      ['Type', 'Annot'],
      ['Subtype', 'Widget'],
      ['FT', 'Sig'],
      ['T', new PdfString(Buffer.from(name), false)],
      ['V', value],
      ['Rect', [0, 0, 0, 0]],
      ['F', PRINTED_AND_LOCKED],
      ['P', page],
    ]),
  );
  const append = (list: Value): Value => [...(Array.isArray(list) ? list : []), field];
  objects.change(latest.root!, ['AcroForm', 'Fields'], append);
  objects.change(page, ['Annots'], append);
}

const PRINTED_AND_LOCKED = 132;

// --- Levels LT and LTA ---

function neededTimestamps({ timestamps, level }: Sealing): TimestampAuthority {
  if (timestamps) return timestamps;
  throw new SealingUnavailable(
    'timestamps',
    `Level ${level} requires a timestamp authority, but none is set.`,
    'Set a timestamp authority, or seal at level B.',
  );
}

function signerIn(token: Uint8Array) {
  const signed = signerOfToken(token);
  if (signed) return signed;
  throw new SealingUnavailable(
    'timestamps',
    'A timestamp does not contain the certificate of its authority.',
    'Use another timestamp authority.',
  );
}

async function validationData(certificate: Certificate, tokens: readonly Uint8Array[], sealing: Sealing) {
  const read = (all: readonly Uint8Array[]) => all.flatMap((der) => readCertificate(der) ?? []);
  const chains = [wholeChain(certificate, read(sealing.signer.certificates), 'the seal')];
  for (const token of tokens) {
    const { signer, certificates } = signerIn(token);
    const others = read(neededTimestamps(sealing).certificates);
    chains.push(wholeChain(signer, [...certificates, ...others], 'the timestamp authority'));
  }
  const certificates = unique(chains.flat().map(({ der }) => der));
  const lists = (await sealing.revocationLists?.(certificates)) ?? [];
  const at = epochMsOf(sealing.clock());
  const revocationLists = unique(chains.flatMap((chain) => listsFor(chain, lists, at)));
  return { certificates, revocationLists };
}

const unique = (all: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(all.map((der) => [Buffer.from(der).toString('latin1'), der])).values(),
];

async function stampDocument(pdf: Uint8Array, fieldName: string, sealing: Sealing) {
  const file = openForUpdate(pdf);
  const timestamps = neededTimestamps(sealing);
  const objects = new ChangedObjects(file);
  const stamp = objects.add(null);
  addInvisibleField(objects, file, fieldNamed(file, fieldName), stamp);
  let token: Uint8Array = new Uint8Array();
  const stamped = await appendSignature(
    file,
    {
      number: stamp.number,
      entries: [
        ['Type', '/DocTimeStamp'],
        ['Filter', '/Adobe.PPKLite'],
        ['SubFilter', '/ETSI.RFC3161'],
      ],
      others: objects.contents(),
      bytes: roomForToken(timestamps),
    },
    async (covered) => {
      token = await timestamps.timestamp(digestOf(timestamps.digest, ...covered));
      return token;
    },
  );
  return { pdf: stamped, token };
}
