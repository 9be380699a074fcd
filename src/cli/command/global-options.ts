// The options that hold for every command.

import type { ColorWish } from '../terminal/color.ts';
import type { OptionSpec } from './description.ts';
import { usageError } from './errors.ts';
import type { Settings } from './settings.ts';

export const GLOBAL_OPTIONS = {
  profile: {
    value: 'NAME',
    completes: 'profile',
    summary: 'the service to speak to, by the name of its profile',
  },
  sandbox: { summary: 'speak to the built-in sandbox; nothing leaves this machine' },
  json: { summary: 'print JSON; errors are JSON too, the last line of stderr' },
  select: { value: 'FIELD,…', summary: 'keep these properties of the JSON (implies --json)' },
  color: {
    value: 'WHEN',
    summary: 'colour the output',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
  },
  quiet: { short: 'q', summary: 'say nothing on stderr but errors' },
  debug: { summary: 'show requests and timings on stderr; secrets never' },
  'no-input': { summary: 'never ask anything' },
  'no-actions': { summary: 'no annotations, masks, outputs and summary in a job of GitHub Actions' },
  yes: { short: 'y', summary: 'answer questions with yes' },
} as const satisfies Record<string, OptionSpec>;

/** These two are answered before any command is looked for. */
export const HELP_OPTION = { help: { short: 'h', summary: 'show help' } } as const satisfies Record<
  string,
  OptionSpec
>;
export const VERSION_OPTION = {
  version: { short: 'V', summary: 'print the version' },
} as const satisfies Record<string, OptionSpec>;

/** @param options as commander read them: `--no-input` turns `input` off */
export function settingsOf(options: Record<string, unknown>): Settings {
  const select =
    typeof options.select === 'string' ? options.select.split(',').map((field) => field.trim()) : undefined;
  if (select?.some((field) => field === ''))
    throw usageError(
      'value_invalid',
      `--select "${options.select}" names an empty property.`,
      'Write --select id,status.',
    );
  return {
    profile: typeof options.profile === 'string' ? options.profile : undefined,
    sandbox: options.sandbox === true,
    json: options.json === true || select !== undefined,
    select,
    color: options.color as ColorWish,
    quiet: options.quiet === true,
    debug: options.debug === true,
    input: options.input !== false,
    yes: options.yes === true,
    actions: options.actions !== false,
  };
}
