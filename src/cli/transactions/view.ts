// A transaction as the commands show it. Everything is read leniently: a service may leave out what we expect.

import type { Field } from '../../api/contract/fields.ts';
import type { Document, Recipient, Transaction } from '../../api/contract/transactions.ts';
import type { Cell, Entry, Moment, RecordOutcome, Table, Tone } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import { documentRemarks, remarksIn, remarkTable } from './remarks.ts';

export type Ending = 'draft' | 'started' | 'completed' | 'rejected' | 'expired' | 'cancelled';

/** "cancelled" whenever it can be told (assumed: A10); a status we do not know is shown as it is. */
export const outcomeOf = (transaction: Transaction): Ending =>
  transaction.cancelled_at ? 'cancelled' : transaction.status;

export type Content = {
  name: string | undefined;
  recipients: Recipient[];
  documents: Document[];
  fields: Field[];
};

/** Documents and recipients in their order. */
export function contentOf(transaction: Transaction): Content {
  const template: Partial<Transaction['template']> | undefined = transaction.template;
  return {
    name: template?.name,
    recipients: inOrder(template?.recipients),
    documents: inOrder(template?.documents),
    fields: template?.fields ?? [],
  };
}

const inOrder = <T extends { index: number }>(items: readonly T[] = []): T[] =>
  [...items].sort((a, b) => a.index - b.index);

export const currentRecipient = (transaction: Transaction): Recipient | undefined =>
  contentOf(transaction).recipients.find((recipient) => recipient.is_current);

/** E-mail of whoever is asked to sign now. */
export const pendingIn = (transaction: Transaction): string | null =>
  outcomeOf(transaction) === 'started' ? (currentRecipient(transaction)?.email ?? null) : null;

/** The address at which the recipient whose turn it is signs, built from their token (assumed: A38). */
export function signingUrlOf(transaction: Transaction, appUrl: string | undefined): string | undefined {
  const token = transaction.status === 'started' ? currentRecipient(transaction)?.token : undefined;
  return token && appUrl
    ? `${appUrl.replace(/\/+$/, '')}/sign?token=${encodeURIComponent(token)}`
    : undefined;
}

export const documentName = (document: Document): string => document.file?.original_name ?? document.id;

/** The object that `tx send`, `update`, `start`, `cancel` print. */
export function summaryJson(transaction: Transaction, connection: Connection, url: string | undefined) {
  const { name, recipients, documents } = contentOf(transaction);
  const current = currentRecipient(transaction);
  return {
    id: transaction.id,
    name,
    status: transaction.status,
    outcome: outcomeOf(transaction),
    profile: connection.profile,
    ...(url !== undefined && { url }),
    ...(current && { recipient: { name: current.name, email: current.email } }),
    documents: documents.map((document) => ({
      id: document.id,
      name: documentName(document),
      pages: document.pages?.length ?? null,
      remarks: remarksIn(document),
    })),
    recipients: recipients.map(
      ({ id, role, name, email, index, is_current, opened_at = null, submitted_at }) => ({
        id,
        role,
        name,
        email,
        index,
        is_current,
        opened_at,
        submitted_at,
      }),
    ),
  };
}

export const moment = (instant: string | null | undefined): Moment | undefined =>
  instant ? { instant } : undefined;

export const person = ({ name, email }: { name: string; email: string }): string => `${name} <${email}>`;

type Standing = { words: string; mark: string; tone: Tone };

/** Marks are read without colour as well: done, asked now, still to come, not going to happen. */
function standingOf(recipient: Recipient, transaction: Transaction, fields: readonly Field[]): Standing {
  const outcome = outcomeOf(transaction);
  if (recipient.submitted_at) return { words: 'signed', mark: '✓', tone: 'good' };
  if (recipient.is_current && outcome === 'started')
    return { words: askedNow(recipient), mark: '›', tone: 'now' };
  const acts = recipient.role !== 'sender' || fields.some((field) => field.recipient_id === recipient.id);
  if (!acts) return { words: 'sends', mark: '·', tone: 'quiet' };
  if (outcome === 'draft') return { words: 'not started', mark: '·', tone: 'quiet' };
  if (outcome === 'started') return { words: 'waiting', mark: '·', tone: 'quiet' };
  return recipient.is_current && outcome === 'rejected'
    ? { words: 'rejected', mark: '✗', tone: 'bad' }
    : { words: 'not signed', mark: '✗', tone: 'bad' };
}

/** The one who is asked; a service that does not know when a page was opened says nothing of it. */
const askedNow = ({ opened_at }: Recipient): string =>
  opened_at ? 'asked to sign now, opened' : 'asked to sign now';

/** For a pipe: `2026-11-20T10:00:00.000Z` → `2026-11-20 10:00:00 UTC`. */
const utc = (instant: string): string => instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

function standingInPipe(recipient: Recipient, outcome: Ending): string {
  if (recipient.submitted_at) return `signed ${utc(recipient.submitted_at)}`;
  if (recipient.is_current)
    return `${askedNow(recipient)}${recipient.opened_at ? ` ${utc(recipient.opened_at)}` : ''}`;
  const standing: Record<string, string> = { draft: 'not started', started: 'waiting' };
  return recipient.role === 'sender' ? '' : (standing[outcome] ?? '');
}

/** The tables about a transaction that go into a pipe. */
export function transactionTables(transaction: Transaction): NonNullable<RecordOutcome['tables']> {
  const { recipients, documents } = contentOf(transaction);
  const outcome = outcomeOf(transaction);
  return [
    {
      key: 'recipient',
      columns: ['RECIPIENT', 'E-MAIL', 'ROLE', 'STANDING'],
      rows: recipients.map((recipient) => [
        recipient.name,
        recipient.email,
        recipient.role,
        standingInPipe(recipient, outcome),
      ]),
    },
    {
      key: 'document',
      columns: ['DOCUMENT', 'PAGES', 'ID'],
      rows: documents.map((document) => [documentName(document), document.pages?.length, document.id]),
    },
    remarkTable(documentRemarks(documents)),
  ];
}

/** The tables a person reads: who has signed and who is asked, in their order; what is signed. */
export function peopleTables(transaction: Transaction): Table[] {
  const { recipients, documents, fields } = contentOf(transaction);
  const standings = recipients.map((recipient) => standingOf(recipient, transaction, fields));
  const hasProxy = recipients.some(({ role }) => role === 'proxy');
  const has = (id: string) => fields.filter((field) => field.recipient_id === id).length;
  return [
    {
      columns: ['', 'RECIPIENT', 'E-MAIL', 'STANDING', 'FIELDS', ...(hasProxy ? ['ROLE'] : [])],
      rows: recipients.map(({ id, name, email, role }, index): Cell[] => [
        standings[index]?.mark,
        name,
        email,
        standings[index]?.words,
        has(id) || '',
        ...(hasProxy ? [role] : []),
      ]),
      tones: standings.map(({ tone }) => tone),
    },
    {
      columns: ['DOCUMENT', 'PAGES', 'ID'],
      rows: documents.map((document) => [documentName(document), document.pages?.length, document.id]),
    },
  ];
}

const TONES: Record<string, Tone> = {
  draft: 'quiet',
  started: 'now',
  completed: 'good',
  rejected: 'bad',
  expired: 'bad',
  cancelled: 'bad',
};

export const toneOf = (outcome: string): Tone | undefined => TONES[outcome];

export type SummaryOptions = {
  url?: string | undefined;
  headline?: string;
  entries?: readonly Entry[];
  json?: object;
};

/** One page, one set of lines and one object about a transaction that a command has just changed. */
export function summaryOutcome(
  transaction: Transaction,
  connection: Connection,
  options: SummaryOptions = {},
): RecordOutcome {
  const { url, headline, entries = [], json } = options;
  const current = currentRecipient(transaction);
  return {
    kind: 'record',
    json: { ...summaryJson(transaction, connection, url), ...json },
    ...(headline !== undefined && { headline }),
    entries: [
      { key: 'id', label: 'Transaction', value: transaction.id },
      { key: 'name', label: 'Name', value: contentOf(transaction).name },
      { key: 'status', value: transaction.status },
      {
        key: 'outcome',
        label: 'Status',
        value: outcomeOf(transaction),
        tone: toneOf(outcomeOf(transaction)),
      },
      { key: 'profile', value: connection.profile },
      ...entries,
      { key: 'current', label: 'Asked to sign now', value: current && person(current) },
      { key: 'url', label: 'Address', value: url },
    ],
    tables: transactionTables(transaction),
    pageTables: peopleTables(transaction),
  };
}
