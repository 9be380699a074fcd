// The one place where an Outcome becomes characters: JSON, tab-separated lines, or a page for a person.
import type { BytesOutcome, Cell, Entry, ListOutcome, Outcome, RecordOutcome } from '../outcome.ts';
import type { Paint } from './color.ts';
import { jsonText, select } from './json.ts';
import { safeLines } from './safe-text.ts';
import type { Sink } from './streams.ts';
import { cellText, drawTable } from './table.ts';

export type RenderOptions = { json: boolean; select: readonly string[] | undefined };

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
  else write(out.isTerminal ? await asPage(outcome, paint) : asLines(outcome));
}

function asJson(outcome: Outcome, out: Sink, options: RenderOptions): string {
  const chosen = (value: unknown) => (options.select ? select(value, options.select) : value);
  if ((outcome.kind === 'list' || outcome.kind === 'bytes') && outcome.lines)
    return outcome.lines.map((line) => jsonText(chosen(line), false)).join('\n');
  return outcome.json === undefined ? '' : jsonText(chosen(outcome.json), out.isTerminal);
}

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

function asLines(outcome: Exclude<Outcome, BytesOutcome>): string {
  if (outcome.kind === 'text') return safeLines(outcome.text);
  if (outcome.kind === 'list') return outcome.table.rows.map(tabbed).join('\n');
  const entries = outcome.entries.filter(isThere).map(({ key, value }) => tabbed([key, value]));
  const rows = (outcome.tables ?? []).flatMap(({ key, rows }) => rows.map((row) => tabbed([key, ...row])));
  return [...entries, ...rows].join('\n');
}

const isThere = ({ value }: Entry): boolean => value !== undefined && value !== null;

async function asPage(outcome: Exclude<Outcome, BytesOutcome>, paint: Paint): Promise<string> {
  if (outcome.kind === 'text') return safeLines(outcome.text);
  return outcome.kind === 'list' ? listPage(outcome, paint) : recordPage(outcome, paint);
}

async function listPage({ table, empty }: ListOutcome, paint: Paint): Promise<string> {
  return table.rows.length === 0 ? empty : drawTable(table, paint);
}

async function recordPage({ headline, entries, tables = [] }: RecordOutcome, paint: Paint): Promise<string> {
  const shown = entries.filter((entry) => isThere(entry) && entry.label !== undefined);
  const width = Math.max(0, ...shown.map(({ label = '' }) => label.length));
  const lines = shown.map(
    ({ label = '', value, shown }) => `${paint.dim(label.padEnd(width))}  ${cellText(shown ?? value)}`,
  );
  const drawn = await Promise.all(
    tables.filter((table) => table.rows.length > 0).map((table) => drawTable(table, paint)),
  );
  return [...(headline ? [paint.bold(safeLines(headline))] : []), lines.join('\n'), ...drawn]
    .filter((part) => part !== '')
    .join('\n\n');
}
