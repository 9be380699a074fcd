import type { Uses } from '../../command/context.ts';
import { boolean, list, nameOnly, number, object, only, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import type { SandboxFileResult, SandboxImportResult } from '../../connection/connection.ts';
import { contentsEntries, contentsTables } from '../../terminal/store-contents.ts';

/** The shape of what `--json` prints of an export. */
export const EXPORTED_JSON = prints(
  object({
    file: text,
    secrets: boolean,
    tables: list(object({ name: text, rows: number, sha256: text })),
    blobs: object({ count: number, bytes: number, sha256: text }),
  }),
);

/** `authority` is `imported`, `kept`, or `not_imported` where the file has another one. */
export const IMPORTED_JSON = prints(
  object({
    file: text,
    secrets: boolean,
    tables: list(object({ name: text, rows: number, sha256: text })),
    blobs: object({ count: number, bytes: number, sha256: text }),
    authority: nameOnly(only('kept', 'not_imported', 'imported')),
  }),
);

export function sandboxFileOutcome(
  headline: string,
  result: SandboxFileResult,
  notes: readonly string[],
): Outcome & { kind: 'record'; json: object } {
  const { file, secrets, tables, blobs } = result;
  return {
    kind: 'record',
    headline,
    json: { file, secrets, tables, blobs },
    entries: [
      { key: 'file', label: 'File', value: file },
      { key: 'secrets', label: 'Secrets', value: secrets, shown: secrets ? 'yes' : 'no' },
      ...contentsEntries(result),
    ],
    ...contentsTables(result),
    notes,
  };
}

type ImportWish = {
  file: string;
  /** Whether the sandbox may have data, which is lost. */
  replaces: boolean;
  trustsAuthority: boolean;
  headline: string;
};

export async function importFile(
  { connections, prompts }: Uses<'connections' | 'prompts'>,
  { file, replaces, trustsAuthority, headline }: ImportWish,
): Promise<Outcome & { kind: 'record'; json: object }> {
  const copies = await connections.storeCopies();
  const imported = await copies.importSandbox(file, {
    replaces,
    async wantsAuthority(sha256) {
      if (trustsAuthority || !prompts.canAsk) return trustsAuthority;
      const question = `The file has another certificate authority (SHA-256 ${sha256}). Use it, and trust in \`esign verify\` what is sealed with it?`;
      return prompts.confirm(question, { always: true });
    },
  });
  const outcome = sandboxFileOutcome(headline, imported, notesOf(imported));
  const { authority } = imported;
  return {
    ...outcome,
    json: { ...outcome.json, authority },
    entries: [
      ...outcome.entries,
      { key: 'authority', label: 'Authority', value: authority, shown: SHOWN[authority] },
    ],
  };
}

const SHOWN: Record<SandboxImportResult['authority'], string> = {
  kept: 'kept',
  not_imported: 'kept; the file has another one',
  imported: 'imported',
};

/** Says what an import had to make, or has left out. */
function notesOf({ secrets, authority }: SandboxImportResult): string[] {
  if (!secrets)
    return [
      'The file has no secrets. Signing links and secrets of webhooks were made anew; users have no passwords, and applications no client secrets.',
    ];
  if (authority === 'not_imported')
    return [
      'The sandbox keeps its certificate authority. `esign verify` does not trust documents that were sealed with the authority of the file; `esign sandbox reset --to FILE --trust-authority` imports it, too.',
    ];
  return authority === 'imported'
    ? ['From now on, `esign verify` trusts documents that are sealed with the authority of the file.']
    : [];
}
