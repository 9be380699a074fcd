// `tx cancel` with the parts of a context that it uses, and no others, on a real service.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandContext, Uses } from '../../../../src/cli/command/context.ts';
import { command } from '../../../../src/cli/commands/tx/cancel.ts';
import type { Connection } from '../../../../src/cli/connection/connection.ts';
import { endTransaction, startTransaction } from '../../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../../support/harness.ts';

let service: Harness;
beforeAll(async () => {
  service = await openHarness('in process');
});
afterAll(() => service.close());

type Answers = { canAsk: boolean; says: boolean; picks?: string };

function contextFor({ canAsk, says, picks }: Answers) {
  const asked: string[] = [];
  const context: Uses<'connections' | 'history' | 'prompts' | 'settings'> = {
    connections: {
      connect: async () =>
        ({ client: service.client, profile: 'sandbox' }) as Pick<
          Connection,
          'client' | 'profile'
        > as Connection,
    } as CommandContext['connections'],
    settings: {} as CommandContext['settings'],
    history: {
      recentItems: async () => ({
        profile: 'sandbox',
        service: 'sandbox',
        things: [{ kind: 'transaction', id: picks ?? 'x', name: 'Agreement', service: 'sandbox', atMs: 0 }],
      }),
    } as unknown as CommandContext['history'],
    prompts: {
      canAsk,
      series: <R>(askAll: () => Promise<R>) => askAll(),
      confirm: async (question: string) => asked.push(question) > 0 && says,
      choose: async (question: string) => {
        asked.push(question);
        return picks;
      },
      ask: async (question: string) => {
        asked.push(question);
        return 'Wrong contract';
      },
    } as unknown as CommandContext['prompts'],
  };
  const run = (id: string | undefined, reason: string | undefined = 'Wrong contract') =>
    command.run(context as CommandContext, { args: { id }, options: { reason } });
  return { asked, run };
}

const statusOf = async (id: string) =>
  (await service.client['transaction.detail']({ params: { transactionId: id } })).cancelled_reason;

describe('cancelling', () => {
  test('a script that gives a reason is not asked', async () => {
    const { id } = await startTransaction(service);
    const { asked, run } = contextFor({ canAsk: false, says: false });
    expect(await run(id)).toMatchObject({
      headline: 'Cancelled the transaction.',
      json: { id, outcome: 'cancelled' },
    });
    expect(asked).toEqual([]);
  });

  test('a person who does not mean it cancels nothing', async () => {
    const { id } = await startTransaction(service);
    const { asked, run } = contextFor({ canAsk: true, says: false });
    await expect(run(id)).rejects.toMatchObject({ facts: { code: 'not_confirmed' } });
    expect(asked).toEqual([`Cancel transaction ${id}?`]);
    expect(await statusOf(id)).toBeNull();
  });

  test('a person is asked nothing about a transaction that cannot be cancelled', async () => {
    const { id } = await endTransaction(service, 'rejected');
    const { asked, run } = contextFor({ canAsk: true, says: true });
    await expect(run(id, undefined)).rejects.toMatchObject({
      message: `Transaction ${id} is rejected; only a transaction with the status started can be cancelled.`,
      facts: { code: 'transaction_not_started', exit: 6 },
    });
    expect(asked).toEqual([]);
  });

  test('without an id a person chooses one, and a script gets an error', async () => {
    const { id } = await startTransaction(service);
    const { asked, run } = contextFor({ canAsk: true, says: true, picks: id });
    expect(await run(undefined)).toMatchObject({ json: { id, outcome: 'cancelled' } });
    expect(asked).toEqual(['Transaction', `Cancel transaction ${id}?`]);
    const script = contextFor({ canAsk: false, says: true });
    await expect(script.run(undefined)).rejects.toMatchObject({
      facts: { code: 'argument_missing', exit: 2 },
    });
  });
});
