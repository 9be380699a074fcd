// Finds the recipients that the templates of a plan bring, so that a person sees all recipients before anything is sent.
import type { ReceivedOf } from '../../../../api/contract/operations.ts';
import { sameEmail } from '../../../../api/contract/values.ts';
import type { Connection } from '../../../connection/connection.ts';
import { mergeRecipients } from '../../../transactions/bodies.ts';
import type { Plan } from '../../../transactions/plan.ts';
import { pairRecipients, type RecipientSpec } from '../../../transactions/recipients.ts';
import { fetchTemplate } from './known-templates.ts';

/** All recipients in their order, those of the templates, and notes about templates whose recipients are unknown. */
export type ResolvedRecipients = {
  recipients: RecipientSpec[];
  ofTemplates: RecipientSpec[];
  unknown: string[];
};

/** Merges recipients as the service does (assumed: A42): those of the templates in their order, each once, then those of the plan. */
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
  return { recipients: mergeRecipients(merged, plan.recipients), ofTemplates: merged, unknown };
}

/**
 * Finds what a person who wrote --to does not expect: templates ask others, and have no field for somebody whom --to names.
 * Whoever names all of them knows it.
 * @returns undefined where there is no such surprise
 */
export async function findUnexpected(
  plan: Plan,
  connection: Connection,
): Promise<{ unnamed: RecipientSpec[]; withoutField: RecipientSpec[] } | undefined> {
  const named = plan.recipients.filter(({ role }) => role !== 'sender');
  if (plan.draft || plan.templates.length === 0 || named.length === 0) return undefined;
  const { ofTemplates } = await resolveRecipients(plan, connection);
  const isAmong = ({ email }: RecipientSpec, people: readonly RecipientSpec[]) =>
    people.some((other) => sameEmail(other.email, email));
  const unnamed = ofTemplates.filter((one) => one.role !== 'sender' && !isAmong(one, plan.recipients));
  const holders = [
    ...plan.fields.flatMap(({ of }) => (of === undefined ? [] : [of])),
    ...plan.boxesFor,
  ].flatMap((position) => plan.recipients[position] ?? []);
  const withoutField = named.filter((one) => !isAmong(one, ofTemplates) && !isAmong(one, holders));
  return unnamed.length > 0 && withoutField.length > 0 ? { unnamed, withoutField } : undefined;
}

/** Replaces the sender of a template by the sender of the plan. */
const asSender = ({ name, email, role }: RecipientSpec, { sender }: Plan): RecipientSpec =>
  role === 'sender' ? { ...(sender ?? { name, email }), role } : { name, email, role };

/** Reads the recipients of a template. Undefined when they cannot be read; a missing template is an error. */
async function recipientsOf(
  templateId: string,
  connection: Connection,
): Promise<RecipientSpec[] | undefined> {
  const template = await fetchTemplate(templateId, connection);
  if (!template) return undefined;
  const shown = recipientsOfTemplate(template);
  const known = shown.flatMap(({ name, email, role }) =>
    name && email && role ? [{ name, email, role }] : [],
  );
  return known.length === shown.length ? known : undefined;
}

/** Lists the recipients in their order. The specification shows recipients beside their fields only; the list is an extension. */
function recipientsOfTemplate({ recipients, fields }: ReceivedOf<'template.detail'>) {
  if (recipients)
    return recipients
      .map((recipient, at) => ({ ...recipient, index: recipient.index ?? at }))
      .sort((a, b) => a.index - b.index);
  const beside = (fields ?? []).flatMap(({ recipient }) => (recipient ? [recipient] : []));
  return [...new Map(beside.map((recipient) => [recipient.id, recipient])).values()];
}
