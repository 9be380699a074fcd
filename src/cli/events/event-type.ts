// A type of event as somebody typed it.
import { EVENT_TYPES, type EventType } from '../../api/contract/events.ts';
import { cliError } from '../command/errors.ts';
import { nearest } from '../input/nearest.ts';

/** @param what the option or argument, for the error; @param more what else to say there, without a full stop */
export function eventTypeIn(what: string, text: string, more?: string): EventType {
  const type = EVENT_TYPES.find((one) => one === text);
  if (type) return type;
  throw cliError('value_invalid', {
    name: what,
    value: text,
    problem: 'is not a valid event type',
    meant: nearest(text, EVENT_TYPES),
    use: `one of ${EVENT_TYPES.join(', ')}${more === undefined ? '' : `. ${more}`}`,
  });
}
