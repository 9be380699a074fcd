// Reading what was recorded: events and e-mails.
import { answer, type Handler } from '../../scene.ts';
import { listEvents, listMail } from '../../store/records.ts';

const DEFAULT_LIMIT = 1000;

export const allEvents: Handler<'sandbox.events'> = async (scene, { query }) => {
  const { limit = DEFAULT_LIMIT, ...rest } = query;
  return answer({ items: await scene.read((db) => listEvents(db, { ...rest, limit })) });
};

export const allMail: Handler<'sandbox.mail'> = async (scene, { query }) => {
  const { limit = DEFAULT_LIMIT, ...rest } = query;
  return answer({ items: await scene.read((db) => listMail(db, scene.store.keys, { ...rest, limit })) });
};
