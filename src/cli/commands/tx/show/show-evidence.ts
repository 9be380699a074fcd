// `tx show --evidence`: shows the record in the sealed documents of a transaction. The chain of hashes has been checked.
import type { ReceivedTransaction } from '../../../../api/contract/received.ts';
import type { EvidenceEntry } from '../../../../pdf/certificate/evidence.ts';
import type { Uses } from '../../../command/context.ts';
import type { Cell, Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { fetchEvidence } from '../../../transactions/download.ts';

export async function showEvidence(
  context: Uses<'terminal'>,
  connection: Connection,
  transaction: ReceivedTransaction,
): Promise<Outcome> {
  const evidence = await fetchEvidence(context, connection, transaction);
  const names = new Map(evidence.people.map(({ id, name, email }) => [id, `${name} <${email}>`]));
  const row = ({ n, at, type, person_id, details }: EvidenceEntry): Cell[] => [
    n,
    { instant: at },
    type,
    (person_id === null ? details.by : names.get(person_id)) ?? null,
    details.address ?? null,
    detailOf(type, details),
  ];
  return {
    kind: 'list',
    json: evidence,
    table: {
      columns: ['N', 'TIME', 'EVENT', 'PERSON', 'IP ADDRESS', 'DETAIL'],
      rows: evidence.entries.map(row),
    },
    empty: 'No entries.',
    notes: [
      'To check that the documents are unchanged, run `esign tx download ID`, then `esign verify FILE`.',
    ],
  };
}

/** What the type leaves open: which page or email, what a mail server answered, how a link was sent. */
function detailOf(
  type: string,
  { page, document, to, server, answer, reason, link }: EvidenceEntry['details'],
): string | null {
  if (type.startsWith('page_')) return `page ${page} of ${document}`;
  if (type.startsWith('email_'))
    return [to, server, answer, reason].filter((part) => typeof part === 'string' && part !== '').join(' · ');
  return link ? `link by ${link}` : null;
}
