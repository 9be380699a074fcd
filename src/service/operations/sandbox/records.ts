// Reading what was recorded: events.
import { type Handler, ok } from '../../context.ts';
import { numberEvents } from '../../store/event-numbers.ts';
import { listRecordedEvents } from '../../store/records.ts';

const DEFAULT_LIMIT = 1000;

export const listSandboxEvents: Handler<'sandbox.events'> = async (context, { query }) => {
  const { limit = DEFAULT_LIMIT, ...rest } = query;
  await numberEvents(context.store);
  return ok({ items: await context.read((db) => listRecordedEvents(db, { ...rest, limit })) });
};
