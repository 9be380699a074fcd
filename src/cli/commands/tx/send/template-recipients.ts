// Finds the recipients of a plan with templates, so that a person sees all recipients before anything is sent.
import type { Connection } from '../../../connection/connection.ts';
import { type RecipientOfPlan, recipientsOfPlan } from '../../../transactions/fill-recipients.ts';
import type { Plan } from '../../../transactions/plan.ts';
import { fetchTemplate, placesOfTemplates } from './known-templates.ts';

/** All recipients in their order, and notes about templates whose recipients are unknown. */
export type ResolvedRecipients = { recipients: RecipientOfPlan[]; unknown: string[] };

/** Resolves the recipients as the steps of the plan do once the service has added the templates. */
export async function resolveRecipients(plan: Plan, connection: Connection): Promise<ResolvedRecipients> {
  const shown = [];
  const unknown: string[] = [];
  for (const id of plan.templates) {
    const template = await fetchTemplate(id, connection);
    if (template && placesOfTemplates([template])) shown.push(template);
    else unknown.push(`Template ${id}: the service does not return its recipients.`);
  }
  const places = (placesOfTemplates(shown) ?? []).map((place) =>
    // The sender of a template is replaced by that of the plan.
    place.role === 'sender' && plan.sender ? { ...place, ...plan.sender } : place,
  );
  const isKnown = unknown.length === 0 && plan.templates.length > 0;
  return { recipients: isKnown ? recipientsOfPlan(plan, places) : [...plan.recipients], unknown };
}
