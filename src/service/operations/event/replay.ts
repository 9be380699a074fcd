import type { Handler } from '../../context.ts';
import { replayEvents } from '../../sending/replay-events.ts';

/** Extension: sends events of the company again. */
export const eventReplay: Handler<'event.replay'> = (context, { body }) =>
  replayEvents(context, { ...body, company_id: context.user.company_id });
