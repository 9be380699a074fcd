// Reading what was recorded: events and e-mails.
import { type Handler, ok } from '../../context.ts';
import { listEvents, listMail } from '../../store/records.ts';

const DEFAULT_LIMIT = 1000;

export const allEvents: Handler<'sandbox.events'> = async (context, { query }) => {
  const { limit = DEFAULT_LIMIT, ...rest } = query;
  return ok({ items: await context.read((db) => listEvents(db, { ...rest, limit })) });
};

export const allMail: Handler<'sandbox.mail'> = async (context, { query }) => {
  const { limit = DEFAULT_LIMIT, ...rest } = query;
  return ok({ items: await context.read((db) => listMail(db, context.store.keys, { ...rest, limit })) });
};
