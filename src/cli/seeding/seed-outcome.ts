// Shows what was seeded.
import type { Outcome } from '../command/outcome.ts';
import type { SeededThing, SeedResult } from './seeded-thing.ts';

const RESULTS: Record<SeedResult, string> = {
  created: 'created',
  continued: 'continued',
  unchanged: 'exists',
};

export function seedOutcome(things: readonly SeededThing[], isDryRun: boolean): Outcome {
  const secrets = things.flatMap(({ name, secrets = {} }) =>
    Object.entries(secrets).map(([key, value]) => [name, key, value]),
  );
  return {
    kind: 'record',
    headline: headlineOf(things, isDryRun),
    json: things,
    entries: [],
    tables: [
      {
        key: 'thing',
        columns: ['Kind', { name: 'Name', fit: 'cuts' }, 'Result', 'Status', 'ID'],
        rows: things.map(({ kind, name, result, status, id }) => [kind, name, RESULTS[result], status, id]),
      },
      ...(secrets.length === 0
        ? []
        : [
            {
              key: 'secret',
              title: 'Secrets, which are not shown again',
              columns: ['Of', 'Secret', 'Value'],
              rows: secrets,
            },
          ]),
    ],
  };
}

function headlineOf(things: readonly SeededThing[], isDryRun: boolean): string {
  const made = things.filter(({ result }) => result !== 'unchanged').length;
  const there = things.length - made;
  const sentence = isDryRun ? 'The file is correct. Nothing was created' : 'Seeded the sandbox';
  return `${sentence}: ${made} ${isDryRun ? 'would be created or continued' : 'created or continued'}, ${there} exist${there === 1 ? 's' : ''} already.`;
}
