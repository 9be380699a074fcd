// A JSON file that a person wrote, or standard input for `-`.
import { usageError } from '../command/errors.ts';
import type { FileReader } from './local-file.ts';

export async function readJson(path: string, reader: FileReader): Promise<unknown> {
  const text = new TextDecoder().decode(await reader.read(path));
  const name = path === '-' ? 'Standard input' : path;
  try {
    return JSON.parse(text);
  } catch {
    const why = text.trim() === '' ? 'is empty' : 'is not valid JSON';
    throw usageError('malformed_json', `${name} ${why}.`, 'Check it with a JSON tool.');
  }
}
