// What a store contains, in figures that are the same wherever it is stored: how many rows each table has and the hash of them, how many
// bytes all blobs have and the hash of their names. Two stores with the same contents are copies of each other.
import { createHash } from 'node:crypto';
import type { BulkRow } from '../../database/bulk.ts';

export type TableContents = { name: string; rows: number; sha256: string };

export type StoreContents = {
  tables: readonly TableContents[];
  blobs: { count: number; bytes: number; sha256: string };
};

/** A row as a line of JSON, with the columns in alphabetical order. */
export const lineOfRow = (row: BulkRow): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))}\n`;

/** Some rows, and the lines of all of them. */
export type RowBatch = { rows: readonly BulkRow[]; text: string };

export type TableTally = {
  /** Passes rows on, and counts and hashes them. */
  over(rows: AsyncIterable<readonly BulkRow[]>): AsyncIterable<RowBatch>;
  contents(): TableContents;
};

export function createTableTally(name: string): TableTally {
  const hash = createHash('sha256');
  let count = 0;
  return {
    async *over(batches) {
      for await (const rows of batches) {
        const text = rows.map(lineOfRow).join('');
        hash.update(text);
        count += rows.length;
        yield { rows, text };
      }
    },
    contents: () => ({ name, rows: count, sha256: hash.digest('hex') }),
  };
}

export type BlobTally = {
  add(blob: { sha256: string; sizeBytes: number }): void;
  contents(): StoreContents['blobs'];
};

/** The name of a blob is the hash of its bytes, so the hash of all names, in their order, is that of all bytes. */
export function createBlobTally(): BlobTally {
  const hash = createHash('sha256');
  let [count, bytes] = [0, 0];
  return {
    add({ sha256, sizeBytes }) {
      hash.update(`${sha256} ${sizeBytes}\n`);
      count += 1;
      bytes += sizeBytes;
    },
    contents: () => ({ count, bytes, sha256: hash.digest('hex') }),
  };
}

/** Finds the first part that differs, as words for a message: `the table "user"`. */
export function findDifference(a: StoreContents, b: StoreContents): string | undefined {
  for (const name of new Set([...a.tables, ...b.tables].map((table) => table.name))) {
    const [one, other] = [a, b].map(({ tables }) => tables.find((table) => table.name === name));
    if (one?.rows !== other?.rows || one?.sha256 !== other?.sha256) return `the table "${name}"`;
  }
  return a.blobs.sha256 === b.blobs.sha256 ? undefined : 'the stored files';
}
