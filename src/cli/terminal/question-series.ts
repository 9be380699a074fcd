// A series of questions that a person can go back through. Going back runs the function that asks them again from its beginning, with the
// answers up to the question before, so that no command has to be written as a list of steps. Meanwhile the files or the service may have
// changed, and other questions are asked: an answer counts only for the question that it was given to.

/** Thrown by a question that a person leaves for the one before it. */
export class WentBack extends Error {}

export type QuestionSeries = {
  /** Whether there is a question to go back to. */
  hasWayBack(): boolean;
  /**
   * Asks, or returns the answer that the question has had.
   * @param question identifies it: its kind, its words and its choices
   * @param ask receives the answer that it had before somebody went back to it
   */
  answer<T>(question: string, ask: (previousAnswer: unknown) => Promise<T>): Promise<T>;
  /** Prints at once, or, while answers are repeated, before the next question that is asked: not again before those that are not. */
  print(write: () => void): void;
  /** @param askAll may read, and has no other effect */
  run<R>(askAll: () => Promise<R>): Promise<R>;
};

type Answer = { question: string; value: unknown };

type State = {
  answers: Answer[];
  /** How many questions of this run have their answer. */
  position: number;
  /** The answer that somebody went back to. */
  previous: Answer | undefined;
  /** What waits to be printed. */
  unprinted: (() => void)[];
};

const isRepeating = ({ answers, position }: State): boolean => position < answers.length;

function printAll({ unprinted }: State): void {
  for (const write of unprinted.splice(0)) write();
}

export function createQuestionSeries(): QuestionSeries {
  let current: State | undefined;
  return {
    hasWayBack: () => current !== undefined && current.position > 0,
    async answer<T>(question: string, ask: (previousAnswer: unknown) => Promise<T>): Promise<T> {
      const state = current;
      if (!state) return ask(undefined);
      const { answers, position, previous } = state;
      const repeated = answers[position];
      if (repeated?.question === question) {
        state.unprinted = [];
        state.position += 1;
        return repeated.value as T;
      }
      // The questions after one that was not asked before are others as well.
      answers.length = position;
      state.previous = undefined;
      printAll(state);
      const value = await ask(previous?.question === question ? previous.value : undefined);
      answers.push({ question, value });
      state.position += 1;
      return value;
    },
    print(write) {
      if (current && isRepeating(current)) current.unprinted.push(write);
      else write();
    },
    async run(askAll) {
      if (current) return askAll();
      const state: State = { answers: [], position: 0, previous: undefined, unprinted: [] };
      current = state;
      try {
        for (;;)
          try {
            state.position = 0;
            return await askAll();
          } catch (error) {
            if (!(error instanceof WentBack)) throw error;
            state.previous = state.answers.pop();
          }
      } finally {
        current = undefined;
        printAll(state);
      }
    },
  };
}
