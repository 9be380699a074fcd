// Makes the Outcome of a command that shows what an operation answered: each value is named once, with its label or column.
import type { Cell, Entry, Outcome, RecordOutcome, Table } from './outcome.ts';

type Details = Omit<Entry, 'key'>;

/** Values that have a label are printed, in this order. A function decides more than the label. */
type Labels<R> = {
  [K in keyof R]?: (R[K] extends Cell ? string : never) | ((value: R[K]) => Details);
};

/** Labels a time, which may be missing. */
export const time =
  (label: string) =>
  (instant: string | null | undefined): Details => ({ label, value: instant ? { instant } : undefined });

/** Leaves a value to pipes: a person reads it in the headline, or does not need it. */
export const forPipes = (value: Cell): Details => ({ value });

type RecordExtras = Partial<Pick<RecordOutcome, 'headline' | 'tables'> & Pick<Outcome, 'notes' | 'exit'>>;

export function showRecord<R extends object>(
  json: R,
  labels: Labels<R>,
  extras: RecordExtras = {},
): RecordOutcome & Outcome {
  const entries = (Object.keys(labels) as (keyof R & string)[]).map((key): Entry => {
    const label = labels[key];
    return typeof label === 'function'
      ? { key, ...label(json[key]) }
      : { key, label: label as string, value: json[key] as Cell };
  });
  return { kind: 'record', ...extras, json, entries };
}

type Columns<R> = Record<string, (keyof R & string) | ((item: R) => Cell)>;

type ListExtras<R> = { json?: unknown; lines?: readonly R[] | undefined; pageTable?: Table };

/** Lists items: a column shows the property that it names, or what its function makes of the item. */
export function listRecords<R extends object>(
  items: readonly R[],
  empty: string,
  columns: Columns<R>,
  { json = { items }, lines, ...extras }: ListExtras<R> = {},
): Outcome {
  const rows = items.map((item) =>
    Object.values(columns).map((column) =>
      typeof column === 'function' ? column(item) : (item[column] as Cell),
    ),
  );
  return {
    kind: 'list',
    json,
    ...(lines && { lines }),
    ...extras,
    empty,
    table: { columns: Object.keys(columns), rows },
  };
}
