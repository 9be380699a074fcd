// Reads a type of event from what a user typed.
import { EVENT_TYPES, type EventType } from '../../api/contract/events.ts';
import { nearest } from '../../common/nearest.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';

/** Parses an event type. @param what the option or argument, for the error; @param more what else to say there, without a full stop */
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

/**
 * Takes the given type, or lets a person at a terminal choose one from a list.
 * @throws CliError exit 2 that lists the types, in a script
 */
export async function chooseEventType(
  { prompts }: Uses<'prompts'>,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return given;
  if (!prompts.canAsk)
    throw cliError('argument_missing', { what: 'event type', hint: `Add one of ${EVENT_TYPES.join(', ')}.` });
  return prompts.choose(
    'Event type',
    'TYPE',
    EVENT_TYPES.map((type) => ({ value: type, name: type })),
  );
}
