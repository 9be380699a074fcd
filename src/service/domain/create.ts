// A transaction begins as a draft (spec §3).
import type { Accepted, CompanyUser, Content, DecisionFacts, Transaction } from './transaction.ts';

/** assumed: A43. The name is optional at creation and required by the first update. */
const UNTITLED = 'Untitled';

export type CreateInput = { name?: string | undefined; notification_endpoint?: string | null | undefined };

export function createDraft(
  input: CreateInput,
  { user, client_id }: { user: CompanyUser & { company_id: string }; client_id: string },
  facts: DecisionFacts,
): Accepted {
  const content: Content = {
    ...emptyContent(user, facts),
    name: input.name ?? UNTITLED,
    reusable: false,
  };
  const next: Transaction = {
    id: facts.newId(),
    company_id: user.company_id,
    created_by_id: user.id,
    client_id,
    sender_id: user.id,
    status: 'draft',
    notification_endpoint: input.notification_endpoint ?? null,
    expiration_days: null,
    created_at: facts.now,
    updated_at: facts.now,
    sent_at: null,
    expires_at: null,
    expired_at: null,
    completed_at: null,
    rejected_at: null,
    rejected_reason: null,
    rejected_by_id: null,
    cancelled_at: null,
    cancelled_reason: null,
    cancelled_by_id: null,
    sealing_failed_at: null,
    sealing_failed_reason: null,
    sealed_documents: [],
    content,
  };
  const created_by = { email: user.email, id: user.id };
  return {
    ok: true,
    next,
    events: [{ type: 'transaction_created', data: { id: next.id, status: 'draft', created_by } }],
  };
}

function emptyContent(
  user: CompanyUser & { company_id: string },
  facts: DecisionFacts,
): Omit<Content, 'name' | 'reusable'> {
  return {
    id: facts.newId(),
    company_id: user.company_id,
    created_by_id: user.id,
    description: '',
    edit_navigation: false,
    email_alias: '',
    email_subject: '',
    email_body: '',
    created_at: facts.now,
    updated_at: facts.now,
    documents: [],
    recipients: [],
    fields: [],
  };
}
