// Makes the sealed documents of a transaction whose last recipient is submitting: the document engine stamps the values and
// appends the certificate, this process seals, and the bytes are durable before any row names them. It writes no row, and a
// process that is killed meanwhile leaves only files that the next sweep removes.
import { SEAL_FIELD } from '../../pdf/certificate/content.ts';
import { chainSteps, evidenceText } from '../../pdf/certificate/evidence.ts';
import { NOT_COMPARED, removedInWords, stampRemarkInWords } from '../../pdf/certificate/words.ts';
import { SealingUnavailable } from '../../pdf/sign/seal.ts';
import type { StampPlan } from '../../pdf/stamp/plan.ts';
import { type Completing, ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { Document, Field, SealedDocument, Transaction } from '../domain/transaction.ts';
import { stampedField } from '../rendering/stamped-field.ts';
import { findCompanyById, findUserById } from '../store/accounts.ts';
import type { Spooled } from '../store/blobs.ts';
import { type FileRow, filesWith } from '../store/files.ts';
import { readAskingMails } from '../store/mails.ts';
import { loadSource } from '../store/pdf-source.ts';
import { discardSealed } from '../store/sealed-documents.ts';
import { type AuditEntry, findSigning, listAudit, type Signing } from '../store/signing.ts';
import { certificateOf } from './certificate.ts';
import type { InTurn } from './company-queue.ts';
import { type EvidenceOrigin, evidenceSteps, factsOf, type StampedDocument } from './evidence.ts';
import { type MailEntry, mailEntriesOf } from './mail-entries.ts';
import { notStamped } from './not-stamped.ts';
import { sealedNames } from './sealed-names.ts';
import type { SealingSource } from './sealing-source.ts';
import type { ServiceSealing } from './service-sealing.ts';
import { SealNotValid, sealVerified } from './verified-seal.ts';

type Known = {
  origin: EvidenceOrigin;
  files: ReadonlyMap<string, FileRow>;
  audit: readonly AuditEntry[];
  mails: readonly MailEntry[];
  signings: ReadonlyMap<string, Signing>;
};

/** A document with its values, on disk until it is sealed. */
type Prepared = StampedDocument & { removed: readonly string[]; spooled: Spooled };

/**
 * `inTurn` runs work that takes memory in proportion to a document; `onNotValid` receives each seal that fails verification.
 */
export type SealOptions = {
  sealing: SealingSource;
  inTurn: InTurn;
  onNotValid: (fault: SealNotValid) => void;
};

export async function sealDocuments(
  context: RequestContext,
  { next: transaction, done }: Completing,
  { sealing, ...how }: SealOptions,
): Promise<Result<SealedDocument[]>> {
  const known = await loadFacts(context, transaction, done);
  const prepared: Prepared[] = [];
  try {
    for (const document of transaction.content.documents) {
      const stamped = await how.inTurn(() => stamp(context, transaction, document, known));
      if (!stamped.ok) return stamped;
      prepared.push(stamped.output);
    }
    return await sealAll(context, transaction, known, prepared, {
      ...(await sealing({ id: transaction.company_id, name: known.origin.company })),
      ...how,
    });
  } catch (error) {
    if (error instanceof SealingUnavailable)
      return refuse('sealing_unavailable', { why: error.message, way_out: error.wayOut });
    throw error;
  } finally {
    for (const { spooled } of prepared) await spooled.discard();
  }
}

async function loadFacts(
  context: RequestContext,
  { id, company_id, created_by_id, completed_at, content }: Transaction,
  done: readonly AuditEntry[],
): Promise<Known> {
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
      audit: [...(await listAudit(db, id)), ...done],
      mails: mailEntriesOf(
        await readAskingMails(db, id),
        context.isSandbox ? 'the mailbox of the sandbox' : 'the mailbox of the service',
        completed_at ?? context.now,
      ),
      signings,
    };
  });
}

// ── the values ──────────────────────────────────────────────────────────────────────────────────────────────────────

async function stamp(
  context: RequestContext,
  transaction: Transaction,
  document: Document,
  { files }: Known,
): Promise<Result<Prepared>> {
  const file = files.get(document.file.id);
  if (!file) throw new Error(`Document ${document.id} has no file.`);
  const { blobs } = context.store;
  const name = document.file.original_name;
  const source = await loadSource(context, { pdf_sha256: file.pdf_sha256, name });
  const fields = transaction.content.fields.filter(({ document_id }) => document_id === document.id);
  const plan: StampPlan = {
    fields: fields.flatMap(filledField),
    ...(document.remarks.some(({ code }) => code === 'already_signed') && { keepOriginal: { name } }),
  };
  const { company_id: owner } = transaction;
  const compared = await context.documents.stamp(source, { ...plan, isCompared: true }, owner);
  // A signature is not lost because pictures of it take too long: the certificate says that they were not compared.
  const isTooMuch = !compared.ok && compared.reason === 'too_complex';
  const stamped = isTooMuch ? await context.documents.stamp(source, plan, owner) : compared;
  if (!stamped.ok) return notStamped(stamped, name);
  if (stamped.differingPage !== undefined)
    return refuse('document_not_as_shown', { name, page: stamped.differingPage + 1 });
  const spooled = await blobs.spool(yieldBytes(stamped.pdf), Number.POSITIVE_INFINITY);
  if (spooled === 'too_large') throw new Error('A stamped document has no limit of size.');
  const content = { sha256: spooled.sha256, bytes: spooled.sizeBytes };
  return ok({
    document,
    file,
    content,
    removed: [
      ...stamped.removed.map(removedInWords),
      ...stamped.remarks.map(stampRemarkInWords),
      ...(isTooMuch ? [NOT_COMPARED] : []),
    ],
    spooled,
  });
}

function filledField(field: Field): StampPlan['fields'] {
  const { value, adoption } = field;
  if (value === null || value === '') return [];
  return [stampedField(field, value, adoption?.kind === 'typed' ? adoption.face : undefined)];
}

async function* yieldBytes(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

const refuseSeal = ({ isOfSeal, what }: SealNotValid, name: string) =>
  isOfSeal
    ? refuse('sealing_unavailable', {
        why: `The seal of "${name}" does not pass verification: ${what}.`,
        way_out: 'Check the key, the certificates and the timestamp authority with `esign doctor`.',
      })
    : refuse('document_not_sealable', {
        name,
        why: `the sealed document does not pass verification: ${what}`,
      });

// ── certificate and seal ────────────────────────────────────────────────────────────────────────────────────────────

async function sealAll(
  context: RequestContext,
  transaction: Transaction,
  { origin, audit, mails, signings }: Known,
  prepared: readonly Prepared[],
  { inTurn, onNotValid, ...sealing }: ServiceSealing & Omit<SealOptions, 'sealing'>,
): Promise<Result<SealedDocument[]>> {
  const { blobs } = context.store;
  const steps = evidenceSteps(transaction, audit, mails, origin);
  const evidence = evidenceText(chainSteps(factsOf(transaction, prepared, origin), steps));
  // One time for all documents, which the signature says to the second.
  const signedAt = sealing.clock();
  const { ownAuthority } = sealing;
  const sealed: Omit<SealedDocument, 'evidence_sha256'>[] = [];
  const names = sealedNames(prepared.map(({ document }) => document.file.original_name));
  let areAllSealed = false;
  try {
    for (const [index, { document, spooled }] of prepared.entries()) {
      const original = document.file.original_name;
      const source = { sha256: spooled.sha256, path: spooled.path, bytes: spooled.bytes };
      const certificate = certificateOf(
        { transaction, documents: prepared, audit, mails, steps, signings, origin, ownAuthority, signedAt },
        document.id,
      );
      const one = await inTurn(async (): Promise<Result<{ sha256: string; size_bytes: number }>> => {
        const certified = await context.documents.certify(
          source,
          certificate,
          evidence,
          transaction.company_id,
        );
        if (!certified.ok) return notStamped(certified, original);
        const pdf = await sealVerified(certified.pdf, SEAL_FIELD, { ...sealing, signedAt });
        if (!(pdf instanceof SealNotValid))
          return ok({ sha256: await blobs.put(pdf), size_bytes: pdf.length });
        onNotValid(pdf);
        return refuseSeal(pdf, original);
      });
      if (!one.ok) return one;
      sealed.push({
        id: context.facts.newId(),
        document_id: document.id,
        name: names[index] ?? original,
        ...one.output,
        created_at: context.now,
      });
    }
    const evidence_sha256 = await blobs.put(Buffer.from(evidence));
    areAllSealed = true;
    return ok(sealed.map((one) => ({ ...one, evidence_sha256 })));
  } finally {
    // Files that cannot be removed now are left to the next sweep.
    if (!areAllSealed) await discardSealed(context.store, transaction.id, sealed).catch(() => undefined);
  }
}
