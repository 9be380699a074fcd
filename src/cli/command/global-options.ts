// The options of every command.

import type { ColorSetting } from '../terminal/color.ts';
import type { OptionSpec } from './description.ts';
import type { Settings } from './settings.ts';
import { invalidValue, optionsConflict } from './wrong-input.ts';

export const GLOBAL_OPTIONS = {
  profile: {
    value: 'NAME',
    completes: 'profile',
    summary:
      'Use this connection profile (default: the service in ESIGN_BASE_URL, otherwise the active profile, otherwise the sandbox)',
  },
  sandbox: { summary: 'Use the offline sandbox on this machine' },
  json: { summary: 'Print JSON; an error is JSON on the last line of stderr (see `esign help json`)' },
  select: { value: 'PROPERTY,…', summary: 'Print only these JSON properties (implies --json)' },
  jq: {
    value: 'EXPRESSION',
    summary:
      'Filter the JSON output with a jq expression; jq is built in (implies --json); not with --select',
  },
  color: {
    value: 'WHEN',
    summary: 'Color mode',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
  },
  quiet: {
    short: 'q',
    summary: 'Suppress progress, notices and most warnings on stderr; errors stay',
  },
  debug: { summary: 'Show requests and timings on stderr, without secrets' },
  'no-input': {
    summary:
      'Never prompt, as in a script: missing input is an error, and cancel and send need no confirmation',
  },
  'no-actions': {
    summary: 'Turn off the GitHub Actions integration (annotations, masks, outputs and summary)',
  },
  reveal: {
    summary:
      'Print secrets and signing links to a program with a language model as well (see `esign help environment`)',
  },
  yes: { short: 'y', summary: 'Confirm without a prompt, and overwrite existing files' },
} as const satisfies Record<string, OptionSpec>;

/** The program answers these two before it looks for a command. */
export const HELP_OPTION = { help: { short: 'h', summary: 'Show help' } } as const satisfies Record<
  string,
  OptionSpec
>;
export const VERSION_OPTION = {
  version: { short: 'V', summary: 'Show the version' },
} as const satisfies Record<string, OptionSpec>;

/** @param options as commander read them: `--no-input` turns `input` off */
export function parseSettings(options: Record<string, unknown>): Settings {
  const select =
    typeof options.select === 'string' ? options.select.split(',').map((field) => field.trim()) : undefined;
  if (select?.some((field) => field === ''))
    throw invalidValue({
      name: '--select',
      value: String(options.select),
      problem: 'names an empty property',
      use: 'names with commas between them, for example --select id,status',
    });
  const jq = typeof options.jq === 'string' ? options.jq : undefined;
  if (jq !== undefined && select)
    throw optionsConflict('--jq', '--select', {
      hint: "Leave out --select; --jq '.items[] | {id, name}' selects properties as well.",
    });
  return {
    profile: typeof options.profile === 'string' ? options.profile : undefined,
    sandbox: options.sandbox === true,
    json: options.json === true || select !== undefined || jq !== undefined,
    select,
    jq,
    color: options.color as ColorSetting,
    quiet: options.quiet === true,
    debug: options.debug === true,
    input: options.input !== false,
    yes: options.yes === true,
    actions: options.actions !== false,
    reveal: options.reveal === true,
  };
}
