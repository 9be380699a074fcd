// Fills in options from the file of a project. The file comes with a repository, which other people may have written, so the
// command prints what it takes from there, and the recipients with their values before the first request.
import { PROJECT_FILE, readProject } from '../../config/project-file.ts';
import type { Uses } from '../command/context.ts';
import { nearest } from '../input/nearest.ts';
import { safeText } from '../terminal/safe-text.ts';

/** Of a command that takes options of `tx send`; all of them have its names. */
type TakesOptions = { options: { field: string[]; fields: string | undefined } };

export type WithProject<I> = {
  input: I;
  /** The file has set the recipients, and not the user. */
  decidesWhoIsAsked: boolean;
  /** Tags are read because the file says so, in documents that may have none. */
  decidesTags: boolean;
};

/** Adds the defaults of the project to the input. @param takes whether the command uses an option; absent: it uses all */
export async function withProject<I extends TakesOptions>(
  context: Uses<'process' | 'settings' | 'terminal'>,
  input: I,
  takes: (option: string) => boolean = () => true,
): Promise<WithProject<I>> {
  const project = await readProject(context.process.workingDir, nearest);
  if (!project) return { input, decidesWhoIsAsked: false, decidesTags: false };
  const { options } = input;
  const hasFields = options.field.length > 0 || options.fields !== undefined;
  const taken = Object.entries(project).filter(
    ([key]) => takes(key) && (key === 'field' ? !hasFields : isLeft(options[key as keyof typeof options])),
  );
  if (taken.length === 0) return { input, decidesWhoIsAsked: false, decidesTags: false };
  context.terminal.progress.note(`Options from ${PROJECT_FILE}: ${taken.map(([key]) => key).join(', ')}`);
  const to = taken.some(([key]) => key === 'to') ? project.to : undefined;
  if (to) printRecipients(context, to);
  return {
    input: { ...input, options: { ...options, ...Object.fromEntries(taken) } },
    decidesWhoIsAsked: to !== undefined,
    decidesTags: taken.some(([key, value]) => key === 'tags' && value === true),
  };
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
