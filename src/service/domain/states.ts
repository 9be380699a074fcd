// Has the one table state × command (spec §3; assumed: A10–A17), which says where a command leads from a state, or that it
// is refused. It is rendered in the documents and is the oracle of the model test.
import { type Refusal, refusal } from '../../api/contract/problems.ts';
import type { Status, Transaction } from './transaction.ts';

export type StateCommand = 'edit' | 'start' | 'submit' | 'submit_last' | 'reject' | 'cancel' | 'expire';

/** A state that is missing in a row refuses the command. Ended states appear nowhere: they never change (A17). */
export const NEXT_STATE: Record<StateCommand, Partial<Record<Status, Status>>> = {
  edit: { draft: 'draft' },
  start: { draft: 'started' },
  submit: { started: 'started' },
  submit_last: { started: 'completed' },
  reject: { started: 'rejected' },
  cancel: { started: 'cancelled' },
  expire: { started: 'expired' },
};

const DONE_TO_IT = {
  submit: 'signed',
  submit_last: 'signed',
  reject: 'rejected',
  cancel: 'cancelled',
  expire: 'expired',
} as const satisfies Record<Exclude<StateCommand, 'edit' | 'start'>, string>;

/** Finds the state after the command, or why it is refused, with the state in the message. */
export function nextState(
  transaction: Transaction,
  command: StateCommand,
): { ok: true; status: Status } | { ok: false; refusal: Refusal } {
  const status = NEXT_STATE[command][transaction.status];
  if (status) return { ok: true, status };
  const details = { id: transaction.id, status: transaction.status };
  if (command === 'edit' || command === 'start')
    return { ok: false, refusal: refusal('transaction_not_draft', details) };
  return {
    ok: false,
    refusal: refusal('transaction_not_started', { ...details, action: DONE_TO_IT[command] }),
  };
}
