// Writes the certificate pages of a sealed document, in the words of `pdf/certificate`: who did what and when.

import { recordedRemark } from '../../api/contract/documents.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { colorValueOf } from '../../api/contract/recipients.ts';
import { epochMsOf, type Instant } from '../../common/instant.ts';
import type { CertificateContent } from '../../pdf/write/certificate/content.ts';
import { type EvidenceStep, identificationOf } from '../../pdf/write/certificate/evidence.ts';
import { identificationInWords, takenInWords } from '../../pdf/write/certificate/words.ts';
import {
  isDateOfSigning,
  isOfSender,
  labelOrTypeName,
  writtenValue,
  zoneOfSigning,
} from '../domain/known-value.ts';
import type { Field, Recipient, Transaction } from '../domain/transaction.ts';
import { type AuditEntry, LAST_AT, type Signing, UNSHOWN_TEXT } from '../store/transactions/signing.ts';
import { type EvidenceOrigin, type MailEntry, mergeByTime, type StampedDocument } from './evidence.ts';

export type CertificateSources = {
  transaction: Transaction;
  documents: readonly (StampedDocument & { removed: readonly string[] })[];
  audit: readonly AuditEntry[];
  mails: readonly MailEntry[];
  steps: readonly EvidenceStep[];
  signings: ReadonlyMap<string, Signing>;
  origin: EvidenceOrigin;
  /** The service issued these for the seal itself; undefined where a key from outside seals. */
  ownAuthority: CertificateContent['ownAuthority'];
  /** The signature states this as the time when it was made, by the clock of the machine. */
  signedAt: Instant;
};

/** A last signature may wait so long for its turn to be sealed, and for a timestamp authority. */
const NOTICEABLE_MS = 5 * 60 * 1000;

type Party = CertificateContent['parties'][number];
type CertificateStep = Party['steps'][number];

/** @param documentId which of the documents the certificate is appended to */
export function certificateOf(sources: CertificateSources, documentId: string): CertificateContent {
  const { transaction, documents, origin, ownAuthority, signedAt } = sources;
  const { id, created_at, sent_at, completed_at, content } = transaction;
  const completedAt = completed_at ?? created_at;
  return {
    transaction: {
      id,
      name: content.name,
      company: origin.company,
      createdAt: created_at,
      sentAt: sent_at,
      completedAt,
      sealedAt: signedAt,
      ...(isNoticeablyApart(completedAt, signedAt) && { isOtherClock: true }),
      service: origin.service,
    },
    documentId,
    documents: documents.map(({ document, file, content: stamped, removed }) => ({
      id: document.id,
      name: document.file.original_name,
      pages: document.pages.length,
      originalSha256: file.original_sha256,
      ...(document.preparation && { preparation: document.preparation }),
      contentSha256: stamped.sha256,
      remarks: document.remarks.map(recordedRemark),
      removed: [...removed],
    })),
    parties: [...content.recipients]
      .sort((a, b) => a.index - b.index)
      .map((recipient) => partyOf(recipient, sources)),
    ...(ownAuthority && { ownAuthority }),
    link: `${origin.service}/transactions/${id}`,
  };
}

const isNoticeablyApart = (a: Instant, b: Instant): boolean =>
  Math.abs(epochMsOf(a) - epochMsOf(b)) > NOTICEABLE_MS;

function partyOf(
  { id, name, email, role, index, color, submitted_at }: Recipient,
  sources: CertificateSources,
): Party {
  const signing = sources.signings.get(id);
  const { consent_version, consent_hash, time_zone } = signing ?? {};
  const fields = sources.transaction.content.fields.filter(({ recipient_id }) => recipient_id === id);
  return {
    name,
    email,
    role,
    index,
    color: colorValueOf(color),
    marks: marksOf(fields),
    values: fields.flatMap((field) => certifiedValues(field, signing, sources)),
    signedAt: submitted_at,
    ...(consent_version && consent_hash && { consent: { version: consent_version, hash: consent_hash } }),
    ...identifiedBy(sources.steps, { id, email }),
    steps: mergeByTime(
      stepsOf(
        sources.audit.filter(({ recipient_id }) => recipient_id === id),
        time_zone ?? null,
      ),
      mailSteps(sources.mails.filter(({ person_id }) => person_id === id)),
    ),
  };
}

function identifiedBy(
  steps: readonly EvidenceStep[],
  { id, email }: Pick<Recipient, 'id' | 'email'>,
): Pick<Party, 'identifiedBy'> {
  const signed = steps.find(({ type, person_id }) => type === 'signed' && person_id === id);
  if (!signed) return {};
  const { user } = signed.details;
  const words = identificationInWords(identificationOf(signed, steps), email);
  return { identifiedBy: user ? `${words}: ${user}` : words };
}

/** Lists adopted signatures in the order of the fields; one that stands in ten fields is shown once. */
function marksOf(fields: readonly Field[]): Party['marks'] {
  const marks = new Map<string, Party['marks'][number]>();
  for (const kind of ['signature', 'initials'] as const)
    for (const { type, value, adoption } of fields) {
      if (type !== kind || !adoption || value === null) continue;
      const mark = { mark: kind, value, ...adoption };
      marks.set(JSON.stringify(mark), mark);
    }
  return [...marks.values()];
}

function certifiedValues(
  field: Field,
  signing: Signing | undefined,
  sources: CertificateSources,
): Party['values'] {
  const { type, value, page } = field;
  if (value === null || value === '') return [];
  const { documents } = sources;
  const source = documents.find(({ document }) => document.id === field.document_id);
  const name = documents.length > 1 ? source?.document.file.original_name : undefined;
  const place = {
    label: labelOrTypeName(field),
    page: page + 1,
    ...(name !== undefined && { document: name }),
  };
  const kind = field.adoption?.kind;
  if (kind && (type === 'signature' || type === 'initials')) return [{ ...place, mark: type, kind }];
  return [{ ...place, text: wordOf(field, value), ...sourceOf(field, value, signing) }];
}

/** Says who has filled in a field, where it was not the recipient. */
function sourceOf(
  field: Field,
  value: string,
  signing: Signing | undefined,
): Pick<Party['values'][number], 'filledInBy'> {
  if (isOfSender(field, value)) return { filledInBy: 'sender' };
  if (!isDateOfSigning(field)) return {};
  return { filledInBy: { timeZone: zoneOfSigning(signing?.time_zone ?? null) } };
}

const wordOf = (field: Field, value: string): string => {
  if (field.type !== 'checkbox') return writtenValue(field, value);
  return value === 'true' ? 'Checked' : 'Not checked';
};

/** Makes a line for each page that was in view, and for each kind of other things that were done from one place. */
function stepsOf(audit: readonly AuditEntry[], timeZone: string | null): CertificateStep[] {
  const inView = new Set(audit.filter(({ type }) => type === 'page_in_view').map(({ subject }) => subject));
  // A page that was in view was delivered: the evidence has both.
  const listed = audit.filter(({ type, subject }) => type !== 'page_delivered' || !inView.has(subject));
  const groups = new Map<string, AuditEntry[]>();
  let pages = 0;
  for (const entry of listed) {
    const { type, subject } = entry;
    const { address = null, browser = null, document = null, form = null } = entry.details;
    if (type === 'page_in_view') pages += 1;
    const page = type === 'page_in_view' && pages <= LIMITS.pagesInViewCertified ? subject : null;
    const key = JSON.stringify([type, address, browser, document, form, page]);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  let before: string | null = null;
  return [...groups.values()].map((entries): CertificateStep => {
    const [first] = entries as [AuditEntry, ...AuditEntry[]];
    const { address = null, browser = null } = first.details;
    // The long name of a browser is written only where it changes; the evidence has it for each entry.
    const shownBrowser = browser === before ? null : browser;
    before = browser;
    const until = entries
      .map(({ created, details }) => details[LAST_AT] ?? created)
      .sort()
      .at(-1);
    const origin = [address, shownBrowser].filter((line) => line !== null);
    return { at: first.created, until, action: sentenceOf(first, entries), origin, timeZone };
  });
}

/** Makes a line for each email, with the answer of the mail server. */
function mailSteps(entries: readonly MailEntry[]): CertificateStep[] {
  const written = entries.filter(({ type }) => type === 'email_written' || type === 'email_kept');
  const listed = written.slice(0, LIMITS.emailsCertified);
  const others = written.length - listed.length;
  const steps = listed.map((entry): CertificateStep => {
    const { kind, to, kept_in, mail_id } = entry.details;
    const name = `${kind === 'reminder' ? 'Reminder' : 'Invitation'} to ${to}`;
    const outcome = entries.find(
      ({ type, details }) => type !== 'email_written' && type !== 'email_kept' && details.mail_id === mail_id,
    );
    const step = (action: string, origin: (string | null | undefined)[]): CertificateStep => ({
      at: entry.at,
      action,
      origin: origin.flatMap((line) => line || []),
      timeZone: null,
    });
    if (entry.type === 'email_kept')
      return step(`${name} written, and kept in ${kept_in}`, ['No mail server was asked']);
    if (!outcome)
      return step(`${name} written`, ['No mail server had taken it when the transaction was completed']);
    const { server, answer, reason } = outcome.details;
    if (outcome.type === 'email_accepted')
      return step(`${name} sent by email`, [takenInWords(server ?? null, outcome.at), answer]);
    if (outcome.type === 'email_failed') return step(`${name} was not delivered`, [server, reason]);
    return step(`${name} was not sent`, [reason]);
  });
  const last = written.at(-1);
  if (others === 0 || !last) return steps;
  const action = others === 1 ? '1 more reminder' : `${others} more reminders`;
  return [...steps, { at: last.at, action, origin: ['Listed in the attached record'], timeZone: null }];
}

function sentenceOf({ type, details }: AuditEntry, all: readonly AuditEntry[]): string {
  switch (type) {
    case 'opened':
      return 'Signing link opened';
    case 'consented':
      return 'Agreed to sign electronically';
    case 'page_delivered':
      return `${pagesOf(all)} of ${details.document ?? 'a document'} delivered${details.form === 'text' ? ' as text' : ''}`;
    case 'page_in_view':
      return `${pagesOf(all)} of ${details.document ?? 'a document'} in view`;
    case 'filled':
      return all.length === 1 ? 'Filled in a field' : `Filled in ${all.length} fields`;
    case 'signed':
      if (details.by === 'sandbox sign') return 'Signed with a command of the sandbox';
      return UNSHOWN_TEXT in details
        ? 'Confirmed knowing of text that the pages do not show, and signed'
        : 'Signed';
    case 'rejected':
      return 'Rejected';
  }
}

/** Writes numbers of pages as `Page 2` or `Pages 1–3 and 7`. */
function pagesOf(entries: readonly AuditEntry[]): string {
  const numbers = [...new Set(entries.map(({ details }) => Number(details.page)))].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const named = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const listed = named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join();
  return `${numbers.length === 1 ? 'Page' : 'Pages'} ${listed}`;
}
