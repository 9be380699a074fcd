// `tx show`: the object as it came for programs, a page for a person.
import type { Transaction } from '../../api/contract/transactions.ts';
import type { RecordOutcome } from '../outcome.ts';
import {
  contentOf,
  currentRecipient,
  outcomeOf,
  person,
  readableTime,
  signingUrlOf,
  transactionTables,
} from './transaction.ts';

export function transactionPage(transaction: Transaction, appUrl: string | undefined): RecordOutcome {
  const { name, fields } = contentOf(transaction);
  const current = currentRecipient(transaction);
  const reason = transaction.cancelled_reason ?? transaction.rejected_reason;
  const time = (key: string, label: string, value: string | null | undefined) => ({
    key,
    label,
    value,
    shown: readableTime(value),
  });
  const times = [
    time('created_at', 'Created', transaction.created_at),
    time('sent_at', 'Sent', transaction.sent_at),
    time('completed_at', 'Completed', transaction.completed_at),
    time('rejected_at', 'Rejected', transaction.rejected_at),
    time('cancelled_at', 'Cancelled', transaction.cancelled_at),
    time('expired_at', 'Expired', transaction.expired_at),
    time('expires_at', 'Expires', transaction.status === 'started' ? transaction.expires_at : undefined),
  ];
  return {
    kind: 'record',
    json: transaction,
    ...(name !== undefined && { headline: name }),
    entries: [
      { key: 'id', label: 'Transaction', value: transaction.id },
      { key: 'name', value: name },
      { key: 'status', value: transaction.status },
      { key: 'outcome', label: 'Status', value: outcomeOf(transaction) },
      { key: 'reason', label: 'Reason', value: reason },
      ...times,
      { key: 'current', label: 'Asked to sign now', value: current && person(current) },
      { key: 'url', label: 'Address', value: signingUrlOf(transaction, appUrl) },
      { key: 'fields', label: 'Fields', value: fields.length },
    ],
    tables: transactionTables(transaction),
  };
}
