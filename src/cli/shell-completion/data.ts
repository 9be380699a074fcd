// The command tree as TAB reads it: written when the program is built (describe/completion-data.ts), read at each TAB.
import type { ArgumentSpec, OptionSpec } from '../command/description.ts';

/** A command has arguments and options, a group has children; some are both. */
export type CompletionNode = {
  summary: string;
  arguments?: readonly ArgumentSpec[];
  options?: Readonly<Record<string, OptionSpec>>;
  children?: CompletionTree;
};

export type CompletionTree = Readonly<Record<string, CompletionNode>>;

/** A value to offer, and its description. */
export type Offer = { value: string; about: string };

export type CompletionData = {
  tree: CompletionTree;
  /** Options of every command. */
  options: Readonly<Record<string, OptionSpec>>;
  /** Values that are the same on every machine. */
  operation: readonly Offer[];
  setting: readonly Offer[];
  event_type: readonly Offer[];
  scope: readonly Offer[];
  /** Topics of `esign help` that are no commands. */
  topic: readonly Offer[];
};
