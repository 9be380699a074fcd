// The settings of every command, from its global options.
import type { ColorSetting } from '../terminal/color.ts';

export type Settings = {
  profile: string | undefined;
  sandbox: boolean;
  json: boolean;
  select: readonly string[] | undefined;
  /** A filter in the language of jq. */
  jq: string | undefined;
  color: ColorSetting;
  quiet: boolean;
  debug: boolean;
  /** False with `--no-input`. */
  input: boolean;
  yes: boolean;
  /** False with `--no-actions`. */
  actions: boolean;
  /** Prints secrets to a program with a language model as well. */
  reveal: boolean;
  /** `json` is true without an option, because such a program reads the output: records and lists become JSON, texts and files do not. */
  isJsonImplied?: true;
  /** Nothing of a file of the directory is added to the input, because the caller describes everything to a person who confirms it. */
  ignoresProject?: true;
  /** The digest of what a person has confirmed (command/confirmed.ts). The command must do that and nothing else. */
  confirmed?: string | undefined;
};
