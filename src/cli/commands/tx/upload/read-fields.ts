// Reads the fields that files bring along, in tags and forms, for the recipients of a draft. Everything that can be wrong is found here, before
// the first upload.
import { nearest } from '../../../../common/nearest.ts';
import type { DocumentEngine } from '../../../../pdf/engine/engine.ts';
import { cliError } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { isAnchored, type PlacedField } from '../../../input/field-spec.ts';
import type { FileReader, LocalFile } from '../../../input/local-file.ts';
import type { Addressee } from '../../../input/person.ts';
import { checkFieldTypes } from '../../../transactions/field-types.ts';
import { type FieldWarning, findCoveredFields } from '../../../transactions/field-warnings.ts';
import { readForms } from '../../../transactions/form-options.ts';
import { checkProperties, fieldsToSend } from '../../../transactions/known-values.ts';
import { resolveBox } from '../../../transactions/placement.ts';
import type { Preparations } from '../../../transactions/preparations.ts';
import type { ProjectDefaults } from '../../../transactions/project-defaults.ts';
import { type ReadyPdfs, readyPdfsOf } from '../../../transactions/ready-pdfs.ts';
import { findRecipientByEmail } from '../../../transactions/recipients.ts';
import { readTags, warnOfTags } from '../../../transactions/tag-options.ts';
import type { UploadInput } from './options.ts';

/** A field of the file at a position, from 0, for one of the people, from 0. */
export type FieldOfFile = { field: PlacedField; file: number; person: number };

export type FieldsOfFiles = {
  fields: readonly FieldOfFile[];
  preparations: Preparations;
  warnings: readonly FieldWarning[];
};

type Reading = {
  connection: Connection;
  people: readonly Addressee[];
  reader: FileReader;
  defaults: ProjectDefaults;
};

/** Mentions the tags of files whose tags are not read. */
export async function mentionTags(
  files: readonly LocalFile[],
  documents: DocumentEngine,
): Promise<FieldsOfFiles> {
  const pdfs = await readyPdfsOf(files, documents)();
  return { fields: [], preparations: {}, warnings: await warnOfTags(pdfs, documents) };
}

/** Reads the fields. @throws CliError exit 2 for what the service would refuse after an upload, as far as it is known */
export async function readFieldsOfFiles(
  files: readonly LocalFile[],
  options: UploadInput['options'],
  { connection, people, reader, defaults }: Reading,
): Promise<FieldsOfFiles> {
  const { documents } = reader;
  const tags = { tags: options.tags, mayBeMissing: defaults.tags };
  const tagged = await readTags(tags, people, files, documents);
  const sent = tagged?.files ?? files;
  const pdfs = readyPdfsOf(sent, documents, tagged?.pdfs);
  const switches = { ...options, mayBeMissing: defaults.form };
  const form = await readForms(switches, people.length, { pdfs, mayChange: true }, documents);
  const unread = tagged ? [] : await warnOfTags(await pdfs(), documents);
  const found = [...(tagged?.fields ?? []), ...(form?.fields ?? [])];
  const filled = options.data === undefined ? found : await fillIn(found, options.data, { people, reader });
  if (connection.isSandbox) {
    checkFieldTypes(filled);
    await checkProperties(filled, connection);
  }
  const taken = await fieldsToSend(connection, filled, sent);
  const fields = taken.fields.flatMap((field) =>
    isAnchored(field) ? [] : [{ field, file: (field.document ?? 1) - 1, person: personOf(field, people) }],
  );
  const covered = await findCovered(fields, people, await pdfs(), documents);
  return {
    fields,
    preparations: { drawn: taken.drawn, emptied: form?.emptied, removed: tagged?.removed },
    warnings: [...unread, ...(form?.warnings ?? []), ...(taken.warnings ?? []), ...covered],
  };
}

async function fillIn(
  fields: readonly PlacedField[],
  path: string,
  { people, reader }: Pick<Reading, 'people' | 'reader'>,
) {
  const { readDataFile, withData } = await import('../../../input/data-file.ts');
  return withData(fields, await readDataFile(path, reader), people);
}

/** @returns the position of who fills in the field. @throws CliError exit 2 where it is none of the people */
function personOf({ recipient = '1', source }: PlacedField, people: readonly Addressee[]): number {
  const found = /^\d+$/.test(recipient)
    ? people[Number(recipient) - 1]
    : findRecipientByEmail(people, recipient, source);
  if (found) return people.indexOf(found);
  const emails = people.map(({ email }) => email);
  throw cliError('field_recipient_unknown', {
    field: source,
    people: emails.join(', ') || 'no recipients yet',
    meant: nearest(recipient, emails),
  });
}

/** Warns of fields that cover text. @throws CliError exit 2 for a field that is off its page */
async function findCovered(
  fields: readonly FieldOfFile[],
  people: readonly Addressee[],
  pdfs: ReadyPdfs,
  documents: DocumentEngine,
): Promise<FieldWarning[]> {
  const warnings: FieldWarning[] = [];
  for (const [index, pdf] of pdfs.entries()) {
    if (!pdf) continue;
    const here = fields
      .filter(({ file }) => file === index)
      .map(({ field, person }) => ({
        type: field.type,
        recipient: people[person]?.email ?? null,
        box: resolveBox(field, { sizes: pdf.pages }, pdf.name),
      }));
    warnings.push(...(await findCoveredFields(pdf, here, documents)));
  }
  return warnings;
}
