// Writes times, and names inside of sentences, in the language of a reader, for pages and mail.

import type { Language } from '../../api/contract/languages.ts';
import { epochMsOf } from '../../common/instant.ts';

/** Text from outside inside a sentence of ours: its direction does not reach beyond it (Unicode, UAX #9 FSI). */
export const isolateDirection = (text: string): string => `\u2068${text}\u2069`;

/** A deadline means nothing without its zone, which is named. */
export const timeIn = (language: Language, instant: string, timeZone: string | null): string =>
  new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    timeZoneName: 'short',
  }).format(epochMsOf(instant));
