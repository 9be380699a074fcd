import type { Role } from '../../../api/contract/recipients.ts';
import { type Handler, ok } from '../../context.ts';
import { listNamed } from '../../store/overviews.ts';

export const listSandboxTransactions: Handler<'sandbox.list_transactions'> = async (context, { query }) => {
  const found = await context.read((db) => listNamed(db, query));
  return ok({
    items: found.map(({ recipients, ...transaction }) => ({
      ...transaction,
      recipients: recipients.map(({ role, ...recipient }) => ({ ...recipient, role: role as Role })),
    })),
  });
};
