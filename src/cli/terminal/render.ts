// Renders an Outcome as JSON, as tab-separated lines, or as a page for a person.

import type {
  BytesOutcome,
  Cell,
  Entry,
  ListOutcome,
  Outcome,
  PageOutcome,
  RecordOutcome,
  Table,
} from '../command/outcome.ts';
import type { Paint } from './color.ts';
import type { Filter } from './jq.ts';
import { jsonText, select } from './json.ts';
import { formatDistance, formatLocalTime } from './local-time.ts';
import { layOut, pageWidth } from './page-layout.ts';
import { safeLines, safeText } from './safe-text.ts';
import type { Sink } from './streams.ts';
import { drawTable, labelledLines, paintTone } from './table.ts';
import { createRuler } from './text-width.ts';

type RenderOptions = {
  json: boolean;
  select: readonly string[] | undefined;
  /** The filter of `--jq`. */
  filter?: Pick<Filter, 'apply'> | undefined;
  /** Milliseconds since 1970. */
  nowMs: number;
  /** The time zone of the reader, instead of that of the process. */
  zone?: string;
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
  if (options.filter) await writeFiltered(outcome, out, options.filter);
  else if (options.json) write(renderJson(outcome, out, options));
  else if (outcome.kind === 'bytes') writeBytes(outcome, out);
  else if (outcome.kind === 'page') write(await helpText(outcome, out, paint));
  else if (out.isTerminal) write(await renderAsPage(outcome, paint, { ...options, columns: out.columns }));
  else write(renderLines(outcome));
}

async function helpText({ sections }: PageOutcome, { columns }: Sink, { bold }: Paint): Promise<string> {
  return layOut(sections, { width: pageWidth(columns), bold });
}

function renderJson(outcome: Outcome, out: Sink, options: RenderOptions): string {
  const chosen = (value: unknown) => (options.select ? select(value, options.select) : value);
  if ((outcome.kind === 'list' || outcome.kind === 'bytes') && outcome.lines)
    return outcome.lines.map((line) => jsonText(chosen(line), false)).join('\n');
  return outcome.json === undefined ? '' : jsonText(chosen(outcome.json), out.isTerminal);
}

/** Filters the JSON: objects with a line each one after the other, anything else as a whole. */
async function writeFiltered(outcome: Outcome, out: Sink, filter: Pick<Filter, 'apply'>): Promise<void> {
  const hasLines = outcome.kind === 'list' || outcome.kind === 'bytes';
  const values = (hasLines && outcome.lines) || (outcome.json === undefined ? [] : [outcome.json]);
  if (values.length === 0) return;
  const text = await filter.apply(values.map((value) => JSON.stringify(value)).join('\n'));
  if (text !== undefined) out.write(`${out.isTerminal ? safeLines(text) : text}\n`);
}

// ── a pipe ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Writes bytes. On a terminal it adds a line end, because the prompt would follow the last line otherwise. */
function writeBytes({ bytes, head = '' }: BytesOutcome, out: Sink): void {
  if (!out.isTerminal) {
    if (head !== '') out.write(head);
    if (bytes.length > 0) out.write(bytes);
    return;
  }
  const text = textOf(bytes);
  const shown =
    text === undefined ? `(${bytes.length} bytes of binary data; redirect the output to a file)` : text;
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

function renderLines(outcome: Exclude<Outcome, BytesOutcome | PageOutcome>): string {
  if (outcome.kind === 'text') return safeLines(outcome.text);
  if (outcome.kind === 'list') return outcome.table.rows.map(tabbed).join('\n');
  const entries = outcome.entries.filter(isThere).map(({ key, value }) => tabbed([key, value]));
  const rows = (outcome.tables ?? []).flatMap(({ key, rows }) => rows.map((row) => tabbed([key, ...row])));
  return [...entries, ...rows].join('\n');
}

const isThere = ({ value }: Entry): boolean => value !== undefined && value !== null;

// ── a person ────────────────────────────────────────────────────────────────────────────────────────────────────

type ScreenOptions = Pick<RenderOptions, 'nowMs' | 'zone'> & { columns: number | undefined };

type PageWriter = { paint: Paint; text(cell: Cell): string; columns: number | undefined };

async function renderAsPage(
  outcome: Exclude<Outcome, BytesOutcome | PageOutcome>,
  paint: Paint,
  { columns, nowMs, zone }: ScreenOptions,
): Promise<string> {
  if (outcome.kind === 'text') return safeLines(outcome.text);
  const writing = { paint, columns, text: await createWriter(outcome, { nowMs, zone }) };
  return outcome.kind === 'list' ? listPage(outcome, writing) : recordPage(outcome, writing);
}

async function createWriter(
  outcome: ListOutcome | RecordOutcome,
  { nowMs, zone }: { nowMs: number; zone: string | undefined },
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
  return (cell) => {
    if (typeof cell !== 'object' || cell === null) return cellText(cell);
    const time = safeText(formatLocalTime(cell.instant, zone));
    const words = cell.until || cell.ago ? formatDistance(cell.instant, nowMs) : undefined;
    if (words === undefined) return time;
    return cell.ago ? words : `${words} (${time})`;
  };
}

async function listPage({ table, pageTable, empty }: ListOutcome, writing: PageWriter): Promise<string> {
  if (table.rows.length > 0) return tablePage(pageTable ?? table, writing);
  return empty === '' ? '' : wrapSentence(empty, writing);
}

/** Wraps a sentence. */
async function wrapSentence(text: string, { columns }: PageWriter): Promise<string> {
  if (!columns) return text;
  return (await createRuler()).wrapped(text, columns).join('\n');
}

async function tablePage({ title, columns, rows, tones }: Table, writing: PageWriter): Promise<string> {
  const texts = rows.map((row) => row.map(writing.text));
  return drawTable({ title, columns, rows: texts, tones }, writing.paint, writing.columns);
}

async function recordPage(outcome: RecordOutcome, writing: PageWriter): Promise<string> {
  const { headline, entries } = outcome;
  const shown = entries.filter((entry) => isThere(entry) && entry.label !== undefined);
  const parts = headline ? [writing.paint.bold(await wrapSentence(safeLines(headline), writing))] : [];
  parts.push(await entryLines(shown, writing));
  for (const table of outcome.pageTables ?? outcome.tables ?? [])
    if (table.rows.length > 0) parts.push(await tablePage(table, writing));
  return parts.filter((part) => part !== '').join('\n\n');
}

async function entryLines(entries: readonly Entry[], { paint, text, columns }: PageWriter): Promise<string> {
  if (entries.length === 0) return '';
  const ruler = await createRuler();
  const labelled = Math.max(...entries.map(({ label = '' }) => ruler.widthOf(label)));
  const space = { labelled, width: columns || Number.POSITIVE_INFINITY };
  return entries
    .flatMap(({ label = '', value, shown, tone }) =>
      labelledLines(label, text(shown ?? value), space, ruler).map(
        (line) => `${paint.dim(line.before)}${paintTone(line.text, tone, paint)}`,
      ),
    )
    .join('\n');
}
