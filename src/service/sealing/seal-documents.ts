// Makes the sealed documents of a transaction whose last recipient is submitting: the document engine stamps the values and
// appends the certificate, this process seals, and the bytes are durable before any row names them. It writes no row, and a
// process that is killed meanwhile leaves only files that the next sweep removes.
import { distinctNames } from '../../api/contract/files.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { SealingUnavailable } from '../../pdf/sign/seal.ts';
import { SEAL_FIELD } from '../../pdf/write/certificate/content.ts';
import { chainSteps, evidenceText } from '../../pdf/write/certificate/evidence.ts';
import { NOT_COMPARED, removedInWords, stampRemarkInWords } from '../../pdf/write/certificate/words.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { Document, SealedDocument, Transaction } from '../domain/transaction.ts';
import { findCompanyById, findUserById } from '../store/accounts/accounts.ts';
import type { Spooled } from '../store/blobs/blobs.ts';
import { readAskingMails } from '../store/delivery/mails.ts';
import { type FileRow, filesWith } from '../store/documents/files.ts';
import { discardSealed } from '../store/documents/sealing.ts';
import { type AuditEntry, findSigning, listAudit, type Signing } from '../store/transactions/signing.ts';
import { certificateOf } from './certificate.ts';
import type { ServiceSealing } from './embedded-sealing.ts';
import {
  type EvidenceOrigin,
  evidenceSteps,
  factsOf,
  type MailEntry,
  mailEntriesOf,
  type StampedDocument,
} from './evidence.ts';
import type { InTurn } from './fair-queue.ts';
import { notStamped, stampValues } from './stamp.ts';
import { SealNotValid, sealVerified } from './verified-seal.ts';

/**
 * @param transaction as it will be when it is completed
 * @param signed the entry of the record that the same commit will write
 * @param inTurn runs work that takes memory in proportion to a document
 */
export async function sealDocuments(
  context: RequestContext,
  transaction: Transaction,
  signed: AuditEntry,
  inTurn: InTurn,
): Promise<Result<SealedDocument[]>> {
  const { observer, source } = context.sealing;
  const { end } = observer.begin({ kind: 'sealing' }, context.trace);
  const stamped: Stamped[] = [];
  let isOk = false;
  try {
    const sources = await loadSources(context, transaction, signed);
    for (const document of transaction.content.documents) {
      const result = await inTurn(() => stamp(context, transaction, document, sources));
      if (!result.ok) return result;
      stamped.push(result.output);
    }
    const sealing = await source({ id: transaction.company_id, name: sources.origin.company });
    const sealed = await sealAll(context, transaction, sources, stamped, sealing, inTurn);
    isOk = sealed.ok;
    return sealed;
  } catch (error) {
    if (error instanceof SealingUnavailable)
      return refuse('sealing_unavailable', { why: error.message, way_out: error.wayOut });
    throw error;
  } finally {
    try {
      for (const { spooled } of stamped) await spooled.discard();
    } finally {
      end({ kind: 'sealing', isOk });
    }
  }
}

type Sources = {
  origin: EvidenceOrigin;
  files: ReadonlyMap<string, FileRow>;
  audit: readonly AuditEntry[];
  mails: readonly MailEntry[];
  signings: ReadonlyMap<string, Signing>;
};

/** The document has its values, and is on disk until it is sealed. */
type Stamped = StampedDocument & { removed: readonly string[]; spooled: Spooled };

async function loadSources(
  context: RequestContext,
  { id, company_id, created_by_id, completed_at, content }: Transaction,
  signed: AuditEntry,
): Promise<Sources> {
  const { keys } = context.store;
  return context.read(async (db) => {
    const files = await filesWith(
      db,
      content.documents.map(({ file }) => file.id),
    );
    const signings = new Map<string, Signing>();
    for (const recipient of content.recipients)
      signings.set(recipient.id, await findSigning(db, keys, recipient.id, context.now));
    const company = await findCompanyById(db, company_id);
    const creator = await findUserById(db, created_by_id);
    return {
      origin: {
        company: company?.name ?? '',
        service: context.origin,
        creator: creator ? `${creator.name} <${creator.email}>` : created_by_id,
      },
      files: new Map(files.map((file) => [file.id, file])),
      audit: [...(await listAudit(db, id)), signed],
      mails: mailEntriesOf(
        await readAskingMails(db, id),
        context.isSandbox ? 'the mailbox of the sandbox' : 'the mailbox of the service',
        completed_at ?? context.now,
      ),
      signings,
    };
  });
}

// --- Values ---

async function stamp(
  context: RequestContext,
  transaction: Transaction,
  document: Document,
  { files }: Sources,
): Promise<Result<Stamped>> {
  const file = files.get(document.file.id);
  if (!file) throw new Error(`Document ${document.id} has no file.`);
  const stamped = await stampValues(context, transaction, document, file);
  if (!stamped.ok) return stamped;
  const { pdf, removed, remarks, isCompared } = stamped.output;
  const spooled = await context.store.blobs.spool(yieldBytes(pdf), Number.POSITIVE_INFINITY);
  if (spooled === 'too_large') throw new Error('A stamped document has no limit of size.');
  return ok({
    document,
    file,
    content: { sha256: spooled.sha256, bytes: spooled.sizeBytes },
    removed: [
      ...removed.map(removedInWords),
      ...remarks.map(stampRemarkInWords),
      ...(isCompared ? [] : [NOT_COMPARED]),
    ],
    spooled,
  });
}

async function* yieldBytes(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

// --- Certificate and seal ---

async function sealAll(
  context: RequestContext,
  transaction: Transaction,
  { origin, audit, mails, signings }: Sources,
  documents: readonly Stamped[],
  sealing: ServiceSealing,
  inTurn: InTurn,
): Promise<Result<SealedDocument[]>> {
  const { blobs } = context.store;
  const steps = evidenceSteps(transaction, audit, mails, origin);
  const evidence = evidenceText(chainSteps(factsOf(transaction, documents, origin), steps));
  // All documents state one time, which the signature says to the second.
  const signedAt = sealing.clock();
  const { ownAuthority } = sealing;
  const certificateSources = {
    transaction,
    documents,
    audit,
    mails,
    steps,
    signings,
    origin,
    ownAuthority,
    signedAt,
  };
  const sealed: Omit<SealedDocument, 'evidence_sha256'>[] = [];
  const names = sealedNames(documents.map(({ document }) => document.file.original_name));
  let areAllSealed = false;
  try {
    for (const [index, { document, spooled }] of documents.entries()) {
      const name = document.file.original_name;
      const certificate = certificateOf(certificateSources, document.id);
      const result = await inTurn(async (): Promise<Result<{ sha256: string; size_bytes: number }>> => {
        const { sha256, path, bytes } = spooled;
        const certified = await context.documents.certify(
          { sha256, path, bytes },
          certificate,
          evidence,
          transaction.company_id,
        );
        if (!certified.ok) return notStamped(certified, name);
        const pdf = await sealVerified(certified.pdf, SEAL_FIELD, { ...sealing, signedAt });
        if (!(pdf instanceof SealNotValid))
          return ok({ sha256: await blobs.put(pdf), size_bytes: pdf.length });
        context.sealing.onError(pdf, `transaction ${transaction.id}`);
        return refuseSeal(pdf, name);
      });
      if (!result.ok) return result;
      sealed.push({
        id: context.newId(),
        document_id: document.id,
        name: names[index]!,
        ...result.output,
        created_at: context.now,
      });
    }
    const evidence_sha256 = await blobs.put(Buffer.from(evidence));
    areAllSealed = true;
    return ok(sealed.map((document) => ({ ...document, evidence_sha256 })));
  } finally {
    // Files that cannot be removed now are left to the next sweep.
    if (!areAllSealed) await discardSealed(context.store, transaction.id, sealed).catch(() => undefined);
  }
}

const refuseSeal = ({ isOfSeal, problem }: SealNotValid, name: string) =>
  isOfSeal
    ? refuse('sealing_unavailable', {
        why: `The seal of "${name}" does not pass verification: ${problem}.`,
        way_out: 'Check the key, the certificates and the timestamp authority with `esign doctor`.',
      })
    : refuse('document_not_sealable', {
        name,
        why: `the sealed document does not pass verification: ${problem}`,
      });

// --- Names ---

const ENDING = '.sealed.pdf';

/**
 * Names sealed documents: they have the names of the files that were sent, as PDFs, and no two of a transaction are the
 * same.
 * @param originals the names of the files, in the order of their documents
 */
export const sealedNames = (originals: readonly string[]): string[] =>
  distinctNames(originals.map(withoutEnding), (name, number) => shortened(name, `-${number}`)).map(
    (name) => `${name}${ENDING}`,
  );

const withoutEnding = (original: string): string =>
  shortened(original.replace(/\.(pdf|docx|png|jpe?g|webp|gif|tiff?|bmp)$/i, ''), '');

/** Cuts a name before its end, so that name and ending are not too long. */
const shortened = (name: string, end: string): string =>
  [...name].slice(0, LIMITS.fileNameLength - ENDING.length - end.length).join('') + end;
