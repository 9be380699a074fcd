// A series of questions that a person can go back through. Going back runs the function that asks them again from its beginning, with the
// answers up to the question before, so that no command has to be written as a list of steps.

/** Thrown by a question that a person leaves for the one before it. */
export class WentBack extends Error {}

export type QuestionSeries = {
  /** Whether there is a question to go back to. */
  hasWayBack(): boolean;
  /** Asks, or returns the answer that the question has had. @param ask receives the answer that it had before somebody went back to it */
  answer<T>(ask: (undone: unknown) => Promise<T>): Promise<T>;
  /** @param askAll may read, and has no other effect */
  run<R>(askAll: () => Promise<R>): Promise<R>;
};

type State = { answers: unknown[]; position: number; undone: unknown };

export function createQuestionSeries(): QuestionSeries {
  let current: State | undefined;
  return {
    hasWayBack: () => current !== undefined && current.position > 0,
    async answer<T>(ask: (undone: unknown) => Promise<T>): Promise<T> {
      const state = current;
      if (!state) return ask(undefined);
      if (state.position < state.answers.length) return state.answers[state.position++] as T;
      const value = await ask(state.undone);
      state.undone = undefined;
      state.answers.push(value);
      state.position += 1;
      return value;
    },
    async run(askAll) {
      if (current) return askAll();
      const state: State = { answers: [], position: 0, undone: undefined };
      current = state;
      try {
        for (;;)
          try {
            state.position = 0;
            return await askAll();
          } catch (error) {
            if (!(error instanceof WentBack)) throw error;
            state.undone = state.answers.pop();
          }
      } finally {
        current = undefined;
      }
    },
  };
}
