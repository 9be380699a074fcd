// How a step is taken: predicted by the model, done to the service, and everything compared.
import type fc from 'fast-check';
import { expect } from 'vitest';
import type { StateCommand } from '../../src/service/domain/states.ts';
import type { Status } from '../../src/service/domain/transaction.ts';
import { type Model, type ModelTransaction, type Outcome, settle } from './model.ts';
import { compare, outcomeOf, type Real, type Seen } from './real.ts';

export type Step = fc.AsyncCommand<Model, Real>;

/** Which commands were tried in which states, so that a run can tell what it never reached. */
export const attempted = new Set<`${StateCommand} when ${Status}`>();

type StepOptions = { label: string; isPossible?: (model: Model) => boolean };

/** A step that changes at most what `act` names. */
export function step(
  { label, isPossible = () => true }: StepOptions,
  predict: (model: Model) => { outcome: Outcome; changed?: ModelTransaction | undefined },
  act: (real: Real, model: Model) => Promise<unknown>,
): Step {
  return {
    check: isPossible,
    toString: () => label,
    async run(model, real) {
      const changed = new Set(settle(model));
      for (const transaction of changed)
        attempted.add(`expire when ${transaction.status === 'expired' ? 'started' : transaction.status}`);
      const call = act(real, structuredClone(model));
      const prediction = predict(model);
      expect(await outcomeOf(call)).toBe(prediction.outcome);
      if (prediction.outcome === 'done' && prediction.changed) changed.add(prediction.changed);
      await compare(model, real, changed);
    },
  };
}

type StepTarget = { transaction: ModelTransaction; seen: Seen; real: Real };

/** A step on one of the transactions there are. */
export function stepOn(
  label: string,
  which: number,
  command: (transaction: ModelTransaction) => StateCommand,
  predict: (transaction: ModelTransaction, model: Model) => Outcome,
  act: (on: StepTarget) => Promise<unknown>,
): Step {
  const at = (model: Model) => which % model.transactions.length;
  return step(
    { label: `${label} #${which}`, isPossible: ({ transactions }) => transactions.length > 0 },
    (model) => {
      const changed = model.transactions[at(model)] as ModelTransaction;
      attempted.add(`${command(changed)} when ${changed.status}`);
      return { outcome: predict(changed, model), changed };
    },
    (real, model) =>
      act({
        transaction: model.transactions[at(model)] as ModelTransaction,
        seen: real.transactions[at(model)] as Seen,
        real,
      }),
  );
}
