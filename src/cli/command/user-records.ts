// Shows users of a sandbox and of a team server: those that were added, and lists of them.
import { text } from './json-output.ts';
import type { Cell, Outcome } from './outcome.ts';
import { listRecords, showRecord } from './record.ts';

/** The JSON of each user begins with these. */
export const USER_JSON = { id: text, name: text, email: text, company: text, created_at: text };

type ShownUser = { id: string; name: string; email: string; company: string };

export const showAddedUser = <U extends ShownUser & { is_new_company: boolean }>(
  user: U,
  notes: readonly string[] = [],
): Outcome =>
  showRecord<ShownUser>(
    user,
    { id: 'User', name: 'Name', email: 'Email', company: 'Company' },
    {
      headline: user.is_new_company ? 'Added the user and a new company.' : 'Added the user.',
      ...(notes.length > 0 && { notes }),
    },
  );

/** @param columns further columns, after those that all users have */
export const listUsers = <U extends ShownUser>(
  items: readonly U[],
  columns: Record<string, (user: U) => Cell>,
): Outcome =>
  listRecords(items, 'No users.', { ID: 'id', NAME: 'name', EMAIL: 'email', COMPANY: 'company', ...columns });
