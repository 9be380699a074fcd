import { type Handler, ok, refuse } from '../../context.ts';
import { attemptsOf, loadDeliveriesOf } from '../../store/deliveries.ts';
import { envelopeOf, findEvent } from '../../store/events.ts';
import { rowsIn } from '../../store/rows.ts';
import { deliveryView } from './view.ts';

/** Extension: an event, and where it was sent with every attempt. */
export const eventDetail: Handler<'event.detail'> = (context, { params: { eventId: id } }) =>
  context.read(async (db) => {
    const event = await findEvent(db, context.user.company_id, id);
    if (!event) return refuse('event_not_found', { id });
    const deliveries = await loadDeliveriesOf(db, id);
    const ids = deliveries.filter(({ kind }) => kind === 'webhook').map(({ endpoint }) => endpoint);
    const webhooks = new Map(
      (await rowsIn(db, 'webhook', 'id', ids, 'id')).map((one) => [one.id, one.endpoint]),
    );
    const shown = [];
    for (const one of deliveries)
      shown.push(deliveryView(one, await attemptsOf(db, one.id), webhooks, context));
    return ok({ ...envelopeOf(event), deliveries: shown });
  });
