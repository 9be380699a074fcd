// Decides whether an email leaves the service: only for a sender that the owner of the machine vouches for, and only up to a
// limit in an hour (decision 0025). Other mail stays in the mailbox, and the sender is shown why.

import { LIMITS } from '../../api/contract/limits.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import { isVerified } from '../store/accounts/accounts.ts';
import { hasReachedMailLimit } from '../store/delivery/mails.ts';
import type { Db } from '../store/schema.ts';

export type MailSender = { company_id: string; user_id: string };

/** @returns why no email of this sender leaves now, as the end of a sentence */
export async function reasonToKeep(
  db: Db,
  { company_id, user_id }: MailSender,
  now: Instant,
): Promise<string | undefined> {
  if (!(await isVerified(db, user_id)))
    return 'the sender has not been verified. The owner of a sandbox does so with `esign sandbox users verify EMAIL`, the operator of a server with `esign serve user password EMAIL`';
  const since = addMs(now, -LIMITS.mailHourMs);
  // Another process may have written mails a moment after this one read the clock.
  const furthest = addMs(now, LIMITS.mailHourMs);
  return (await hasReachedMailLimit(db, { company_id, since, furthest, most: LIMITS.mailsPerHour }))
    ? `the company of the sender has reached the limit of ${LIMITS.mailsPerHour} emails an hour. Send a reminder later`
    : undefined;
}
