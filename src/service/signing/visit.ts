// Finds the recipient of a signing page and their situation by the token of their address, which stays known after it is no
// longer good for signing. It never permits a change: that is for `find-turn.ts`.
import type { RequestContext } from '../context.ts';
import { isDue } from '../domain/end.ts';
import type { Recipient, Transaction } from '../domain/transaction.ts';
import { type Company, findCompanyById } from '../store/accounts.ts';
import { hashSecret } from '../store/keys.ts';
import {
  type AuditEntry,
  findLink,
  findSigning,
  isAudited,
  markOpened,
  type Signing,
} from '../store/signing.ts';
import { loadTransaction } from '../store/transactions.ts';
import { writeAudit } from './audit.ts';
import { withCurrentDay } from './fill.ts';
import type { Turn } from './find-turn.ts';
import type { LinkDetails } from './link-details.ts';

/** `awaiting_signature`: it is their turn. `signed`: they have submitted, and others are asked. */
export type Situation = 'awaiting_signature' | 'signed' | 'completed' | 'rejected' | 'cancelled' | 'expired';

export type Visit = Turn & {
  situation: Situation;
  signing: Signing;
  /** The sender's. */
  company: Company;
};

export async function findVisit(context: RequestContext, token: string): Promise<Visit | undefined> {
  const { keys } = context.store;
  return context.read(async (db) => {
    const link = await findLink(db, token);
    const transaction = link && (await loadTransaction(db, keys, { id: link.transaction_id }));
    const recipient = transaction?.content.recipients.find(({ id }) => id === link?.recipient_id);
    if (!transaction || !recipient) return undefined;
    const company = await findCompanyById(db, transaction.company_id);
    if (!company) throw new Error(`There is no company ${transaction.company_id}.`);
    const signing = await findSigning(db, keys, recipient.id, context.now);
    const shown = isDue(transaction, context.now)
      ? { ...transaction, status: 'expired' as const, expired_at: transaction.expires_at }
      : transaction;
    const turn = { transaction: shown, recipient };
    const situation = situationOf(shown, recipient, token);
    const isOpen = situation === 'awaiting_signature';
    return {
      ...turn,
      situation,
      signing: isOpen ? withCurrentDay(context, turn, signing) : signing,
      company,
    };
  });
}

function situationOf({ status }: Transaction, recipient: Recipient, token: string): Situation {
  if (status === 'started')
    return recipient.is_current && recipient.token === token ? 'awaiting_signature' : 'signed';
  // A recipient with a link was asked once, and a draft has no links.
  if (status === 'draft') throw new Error('A draft has no signing links.');
  return status;
}

/**
 * Whether the link still shows the documents. What was cancelled, rejected or has expired is not readable by the links that
 * were sent for it: an old email in the wrong hands shows nothing.
 */
export const isReadable = ({ situation }: Pick<Visit, 'situation'>): boolean =>
  situation === 'awaiting_signature' || situation === 'signed' || situation === 'completed';

/**
 * Recorded the first time, and again for each other address and browser. A program that follows links, such as a mail scanner, opens a
 * link as a person does: the record says no more than that the link was opened.
 */
export async function recordOpened(context: RequestContext, visit: Visit, link: LinkDetails): Promise<void> {
  const { address, browser } = context.visitor;
  const way = Object.values(link).join(' ');
  const subject = hashSecret(`${address} ${browser}${way === '' ? '' : ` ${way}`}`);
  const opened: Once = { type: 'opened', subject, details: link };
  if (await isRecorded(context, visit, opened)) return;
  await context.commit(
    async (db) => {
      await context.store.database.lockRow(db, 'transaction', visit.transaction.id);
      await markOpened(db, visit.recipient.id, context.now);
      await writeAudit(context, db, visit, [opened]);
      return { ok: true, output: undefined };
    },
    [visit.transaction.id],
    'locked',
  );
}

type Once = Pick<AuditEntry, 'type' | 'subject'> & { details?: Record<string, string | null> };

const isRecorded = (context: RequestContext, { recipient }: Visit, done: Once): Promise<boolean> =>
  context.read((db) => isAudited(db, { recipient_id: recipient.id, ...done }));
