// The one gate to questions. Nobody is asked who cannot answer: without a terminal on stdin and stderr the answer is
// an error that says which flag to give.
import { Interrupted, usageError } from '../errors.ts';

export type Prompts = {
  canAsk: boolean;
  /** True with `--yes`; asks at a terminal; otherwise refuses and names the flag. */
  confirm(question: string): Promise<boolean>;
  /** @param flag what to give instead of an answer, for who cannot be asked */
  ask(question: string, flag: string): Promise<string>;
};

export type PromptOptions = {
  canAsk: boolean;
  yes: boolean;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
};

export function createPrompts({ canAsk, yes, output, signal }: PromptOptions): Prompts {
  const context = { output, signal };
  return {
    canAsk,
    async confirm(question) {
      if (yes) return true;
      if (!canAsk)
        throw usageError(
          'confirmation_needed',
          `Nobody could be asked: ${question}`,
          'Give --yes to mean it.',
        );
      const { confirm } = await import('@inquirer/prompts');
      return answered(confirm({ message: question, default: false }, context));
    },
    async ask(question, flag) {
      if (!canAsk) throw usageError('value_missing', `${question} is missing.`, `Give ${flag}.`);
      const { input } = await import('@inquirer/prompts');
      return answered(input({ message: question, required: true }, context));
    },
  };
}

/** Ctrl-C and a closed stdin end a question with an error of @inquirer's own. */
async function answered<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof Error && /^(ExitPromptError|AbortPromptError)$/.test(error.name))
      throw new Interrupted('SIGINT');
    throw error;
  }
}
