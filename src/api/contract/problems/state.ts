// 409: the request is right, but not now.
import { type Id, type Named, row } from './row.ts';

/** `Transaction 0199… is a draft` */
const stateSentence = ({ id, status }: Id & { status: string }): string =>
  `Transaction ${id} is ${status === 'draft' ? 'a draft' : status}`;

export const stateProblems = {
  transaction_not_draft: row<Id & { status: string }>(
    409,
    'The transaction is no longer a draft',
    (f) => `${stateSentence(f)}; only a draft can be changed or started.`,
  ),
  transaction_not_started: row<
    Id & {
      status: string;
      /** What cannot be done with it. */
      what: 'signed' | 'rejected' | 'cancelled' | 'expired' | 'reminded';
    }
  >(409, 'The transaction is not started', (f) =>
    f.what === 'reminded'
      ? `${stateSentence(f)}; recipients are reminded only while a transaction is started.`
      : `${stateSentence(f)}; only a transaction with the status started can be ${f.what}.`,
  ),
  /** `current` is whose turn it is. */
  not_your_turn: row<Id & { email: string; current: string | undefined }>(
    409,
    'The recipient cannot act now',
    (f) =>
      f.current
        ? `${f.email} cannot act now: transaction ${f.id} is waiting for ${f.current}.`
        : `${f.email} cannot act on transaction ${f.id}.`,
  ),
  values_changed: row(
    409,
    'The values have changed',
    () => 'Some values have changed since they were shown for review. Review them again, then submit.',
  ),
  transaction_changed: row<Id>(
    409,
    'The transaction has changed',
    (f) =>
      `Transaction ${f.id} changed while its documents were being sealed. Nothing was signed. Try again.`,
  ),
  submission_under_way: row<Id>(
    409,
    'The documents are being sealed',
    (f) =>
      `A signature of transaction ${f.id} is being processed and its documents are being sealed. Nothing else was signed. Check the transaction again in a few seconds.`,
  ),
  client_is_own: row<Id>(
    409,
    'The OAuth application is built in',
    (f) =>
      `"${f.id}" is the sandbox's own OAuth application and cannot be deleted. To add another one, run \`esign sandbox apps create\`.`,
  ),
  user_exists: row<{ email: string }>(
    409,
    'The user already exists',
    (f) => `A user with the email address "${f.email}" already exists. Use another email address.`,
  ),
  /** `left` counts the pages that are not checked, and `page` is the next of them. */
  documents_not_checked: row<Id & Named & { left: number; page: number }>(
    409,
    'Not every page has been checked yet',
    (f) =>
      `Transaction ${f.id} cannot start yet: ${f.left === 1 ? '1 page has' : `${f.left} pages have`} not been checked yet, starting with page ${f.page} of "${f.name}". Try again in a moment.`,
  ),
};
