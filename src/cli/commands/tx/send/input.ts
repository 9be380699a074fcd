// What `tx send` was given, read and checked: first what needs no service, then the plan for the service it goes to.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Uses } from '../../../command/context.ts';
import { usageError } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { readFieldFile } from '../../../input/field-file.ts';
import { type PlacedField, parseFieldSpec } from '../../../input/field-spec.ts';
import { createFileReader, type LocalFile } from '../../../input/local-file.ts';
import { parseAddressee } from '../../../input/person.ts';
import { checkFieldTypes } from '../../../transactions/field-types.ts';
import { makePlan, type Plan } from '../../../transactions/plan.ts';
import { senderOf } from '../../../transactions/sender.ts';
import { textsOf } from '../../../transactions/texts.ts';
import type { SendInput } from './options.ts';

type Contents = Map<number, Uint8Array<ArrayBuffer>>;

export type ReadInput = { planFor(connection: Connection): Promise<{ plan: Plan; contents: Contents }> };

export async function readSendInput(
  context: Uses<'process' | 'prompts' | 'terminal'>,
  { args, options }: SendInput,
  reading: Promise<LocalFile[]>,
): Promise<ReadInput> {
  const to = options.to.map((text) => parseAddressee(text, '--to'));
  const texts = textsOf(options);
  const specs = options.field.map(parseFieldSpec);
  const reader = createFileReader(context);
  if (args.file.length === 0 && options.template.length === 0)
    throw usageError(
      'file_missing',
      'There is nothing to sign.',
      'Name a FILE, or a template with --template.',
    );
  if ([...args.file, options.fields].filter((path) => path === '-').length > 1)
    throw usageError('stdin_twice', 'Standard input can be read once only.', 'Name - once.');
  const files = await reading;
  const fields =
    options.fields === undefined ? specs : [...specs, ...(await readFieldFile(options.fields, reader))];
  const parts = {
    id: newPlanId(),
    files,
    templates: options.template,
    to,
    fields,
    texts,
    notify: options.notify,
    draft: options.draft,
  };
  return {
    async planFor(connection) {
      const sender = await senderOf(context, connection, options.sender, options.template.length > 0);
      const known = connection.isSandbox ? await checkedBySandbox(connection, fields, options.template) : {};
      const name = texts.name ?? (files.length === 0 ? known.templateName : undefined);
      const plan = makePlan({
        ...parts,
        sender,
        texts: { ...texts, name },
        newId: connection.makesRecipientIds ? randomUUID : undefined,
      });
      return { plan, contents: new Map(files.map(({ bytes }, index) => [index, bytes])) };
    },
  };
}

/**
 * What the sandbox would refuse after the draft is made. Another service may know other types, and its templates at
 * another address: it is left to say so itself.
 */
async function checkedBySandbox(
  { client }: Connection,
  fields: readonly PlacedField[],
  templates: readonly string[],
): Promise<{ templateName?: string | undefined }> {
  checkFieldTypes(fields);
  const found = [];
  for (const templateId of templates) found.push(await client['template.detail']({ params: { templateId } }));
  return { templateName: found[0]?.name };
}

/** Short enough to be typed; 60 bits, so that nobody meets it twice. */
function newPlanId(): string {
  const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'; // 31 signs that are not mistaken for each other
  const bytes = randomBytes(12);
  return `plan-${[...bytes].map((byte) => alphabet[byte % alphabet.length]).join('')}`;
}
