// Whose documents are processed next: as many at a time as the service may, and companies take turns.
import { expect, test } from 'vitest';
import { ok } from '../../../src/service/context.ts';
import { createFairQueue } from '../../../src/service/sealing/fair-queue.ts';

/** Transactions whose documents end when the test says so. */
function queueOf(atOnce: number) {
  const queue = createFairQueue(atOnce);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const seal = (company: string, name: string, documents = 1) =>
    queue.run(company, async (inTurn) => {
      for (let count = 1; count <= documents; count += 1)
        await inTurn(async () => {
          const document = `${name}.${count}`;
          begun.push(document);
          await new Promise<void>((resolve) => ends.set(document, resolve));
          return ok(undefined);
        });
    });
  return { seal, begun, end: (document: string) => ends.get(document)?.() };
}

test('transactions of one company are processed beside each other, as many as the service may', async () => {
  const { seal, begun, end } = queueOf(2);
  const all = ['a', 'b', 'c'].map((name) => seal('one', name));
  await expect.poll(() => begun, { interval: 1 }).toEqual(['a.1', 'b.1']);
  end('b.1');
  await expect.poll(() => begun, { interval: 1 }).toEqual(['a.1', 'b.1', 'c.1']);
  for (const document of ['a.1', 'c.1']) end(document);
  await Promise.all(all);
});

test('a company with many documents delays another one by one of them', async () => {
  const { seal, begun, end } = queueOf(1);
  const all = [seal('one', 'a', 3), seal('one', 'b'), seal('two', 'c')];
  const order = ['a.1', 'c.1', 'a.2', 'a.3', 'b.1'];
  for (const [index, document] of order.entries()) {
    await expect.poll(() => begun, { interval: 1 }).toEqual(order.slice(0, index + 1));
    end(document);
  }
  await Promise.all(all);
});

test('a transaction that fails lets the next one of its company begin', async () => {
  const queue = createFairQueue(1);
  const failing = queue.run('one', async () => {
    throw new Error('It fails.');
  });
  const next = queue.run('one', async () => 'sealed');
  await expect(failing).rejects.toThrow('It fails.');
  expect(await next).toBe('sealed');
});
