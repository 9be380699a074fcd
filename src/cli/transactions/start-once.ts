// Starts a draft. After a lost answer it first finds out whether the draft was started.
import type { Connection } from '../connection/connection.ts';
import { sendOnce } from './send-once.ts';
import { startWhenChecked } from './start-when-checked.ts';

/** @returns the signing URL; undefined where the answer was lost and the draft was started */
export async function startOnce(
  connection: Connection,
  transactionId: string,
  note: (sentence: string) => void,
): Promise<string | undefined> {
  const answer = await sendOnce(connection, {
    transactionId,
    send: () => startWhenChecked(connection, transactionId, { note }),
    before: ['draft'],
    after: ['started', 'completed', 'rejected', 'expired', 'cancelled'],
    next: [
      { command: `esign tx show ${transactionId}`, when: 'to see whether it was started' },
      { command: `esign tx start ${transactionId}`, when: 'when it is still a draft' },
    ],
  });
  return answer?.url;
}
