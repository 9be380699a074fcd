// Who the templates of a plan bring, so that a person sees everybody who will be asked before anything is sent.
import type { Transaction } from '../../../../api/contract/transactions.ts';
import { CliError, EXIT, reportOf } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { withNamed } from '../../../transactions/bodies.ts';
import type { Plan } from '../../../transactions/plan.ts';
import { type PlannedRecipient, pairsOf } from '../../../transactions/recipients.ts';

/** Everybody who will be asked, in their order, and what could not be found out. */
export type Everybody = { recipients: PlannedRecipient[]; unknown: string[] };

type TemplateRecipient = Pick<
  Transaction['template']['recipients'][number],
  'name' | 'email' | 'role' | 'index'
>;

/** As the service merges them (assumed: A42): in the order of the templates, whoever is there already once, then whom the plan names. */
export async function everybodyAsked(plan: Plan, connection: Connection): Promise<Everybody> {
  const unknown: string[] = [];
  const merged: PlannedRecipient[] = [];
  for (const id of plan.templates) {
    const found = await recipientsOf(id, connection);
    if (found === undefined) unknown.push(`template ${id}: this service does not tell whom it asks`);
    const theirs = (found ?? []).map((recipient) => asSender(recipient, plan));
    const known = pairsOf(theirs, merged);
    merged.push(...theirs.filter((one) => !known.has(one)));
  }
  return { recipients: withNamed(merged, plan.recipients), unknown };
}

/** A template's sender becomes whoever uses the template. */
const asSender = ({ name, email, role }: TemplateRecipient, { sender }: Plan): PlannedRecipient =>
  role === 'sender' ? { ...(sender ?? { name, email }), role } : { name, email, role };

/** Undefined when it cannot be read; a template that is not there is an error. */
async function recipientsOf(
  templateId: string,
  { client }: Connection,
): Promise<TemplateRecipient[] | undefined> {
  try {
    const { recipients, fields } = await client['template.detail']({ params: { templateId } });
    // The specification shows recipients beside their fields only; the list is an extension.
    if (recipients) return [...recipients].sort((a, b) => a.index - b.index);
    const named = (fields ?? []).flatMap(({ recipient }) => (recipient ? [recipient] : []));
    const once = new Map(named.map((recipient) => [recipient.id, recipient]));
    return [...once.values()].map((recipient, index) => ({ ...recipient, index }));
  } catch (error) {
    const { exit } = reportOf(error);
    if (exit === EXIT.notFound || error instanceof CliError) throw error;
    return undefined;
  }
}
