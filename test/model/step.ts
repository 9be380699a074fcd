// How a step is taken: predicted by the model, done to the service, and everything compared.
import type fc from 'fast-check';
import { expect } from 'vitest';
import type { StateCommand } from '../../src/service/domain/states.ts';
import type { Status } from '../../src/service/domain/transaction.ts';
import { type Deal, type Model, type Outcome, settle } from './model.ts';
import { compare, outcomeOf, type Real, type Seen } from './real.ts';

export type Step = fc.AsyncCommand<Model, Real>;

/** Which commands were tried in which states, so that a run can tell what it never reached. */
export const tried = new Set<`${StateCommand} when ${Status}`>();

type Tried = { label: string; isPossible?: (model: Model) => boolean };

/** A step that changes at most what `act` names. */
export function step(
  { label, isPossible = () => true }: Tried,
  predict: (model: Model) => { outcome: Outcome; changed?: Deal | undefined },
  act: (real: Real, model: Model) => Promise<unknown>,
): Step {
  return {
    check: isPossible,
    toString: () => label,
    async run(model, real) {
      const changed = new Set(settle(model));
      for (const deal of changed)
        tried.add(`expire when ${deal.status === 'expired' ? 'started' : deal.status}`);
      const call = act(real, structuredClone(model));
      const prediction = predict(model);
      expect(await outcomeOf(call)).toBe(prediction.outcome);
      if (prediction.outcome === 'done' && prediction.changed) changed.add(prediction.changed);
      await compare(model, real, changed);
    },
  };
}

type On = { deal: Deal; seen: Seen; real: Real };

/** A step on one of the transactions there are. */
export function stepOn(
  label: string,
  which: number,
  command: (deal: Deal) => StateCommand,
  predict: (deal: Deal, model: Model) => Outcome,
  act: (on: On) => Promise<unknown>,
): Step {
  const at = (model: Model) => which % model.deals.length;
  return step(
    { label: `${label} #${which}`, isPossible: ({ deals }) => deals.length > 0 },
    (model) => {
      const changed = model.deals[at(model)] as Deal;
      tried.add(`${command(changed)} when ${changed.status}`);
      return { outcome: predict(changed, model), changed };
    },
    (real, model) => act({ deal: model.deals[at(model)] as Deal, seen: real.deals[at(model)] as Seen, real }),
  );
}
