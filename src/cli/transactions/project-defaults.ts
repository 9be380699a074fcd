// Fills in options from the file of a project. The file comes with a repository, which other people may have written, so the
// command prints what it takes from there, and the recipients with their values before the first request.

import { nearest } from '../../common/nearest.ts';
import { PROJECT_FILE, type Project, readProject } from '../../config/project-file.ts';
import type { Uses } from '../command/context.ts';
import type { GivenField } from '../input/field-spec.ts';
import { safeText } from '../terminal/safe-text.ts';

/** Of a command that takes options of `tx send`; all of them have its names. Not every one places fields. */
type TakesOptions = { options: object & { field?: string[]; fields?: string | undefined } };

/** What comes from the file, which is for documents with and without tags and forms. */
export type ProjectDefaults = {
  /** Fields of the option `field`. */
  fields: readonly GivenField[];
  /** Whether the file decides that tags are read. */
  tags: boolean;
  /** Whether the file decides that forms are read. */
  form: boolean;
};

export type WithProject<I> = {
  input: I;
  /** The file has set the recipients, and not the user. */
  decidesWhoIsAsked: boolean;
  defaults: ProjectDefaults;
};

export const NO_DEFAULTS: ProjectDefaults = { fields: [], tags: false, form: false };

/** Adds the defaults of the project to the input. @param takes whether the command uses an option; absent: it uses all */
export async function withProject<I extends TakesOptions>(
  context: Uses<'process' | 'settings' | 'terminal'>,
  input: I,
  takes: (option: string) => boolean = () => true,
): Promise<WithProject<I>> {
  const project = (await readProject(context.process.workingDir, nearest)) ?? {};
  const { options } = input;
  const hasFields = (options.field ?? []).length > 0 || options.fields !== undefined;
  const taken = Object.entries(project).filter(
    ([key]) => takes(key) && (key === 'field' ? !hasFields : isLeft(options[key as keyof typeof options])),
  );
  if (taken.length === 0) return { input, decidesWhoIsAsked: false, defaults: NO_DEFAULTS };
  context.terminal.progress.note(`Options from ${PROJECT_FILE}: ${taken.map(([key]) => key).join(', ')}`);
  const isTaken = (option: string) => taken.some(([key]) => key === option);
  const to = isTaken('to') ? project.to : undefined;
  if (to) printRecipients(context, to);
  return {
    input: {
      ...input,
      options: { ...options, ...Object.fromEntries(taken.filter(([key]) => key !== 'field')) },
    },
    decidesWhoIsAsked: to !== undefined,
    defaults: {
      fields: isTaken('field') ? await readFields(project.field ?? []) : [],
      tags: isTaken('tags'),
      form: isTaken('form-fields'),
    },
  };
}

async function readFields(fields: NonNullable<Project['field']>): Promise<GivenField[]> {
  if (fields.every((field) => typeof field === 'string')) {
    const { parseFieldSpec } = await import('../input/field-spec.ts');
    return fields.map(parseFieldSpec);
  }
  const { readFieldList } = await import('../input/field-file.ts');
  return readFieldList(fields, PROJECT_FILE, PROJECT_FILE);
}

/** Prints the recipients, with `--json` as well, so that the log of a CI job has them. `--quiet` prints nothing. */
function printRecipients(
  { settings, terminal: { streams, progress } }: Uses<'settings' | 'terminal'>,
  to: readonly string[],
): void {
  const sentence = `Recipients from ${PROJECT_FILE}: ${to.join(', ')}`;
  if (settings.json && !settings.quiet) streams.err.write(`${safeText(sentence)}\n`);
  else progress.note(sentence);
}

const isLeft = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : value === undefined || value === false;
