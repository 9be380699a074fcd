// The tables of topics that are listed from the code, by the name that a topic has for them.

import type { EventType } from '../../../api/contract/events.ts';
import type { Operation } from '../../../api/contract/operation.ts';
import { API_OPERATIONS, ASSUMED_ROUTES } from '../../../api/contract/operations.ts';
import { EXIT_MEANINGS } from '../../command/exit-codes.ts';
import type { Tree } from '../../command/tree.ts';
import { ASSUMED_POINTS } from '../assumed-points.ts';
import { describeTree } from '../describe.ts';
import { globalOptionRows } from '../option-rows.ts';
import { errorsOfEsign, errorsOfTheService } from './error-codes.ts';
import type { TermRow } from './read-topic.ts';

export const TABLES: Readonly<Record<string, (tree: Tree) => readonly TermRow[] | Promise<TermRow[]>>> = {
  assumptions: () => assumptions(),
  'errors-of-esign': async () => errorsOfEsign(),
  'errors-of-the-service': async () => errorsOfTheService(),
  'event-types': () => Object.entries(EVENT_MEANINGS),
  'exit-codes': () => EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
  operations: async () => operationRows(API_OPERATIONS),
  options: globalOptionRows,
  shapes: async (tree) =>
    (await describeTree(tree)).map(({ path, json }) => [`esign ${path.join(' ')}`, json]),
};

/** The rows follow the life of a transaction. */
const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  transaction_created: 'A draft was created',
  transaction_started: 'A draft was started, and the first recipient is asked to sign',
  recipient_submitted: 'A recipient has signed',
  transaction_completed: 'Everyone has signed, and the documents are sealed',
  transaction_rejected: 'A recipient has rejected the transaction',
  transaction_expired: 'The transaction has expired before everyone signed',
  transaction_cancelled: 'The sender has cancelled the transaction',
};

const assumptions = (): TermRow[] =>
  Object.entries(ASSUMED_POINTS).map(([number, { about, choice }]) => [
    number,
    `${about}. ${sentence(choice)}`,
  ]);

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const operationRows = (operations: Readonly<Record<string, Operation>>): TermRow[] =>
  Object.entries(operations).map(([id, operation]) => {
    const isAssumed = Object.hasOwn(ASSUMED_ROUTES, id);
    return [id, `${operation.method} ${operation.path}${isAssumed ? ' (assumed)' : ''}`];
  });
