// Who the templates of a plan bring, so that a person sees everybody who will be asked before anything is sent.
import type { ReceivedOf } from '../../../../api/contract/operations.ts';
import { reportOf } from '../../../command/error-report.ts';
import { CliError } from '../../../command/errors.ts';
import { EXIT } from '../../../command/exit-codes.ts';
import type { Connection } from '../../../connection/connection.ts';
import { mergeRecipients } from '../../../transactions/bodies.ts';
import type { Plan } from '../../../transactions/plan.ts';
import { pairRecipients, type RecipientSpec } from '../../../transactions/recipients.ts';

/** Everybody who will be asked, in their order, and what could not be found out. */
export type ResolvedRecipients = { recipients: RecipientSpec[]; unknown: string[] };

/** As the service merges them (assumed: A42): in the order of the templates, whoever is there already once, then whom the plan names. */
export async function resolveRecipients(plan: Plan, connection: Connection): Promise<ResolvedRecipients> {
  const unknown: string[] = [];
  const merged: RecipientSpec[] = [];
  for (const id of plan.templates) {
    const found = await recipientsOf(id, connection);
    if (found === undefined) unknown.push(`Template ${id}: the service does not return its recipients.`);
    const theirs = (found ?? []).map((recipient) => asSender(recipient, plan));
    const known = pairRecipients(theirs, merged);
    merged.push(...theirs.filter((one) => !known.has(one)));
  }
  return { recipients: mergeRecipients(merged, plan.recipients), unknown };
}

/** A template's sender becomes whoever uses the template. */
const asSender = ({ name, email, role }: RecipientSpec, { sender }: Plan): RecipientSpec =>
  role === 'sender' ? { ...(sender ?? { name, email }), role } : { name, email, role };

/** Undefined when it cannot be read; a template that is not there is an error. */
async function recipientsOf(
  templateId: string,
  { client }: Connection,
): Promise<RecipientSpec[] | undefined> {
  try {
    const shown = recipientsOfTemplate(await client['template.detail']({ params: { templateId } }));
    const known = shown.flatMap(({ name, email, role }) =>
      name && email && role ? [{ name, email, role }] : [],
    );
    return known.length === shown.length ? known : undefined;
  } catch (error) {
    const { exit } = reportOf(error);
    if (exit === EXIT.notFound || error instanceof CliError) throw error;
    return undefined;
  }
}

/** In their order. The specification shows recipients beside their fields only; the list is an extension. */
function recipientsOfTemplate({ recipients, fields }: ReceivedOf<'template.detail'>) {
  if (recipients)
    return recipients
      .map((recipient, at) => ({ ...recipient, index: recipient.index ?? at }))
      .sort((a, b) => a.index - b.index);
  const beside = (fields ?? []).flatMap(({ recipient }) => (recipient ? [recipient] : []));
  return [...new Map(beside.map((recipient) => [recipient.id, recipient])).values()];
}
