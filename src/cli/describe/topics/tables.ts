// The tables of topics that are listed from the code, by the name that a topic has for them.

import { ASSUMED_ROUTES } from '../../../api/contract/assumed-routes.ts';
import type { EventType } from '../../../api/contract/events.ts';
import type { Operation } from '../../../api/contract/operation.ts';
import { API_OPERATIONS } from '../../../api/contract/operations.ts';
import { ASSISTANTS } from '../../../config/environment.ts';
import { MAIL_SETTINGS, SEALING_SETTINGS, type SettingRow } from '../../../config/sealing-and-mail.ts';
import { SERVE_SETTINGS, serveVariable, serveVariables, summaryOf } from '../../../config/serve-settings.ts';
import { EXIT_MEANINGS } from '../../command/exit-codes.ts';
import type { Tree } from '../../command/tree.ts';
import { ASSUMED_POINTS } from '../assumed-points.ts';
import { describeTree } from '../describe.ts';
import { globalOptionRows } from '../option-rows.ts';
import { errorsOfEsign, errorsOfTheService } from './error-codes.ts';
import type { TermRow } from './read-topic.ts';

export const TABLES: Readonly<Record<string, (tree: Tree) => readonly TermRow[] | Promise<TermRow[]>>> = {
  assistants: () =>
    Object.entries(ASSISTANTS).map(([program, names]) => [names.join(', '), `Set by ${program}`]),
  assumptions: () => assumptions(),
  'errors-of-esign': async () => errorsOfEsign(),
  'errors-of-the-service': async () => errorsOfTheService(),
  'event-types': () => Object.entries(EVENT_MEANINGS),
  'exit-codes': () => EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
  'group-variables': () => groupVariables(),
  'mail-settings': () => settingRows(MAIL_SETTINGS),
  operations: async () => operationRows(API_OPERATIONS),
  options: globalOptionRows,
  'sealing-settings': () => settingRows(SEALING_SETTINGS),
  'server-variables': () => serverVariables(),
  shapes: async (tree) =>
    (await describeTree(tree)).map(({ path, json }) => [`esign ${path.join(' ')}`, json]),
};

const settingRows = (rows: readonly SettingRow[]): TermRow[] =>
  rows.map(({ keys, summary }) => [keys.join(', '), summary]);

/** Lists the variables of a team server for its options and secrets. */
export const serverVariables = (): TermRow[] =>
  Object.entries(SERVE_SETTINGS).map(([name, setting]) => [
    serveVariables(name).join(', '),
    `${summaryOf(setting)}${setting.repeat ? ' (a list)' : setting.value === undefined ? ' (1 turns it on)' : ''}`,
  ]);

/** Lists the variables of a team server for sealing and mail. */
export const groupVariables = (): TermRow[] =>
  Object.entries({ sealing: SEALING_SETTINGS, mail: MAIL_SETTINGS }).flatMap(([group, rows]) =>
    rows.map(
      ({ keys, summary }): TermRow => [
        keys.map((key) => serveVariable(`${group}-${key}`)).join(', '),
        summary,
      ],
    ),
  );

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
