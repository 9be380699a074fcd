// What the file of a project says where no option does. The file comes with a repository, which anybody may have written:
// what it fills in is printed, and who gets the documents is printed with its values before the first request.
import { PROJECT_FILE, readProject } from '../../config/project-file.ts';
import type { Uses } from '../command/context.ts';
import { nearest } from '../input/nearest.ts';
import { safeText } from '../terminal/safe-text.ts';

/** Of a command that takes options of `tx send`; all of them have its names. */
type TakesOptions = { options: { field: string[]; fields: string | undefined } };

export type WithProject<I> = {
  input: I;
  /** The file, not the person, decided who is asked. */
  decidesWhoIsAsked: boolean;
};

/** @param takes whether an option is of use to the command; left out, all of them are */
export async function withProject<I extends TakesOptions>(
  context: Uses<'process' | 'settings' | 'terminal'>,
  input: I,
  takes: (option: string) => boolean = () => true,
): Promise<WithProject<I>> {
  const project = await readProject(context.process.workingDir, nearest);
  if (!project) return { input, decidesWhoIsAsked: false };
  const { options } = input;
  const hasFields = options.field.length > 0 || options.fields !== undefined;
  const taken = Object.entries(project).filter(
    ([key]) => takes(key) && (key === 'field' ? !hasFields : isLeft(options[key as keyof typeof options])),
  );
  if (taken.length === 0) return { input, decidesWhoIsAsked: false };
  context.terminal.progress.note(`Options from ${PROJECT_FILE}: ${taken.map(([key]) => key).join(', ')}`);
  const to = taken.some(([key]) => key === 'to') ? project.to : undefined;
  if (to) sayWhoIsAsked(context, to);
  return {
    input: { ...input, options: { ...options, ...Object.fromEntries(taken) } },
    decidesWhoIsAsked: to !== undefined,
  };
}

/** With `--json` as well, where nothing else is said: a job's log is where somebody looks for it. Quiet is quiet. */
function sayWhoIsAsked(
  { settings, terminal: { streams, progress } }: Uses<'settings' | 'terminal'>,
  to: readonly string[],
): void {
  const sentence = `Recipients from ${PROJECT_FILE}: ${to.join(', ')}`;
  if (settings.json && !settings.quiet) streams.err.write(`${safeText(sentence)}\n`);
  else progress.note(sentence);
}

const isLeft = (value: unknown): boolean => (Array.isArray(value) ? value.length === 0 : value === undefined);
