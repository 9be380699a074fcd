// Writes the line of curl that does what `esign api` would do, for a POSIX shell. It never contains a secret: the shell inserts it.
import { shellWord } from '../../command/shell-word.ts';
import type { ApiCall } from './api-call.ts';

/** curl reads `@"NAME"` with backslashes before quotes and backslashes. */
const formFile = (file: string): string => `file=@"${file.replace(/(["\\])/g, '\\$1')}"`;

export function curlLine({ call, bodyFile, form }: ApiCall): string {
  const { method, url, headers, body } = call;
  const words = ['curl', '-X', method, shellWord(url), '-H', '"Authorization: Bearer $ESIGN_ACCESS_TOKEN"'];
  if ('x-esign-control' in headers) words.push('-H', '"X-Esign-Control: $ESIGN_CONTROL_SECRET"');
  for (const [name, value] of Object.entries(headers))
    if (name === 'accept' || (name === 'content-type' && !form))
      words.push('-H', shellWord(`${name}: ${value}`));
  if (form) {
    for (const [name, value] of form.texts) words.push('--form-string', shellWord(`${name}=${value}`));
    words.push('-F', shellWord(formFile(form.file)));
  } else if (bodyFile !== undefined) words.push('--data-binary', shellWord(`@${bodyFile}`));
  else if (body instanceof Uint8Array) words.push('--data-raw', shellWord(new TextDecoder().decode(body)));
  return words.join(' ');
}
