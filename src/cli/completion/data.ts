// The command tree as TAB reads it: written when the program is built (describe/completion-data.ts), read at each TAB.
import type { ArgumentSpec, OptionSpec } from '../command.ts';

export type CompletionLeaf = {
  summary: string;
  arguments: readonly ArgumentSpec[];
  options: Readonly<Record<string, OptionSpec>>;
};

export type CompletionBranch = { summary: string; children: CompletionTree };

export type CompletionTree = Readonly<Record<string, CompletionLeaf | CompletionBranch>>;

/** A value that may stand there, and what it is. */
export type Offer = { value: string; about: string };

export type CompletionData = {
  tree: CompletionTree;
  /** Options of every command. */
  options: Readonly<Record<string, OptionSpec>>;
  /** What is the same on every machine. */
  operation: readonly Offer[];
  setting: readonly Offer[];
  event: readonly Offer[];
  scope: readonly Offer[];
  /** Topics of `esign help` that are no commands. */
  topic: readonly Offer[];
};
