// States in English sentences what differs from the original file. Certificates and previews of the same facts use them.
import { STAMP_LIMITS } from '../../limits.ts';
import type { Removed, RemovedCode, StampRemark } from '../plan.ts';
import type { OwnAuthority } from './content.ts';
import type { EvidencePreparation, Identification } from './evidence.ts';

export const OWN_AUTHORITY_TITLES: Readonly<Record<OwnAuthority['of'], string>> = {
  sandbox: 'Sandbox: for testing',
  server: 'Certificate of the service itself',
};

/** Says what the service issued itself, and what that means for the times and the revocation lists. */
export function ownAuthorityInWords({ of, timestamps, revocationLists }: OwnAuthority): string {
  const issuer = of === 'sandbox' ? 'sandbox' : 'service';
  const others = [timestamps && 'the timestamps', revocationLists && 'the revocation lists'].filter(Boolean);
  const issued = ['the certificate of this seal', ...others];
  const last = issued.at(-1);
  const all = issued.length === 1 ? last : `${issued.slice(0, -1).join(', ')} and ${last}`;
  const these = issued.length === 1 ? 'it' : 'them';
  const sentences = [
    `The ${issuer} issued ${all} itself, on the machine that sealed this document. No independent authority vouches for ${these}.`,
    ...(timestamps ? [TIMES] : []),
    ...(revocationLists ? [listsInWords(issuer)] : []),
  ];
  return sentences.join(' ');
}

const TIMES = 'The times in the timestamps are those of the clock of that machine; nothing else proves them.';

const listsInWords = (issuer: string): string =>
  `The revocation lists (of withdrawn certificates) were made at sealing, are valid for ten years and are empty, because the ${issuer} withdraws no certificate.`;

export const OTHER_CLOCK =
  'This is the time in the signature, from the clock of the machine. All other times on this certificate come from the clock of the service, which was set to a different time.';

/** Completes "identified by". */
export const identificationInWords = (identification: Identification, email: string): string =>
  ({
    emailed_link: `the link sent by email to ${email}`,
    mailbox_link: `the link in an email to ${email}, opened from the mailbox of the service`,
    dashboard_link: `a link for ${email} that the dashboard showed to a user`,
    signing_link: `a signing link for ${email}, without a record of how they got it`,
    sandbox_command: 'a command of the sandbox',
  })[identification];

/** Says which mail server took an email, and when. */
export const takenInWords = (server: string | null, at: string): string =>
  `Taken by ${server ?? 'the mail server'} at ${inUtc(at)}`;

export function removedInWords({ code, count, names = [] }: Removed): string {
  const isSingle = count === 1;
  const named =
    names.length === 0 ? '' : `: ${names.join(', ')}${names.length < STAMP_LIMITS.named ? '' : ', …'}`;
  const sentences: Record<RemovedCode, string> = {
    javascript: isSingle ? 'A script was removed.' : `${count} scripts were removed.`,
    actions: isSingle ? `An action was removed${named}.` : `${count} actions were removed${named}.`,
    xfa: 'The dynamic form (XFA) was removed. The pages are kept as they were displayed.',
    form_fields: isSingle
      ? `A form field became part of its page${named}.`
      : `${count} form fields became part of their pages${named}.`,
    earlier_signatures: isSingle
      ? `An earlier signature is kept as an image${named}. It can be verified in the original.`
      : `${count} earlier signatures are kept as images${named}. They can be verified in the original.`,
    annotations: isSingle
      ? `An annotation became part of its page${named}.`
      : `${count} annotations became part of their pages${named}.`,
    embedded_files_kept: isSingle
      ? `An attached file is kept${named}.`
      : `${count} attached files are kept${named}.`,
    pages_redrawn: isSingle
      ? `Page ${names.join()} is kept as an image, because programs would show its damaged content differently.`
      : `${count} pages are kept as images, because programs would show their damaged content differently${named}.`,
  };
  return sentences[code];
}

/** Says what the sender's program stated that it did to a file before the upload. */
export function preparationInWords({
  removed_tags,
  emptied_form_boxes,
  drawn_values,
}: Omit<EvidencePreparation, 'stated_by' | 'original'>): string {
  const changes = [
    ...(removed_tags.length > 0 ? [`removed ${counted(removed_tags.length, 'tag')}`] : []),
    ...(emptied_form_boxes > 0
      ? [`made the form a part of the pages with ${counted(emptied_form_boxes, 'box', 'boxes')} empty`]
      : []),
    ...(drawn_values > 0 ? [`drew ${counted(drawn_values, 'value')} into the pages`] : []),
  ];
  const last = changes.at(-1);
  const all = changes.length > 1 ? `${changes.slice(0, -1).join(', ')} and ${last}` : last;
  return `Before the upload, the sender's program ${all ?? 'changed the original'}. This is a statement of that program: the service has not seen the original.`;
}

const counted = (count: number, singular: string, many = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : many}`;

/** Says that the pictures of the sealed pages were not made: no signature is refused for that. */
export const NOT_COMPARED =
  'The pages with form fields and notes were not compared with what the recipients saw, because that exceeded a limit of the service.';

/** `page` counts from 0, as everywhere in the code; people count from 1. */
export const stampRemarkInWords = ({ page, label }: StampRemark): string =>
  `The value of "${label}" on page ${page + 1} is very small, because its field is small.`;

/** Writes `2026-11-21 18:00:00 UTC`. */
export const inUtc = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;

/** Writes `19:00:00 Europe/Berlin`, with the date where it is another one; undefined for an unknown zone, and for UTC. */
export function inZone(instant: string, timeZone: string | null): string | undefined {
  if (!timeZone || timeZone === 'UTC') return undefined;
  const dateParts = partsIn(instant, timeZone);
  if (!dateParts) return undefined;
  const date = `${dateParts.year}-${dateParts.month}-${dateParts.day}`;
  const time = `${dateParts.hour}:${dateParts.minute}:${dateParts.second}`;
  return `${date === instant.slice(0, 10) ? '' : `${date} `}${time} ${timeZone}`;
}

function partsIn(instant: string, timeZone: string): Record<string, string> | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    const dateParts = format.formatToParts(millisecondsOf(instant));
    return Object.fromEntries(dateParts.map(({ type, value }) => [type, value]));
  } catch {
    return undefined;
  }
}

/** Writes `D:20261121180000Z`, as PDF writes times (ISO 32000-1, 7.9.4). */
export const asPdfDate = (instant: string): string => `D:${instant.slice(0, 19).replace(/\D/g, '')}Z`;

/** The calendar alone gives the milliseconds since 1970. */
function millisecondsOf(instant: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (instant.match(/\d+/g) ?? []).map(
    Number,
  );
  // Years that begin in March have their leap day at the end.
  const marchYear = month > 2 ? year : year - 1;
  const sinceMarch = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const days =
    marchYear * 365 + leapDays + Math.floor((sinceMarch * 153 + 2) / 5) + day - 1 - DAYS_BEFORE_1970;
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000;
}

/** Days count from the first of March of the year 0. */
const DAYS_BEFORE_1970 = 719_468;
