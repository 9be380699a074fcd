// Files of released versions of esign and of the one to be released: a store, the history with interrupted plans, and a configuration, each as
// written by the version in the name of the file (`test/fixtures/formats/`). Rows of `idempotency` are omitted.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectSqlite } from '../../../src/database/sqlite-driver.ts';

const FORMATS = fileURLToPath(new URL('../../fixtures/formats/', import.meta.url));
const CONTRACT = fileURLToPath(new URL('../../fixtures/contract.pdf', import.meta.url));

/** The hash of the fixture's contract, which is the only document that was sent. */
const CONTRACT_SHA256 = 'e893f3235c6275ac0678e4b84f13e9046ceed5248886421957947328ebd947a5';

export type EarlierFormat = {
  name: string;
  /** The transaction that was sent: Ada is to sign. */
  started: string;
  /** Plans that were interrupted before the upload, after the document was added, and before the end. */
  plans: string[];
  /** Puts everything into ESIGN_HOME, and the contract into the working directory. */
  restore(home: string, workingDir: string): void;
};

export const EARLIER_FORMATS: readonly EarlierFormat[] = readdirSync(FORMATS).sort().map(readFormat);

function readFormat(file: string): EarlierFormat {
  const sections = new Map(
    readFileSync(join(FORMATS, file), 'utf8')
      .split(/^-- /m)
      .map((section) => {
        const end = section.indexOf('\n');
        return [section.slice(0, end), section.slice(end + 1)] as const;
      }),
  );
  const sectionOf = (name: string): string => sections.get(name) ?? '';
  const { key, started, plans } = JSON.parse(sectionOf('facts'));
  return {
    name: file.replace('.txt', ''),
    started,
    plans,
    restore(home, workingDir) {
      const sandbox = join(home, 'data', 'sandbox');
      write(join(sandbox, 'key'), Buffer.from(key, 'hex'));
      write(join(home, 'config', 'config.json'), sectionOf('config'));
      const blob = join(sandbox, 'blobs', CONTRACT_SHA256.slice(0, 2), CONTRACT_SHA256);
      mkdirSync(dirname(blob), { recursive: true, mode: 0o700 });
      copyFileSync(CONTRACT, blob);
      copyFileSync(CONTRACT, join(workingDir, 'contract.pdf'));
      fill(join(sandbox, 'store.db'), sectionOf('store'));
      const path = (name: string) => `"path":${JSON.stringify(name)}`;
      const history = sectionOf('history').replaceAll(
        path('contract.pdf'),
        path(join(workingDir, 'contract.pdf')),
      );
      fill(join(home, 'data', 'history.db'), history);
    },
  };
}

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, content, { mode: 0o600 });
}

function fill(file: string, sql: string): void {
  const connection = connectSqlite(file);
  connection.exec(`pragma journal_mode = wal; begin; ${sql}; commit`);
  connection.close();
}
