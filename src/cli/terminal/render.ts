// The one place where an Outcome becomes characters: JSON, tab-separated lines, or a page for a person.
import type {
  BytesOutcome,
  Cell,
  Entry,
  ListOutcome,
  Outcome,
  RecordOutcome,
  Table,
} from '../command/outcome.ts';
import type { Paint } from './color.ts';
import { jsonText, select } from './json.ts';
import { safeLines, safeText } from './safe-text.ts';
import type { Sink } from './streams.ts';

export type RenderOptions = {
  json: boolean;
  select: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  nowMs: number;
};

export async function render(
  outcome: Outcome,
  out: Sink,
  paint: Paint,
  options: RenderOptions,
): Promise<void> {
  const write = (text: string) => {
    if (text !== '') out.write(`${text}\n`);
  };
  if (options.json) write(asJson(outcome, out, options));
  else if (outcome.kind === 'bytes') writeBytes(outcome, out);
  else if (out.isTerminal)
    write(await asPage(outcome, paint, { columns: out.columns, nowMs: options.nowMs }));
  else write(asLines(outcome));
}

function asJson(outcome: Outcome, out: Sink, options: RenderOptions): string {
  const chosen = (value: unknown) => (options.select ? select(value, options.select) : value);
  if ((outcome.kind === 'list' || outcome.kind === 'bytes') && outcome.lines)
    return outcome.lines.map((line) => jsonText(chosen(line), false)).join('\n');
  return outcome.json === undefined ? '' : jsonText(chosen(outcome.json), out.isTerminal);
}

// ── a pipe ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** A body has no line end of its own; on a terminal the prompt would stand behind it. */
function writeBytes({ bytes, head = '' }: BytesOutcome, out: Sink): void {
  if (!out.isTerminal) {
    if (head !== '') out.write(head);
    if (bytes.length > 0) out.write(bytes);
    return;
  }
  const text = textOf(bytes);
  const shown = text === undefined ? `(${bytes.length} bytes that are no text; send them into a file)` : text;
  out.write(`${safeLines((head + shown).replace(/\n$/, ''))}\n`);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? undefined : text;
  } catch {
    return undefined;
  }
}

const tabbed = (cells: readonly Cell[]): string => cells.map(cellText).join('\t');

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  return safeText(typeof cell === 'object' ? cell.instant : String(cell));
}

function asLines(outcome: Exclude<Outcome, BytesOutcome>): string {
  if (outcome.kind === 'text') return safeLines(outcome.text);
  if (outcome.kind === 'list') return outcome.table.rows.map(tabbed).join('\n');
  const entries = outcome.entries.filter(isThere).map(({ key, value }) => tabbed([key, value]));
  const rows = (outcome.tables ?? []).flatMap(({ key, rows }) => rows.map((row) => tabbed([key, ...row])));
  return [...entries, ...rows].join('\n');
}

const isThere = ({ value }: Entry): boolean => value !== undefined && value !== null;

// ── a person ────────────────────────────────────────────────────────────────────────────────────────────────────

type Page = { columns: number | undefined; nowMs: number };

type Writing = { paint: Paint; text(cell: Cell): string; columns: number | undefined };

async function asPage(
  outcome: Exclude<Outcome, BytesOutcome>,
  paint: Paint,
  { columns, nowMs }: Page,
): Promise<string> {
  if (outcome.kind === 'text') return safeLines(outcome.text);
  const writing = { paint, columns, text: await createWriter(outcome, nowMs) };
  return outcome.kind === 'list' ? listPage(outcome, writing) : recordPage(outcome, writing);
}

async function createWriter(
  outcome: ListOutcome | RecordOutcome,
  nowMs: number,
): Promise<(cell: Cell) => string> {
  const tables =
    outcome.kind === 'list'
      ? [outcome.pageTable ?? outcome.table]
      : [...(outcome.tables ?? []), ...(outcome.pageTables ?? [])];
  const entries = outcome.kind === 'list' ? [] : outcome.entries;
  const cells = [
    ...entries.flatMap(({ value, shown }) => [value, shown]),
    ...tables.flatMap(({ rows }) => rows.flat()),
  ];
  if (!cells.some((cell) => typeof cell === 'object' && cell !== null)) return cellText;
  const { awayInWords, localTime } = await import('./local-time.ts');
  return (cell) => {
    if (typeof cell !== 'object' || cell === null) return cellText(cell);
    const time = safeText(localTime(cell.instant));
    const words = cell.until ? awayInWords(cell.instant, nowMs) : undefined;
    return words === undefined ? time : `${words} (${time})`;
  };
}

async function listPage({ table, pageTable, empty }: ListOutcome, writing: Writing): Promise<string> {
  return table.rows.length === 0 ? empty : drawn(pageTable ?? table, writing);
}

async function drawn({ title, columns, rows, tones }: Table, writing: Writing): Promise<string> {
  const { drawTable } = await import('./table.ts');
  const texts = rows.map((row) => row.map(writing.text));
  return drawTable({ title, columns, rows: texts, tones }, writing.paint, writing.columns);
}

async function recordPage(outcome: RecordOutcome, writing: Writing): Promise<string> {
  const { headline, entries } = outcome;
  const { paint, text } = writing;
  const shown = entries.filter((entry) => isThere(entry) && entry.label !== undefined);
  const width = Math.max(0, ...shown.map(({ label = '' }) => label.length));
  const { toned } = await import('./table.ts');
  const lines = shown.map(
    ({ label = '', value, shown, tone }) =>
      `${paint.dim(label.padEnd(width))}  ${toned(text(shown ?? value), tone, paint)}`,
  );
  const parts = [...(headline ? [paint.bold(safeLines(headline))] : []), lines.join('\n')];
  for (const table of outcome.pageTables ?? outcome.tables ?? [])
    if (table.rows.length > 0) parts.push(await drawn(table, writing));
  return parts.filter((part) => part !== '').join('\n\n');
}
