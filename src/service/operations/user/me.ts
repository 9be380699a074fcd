import { type Handler, ok } from '../../context.ts';
import { findCompanyById } from '../../store/accounts.ts';

/** Extension: the user that the access token belongs to, so that a client can check the sender before it sends. */
export const userMe: Handler<'user.me'> = async (context) => {
  const { id, name, email, company_id } = context.user;
  const company = await context.read((db) => findCompanyById(db, company_id));
  return ok({ id, name, email, company: { id: company_id, name: company?.name ?? '' } });
};
