// Reads a JSON file that a person wrote, or standard input for `-`.
import { cliError } from '../command/errors.ts';
import type { FileReader } from './local-file.ts';

export async function readJson(path: string, reader: FileReader): Promise<unknown> {
  const text = new TextDecoder().decode(await reader.read(path));
  const name = path === '-' ? 'Standard input' : path;
  try {
    return JSON.parse(text);
  } catch {
    throw cliError('malformed_json', { source: name, isEmpty: text.trim() === '' });
  }
}
