// Every object that differs has to be readable, and in one way: duplicate keys, a wrong /Length and the like are understood differently by different
// readers. The same is said where the work of judging a file would not end.
import { defineRule, objection } from './rule.ts';

export const readableObjects = defineRule({
  name: 'readable-objects',
  allows: 'An object of a later save is written so that all programs read the same.',
  source: 'ISO 32000-2, 7.3',
  codes: ['update_unreadable'],
  *judge({ doubtful }) {
    const [object] = doubtful;
    if (object !== undefined) yield { ...objection('update_unreadable', object), isFinal: true };
  },
});
