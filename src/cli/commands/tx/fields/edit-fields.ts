// `tx fields --edit`: sets the fields that are given, and opens the editor in the browser.
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { editInBrowser } from '../../../transactions/edit-in-browser.ts';
import type { FieldsInput } from './options.ts';
import { isSetting, showOrSetFields } from './show-or-set-fields.ts';

export async function editFields(
  context: Uses<'connections' | 'process' | 'terminal'>,
  input: FieldsInput,
): Promise<Outcome> {
  const { args, options } = input;
  if (isSetting(options)) await showOrSetFields(context, input);
  const connection = await context.connections.connect();
  const edited = await editInBrowser(context, connection, args.id, {
    waits: !options['no-wait'],
    sends: false,
  });
  if (edited.kind === 'opened') return edited.shown;
  const shown = { field: [], from: undefined, replace: false, 'form-fields': false, 'form-to': undefined };
  return showOrSetFields(context, { args, options: { ...options, ...shown } });
}
