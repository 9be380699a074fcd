// 404 and 405: there is nothing there, or not with this method.
import { type Id, row } from './row.ts';

export const unknownProblems = {
  route_not_found: row<{ method: string; path: string }>(
    404,
    'No such operation',
    (f) => `This service has no operation ${f.method} ${f.path}. Check the method and the path.`,
  ),
  transaction_not_found: row<Id>(404, 'No such transaction', (f) => `Transaction "${f.id}" not found.`),
  template_not_found: row<Id>(404, 'No such template', (f) => `Template "${f.id}" not found.`),
  webhook_not_found: row<Id>(404, 'No such webhook', (f) => `Webhook "${f.id}" not found.`),
  event_not_found: row<Id>(404, 'No such event', (f) => `Event "${f.id}" not found.`),
  file_not_found: row<Id>(404, 'No such file', (f) => `File "${f.id}" not found.`),
  client_not_found: row<Id>(
    404,
    'No such OAuth application',
    (f) => `OAuth application "${f.id}" not found.`,
  ),
  mail_not_found: row<Id>(404, 'No such email', (f) => `Email "${f.id}" not found.`),
  snapshot_not_found: row<Id>(
    404,
    'No such snapshot',
    (f) => `Snapshot "${f.id}" not found, or saved by another version of esign.`,
  ),
  user_not_found: row<{ email: string }>(
    404,
    'No such user',
    (f) => `No user has the email address "${f.email}".`,
  ),
  signing_link_invalid: row(
    404,
    'This signing link is not valid',
    () =>
      'This signing link is unknown, was used already, or its transaction has ended. If you still have to sign, ask the sender for a new link.',
  ),
  /** `allow` as the header has it: `GET, POST`. */
  method_not_allowed: row<{ method: string; path: string; allow: string }>(
    405,
    'Method not allowed',
    (f) => `${f.path} accepts ${f.allow}, not ${f.method}.`,
  ),
};
