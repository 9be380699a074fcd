import type { Handler } from '../../context.ts';
import { replayCompanyEvents } from '../../sending/replay-events.ts';

/** Extension: sends events of the company again. */
export const eventReplay: Handler<'event.replay'> = (context, { body }) =>
  replayCompanyEvents(context, { ...body, company_id: context.user.company_id });
