// What the file of a project says where no option does. Whoever sends is told what came from there.
import { PROJECT_FILE, readProject } from '../../../../config/project-file.ts';
import type { Uses } from '../../../command/context.ts';
import type { SendInput } from './options.ts';

export async function withProject(
  context: Uses<'process' | 'terminal'>,
  input: SendInput,
): Promise<SendInput> {
  const project = await readProject(context.process.workingDir);
  if (!project) return input;
  const { options } = input;
  const hasFields = options.field.length > 0 || options.fields !== undefined;
  const taken = Object.entries(project).filter(([key]) =>
    key === 'field' ? !hasFields : isLeft(options[key as keyof typeof options]),
  );
  if (taken.length === 0) return input;
  context.terminal.progress.note(`${PROJECT_FILE}: ${taken.map(([key]) => key).join(', ')}`);
  return { ...input, options: { ...options, ...Object.fromEntries(taken) } };
}

const isLeft = (value: unknown): boolean => (Array.isArray(value) ? value.length === 0 : value === undefined);
