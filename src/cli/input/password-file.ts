// Reads a password from a file or standard input, but never from the command line, which other programs and the history of
// the shell can see.
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import { createFileReader } from './file-reader.ts';

/** Reads a password. @returns the content without the line end */
export async function readPassword(path: string, context: Uses<'process' | 'terminal'>): Promise<string> {
  const bytes = await createFileReader(context).read(path);
  const name = path === '-' ? 'Standard input' : `"${path}"`;
  const refused = (problem: string) => cliError('password_unreadable', { source: name, problem });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused('is not text');
  }
  const password = text.replace(/\r?\n$/, '');
  if (/[\r\n]/.test(password)) throw refused('has more than one line');
  return password;
}
