// The forms in which a date is written into a document and read everywhere else. A value is always YYYY-MM-DD (assumed: A19).
import { isCalendarDay } from '../../common/instant.ts';

export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'D MMMM YYYY',
  'MMMM D, YYYY',
] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

export const DEFAULT_DATE_FORMAT: DateFormat = 'YYYY-MM-DD';

/** The value of a date that its recipient does not enter: the service fills in the day on which they sign. */
export const TODAY = 'today';

export const isDateFormat = (value: unknown): value is DateFormat =>
  (DATE_FORMATS as readonly unknown[]).includes(value);

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A calendar day such as 2026-11-30; any other text stays as it is. */
export function formatDate(day: string, format: DateFormat): string {
  if (!isCalendarDay(day)) return day;
  const [year = '', month = '', date = ''] = day.split('-');
  const parts: Record<string, string> = {
    YYYY: year,
    MMMM: MONTHS[Number(month) - 1] ?? month,
    MM: month,
    DD: date,
    D: `${Number(date)}`,
  };
  return format.replace(/YYYY|MMMM|MM|DD|D/g, (part) => parts[part] ?? part);
}
