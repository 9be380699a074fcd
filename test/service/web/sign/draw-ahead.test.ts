// The first picture of a document page is begun when the page is requested, drawn once for all requests that come meanwhile, recorded as
// delivered only when it is requested, and kept after it was shown.
import { expect, test, vi } from 'vitest';
import type { DocumentEngine } from '../../../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../../../src/pdf/engine/in-process.ts';
import {
  giveConsent,
  openSigningPages,
  startWithEveryField,
} from '../../../support/fixtures/signing-pages.ts';
import { openHarness } from '../../../support/harness.ts';
import { SLOW } from '../../../support/tier.ts';

type DrawPage = DocumentEngine['drawPage'];

/** @param drawPage stands before the engine that works */
async function withHarness(
  drawPage: (real: DrawPage) => DrawPage,
  use: (told: Awaited<ReturnType<typeof enter>>) => Promise<void>,
) {
  const real = createInProcessEngine();
  const told = await enter({ ...real, drawPage: drawPage(real.drawPage) });
  try {
    await use(told);
    expect(told.harness.errors).toEqual([]);
  } finally {
    await told.harness.close();
  }
}

async function enter(documents: DocumentEngine) {
  const harness = await openHarness('in process', { documents });
  const transaction = await startWithEveryField(harness);
  const guest = await giveConsent(await openSigningPages(harness, transaction.token));
  const [first = '', second = ''] = (transaction.detail.template.documents[0]?.pages ?? []).map(
    ({ id }) => id,
  );
  const { database } = harness.store;
  return {
    harness,
    guest,
    first: `pages/${first}.png?scale=1`,
    second: `pages/${second}.png?scale=1`,
    /** How many pages were recorded as delivered. */
    delivered: async () => {
      const rows = await database.read((db) =>
        db.selectFrom('audit').select('id').where('type', '=', 'page_delivered').execute(),
      );
      return rows.length;
    },
    kept: async () =>
      (await database.read((db) => db.selectFrom('picture').select('page').execute())).map(
        ({ page }) => page,
      ),
  };
}

test('the first page is drawn with its document page, once, and nothing is recorded as delivered before it is', async () => {
  const drawn: number[] = [];
  await withHarness(
    (real) => (source, page, how, owner) => {
      drawn.push(page);
      return real(source, page, how, owner);
    },
    async ({ guest, first, second, kept, delivered }) => {
      expect(drawn).toEqual([]);
      await guest.open('document');
      await expect.poll(kept).toEqual([0]);
      expect(await delivered()).toBe(0);
      expect((await guest.open(first)).status).toBe(200);
      expect([drawn, await delivered()]).toEqual([[0], 1]);
      await guest.open('document');
      await guest.open(first);
      await guest.open(second);
      await guest.open('document?page=2');
      expect([drawn, await delivered()]).toEqual([[0, 1], 2]);
    },
  );
});

test.skipIf(!SLOW)('a request while it is drawn gets that picture, and is recorded', async () => {
  let count = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await withHarness(
    (real) => async (source, page, how, owner) => {
      count += 1;
      await released;
      return real(source, page, how, owner);
    },
    async ({ guest, first, delivered }) => {
      expect((await guest.open('document')).status).toBe(200);
      await expect.poll(() => count).toBe(1);
      const pictures = [guest.open(first), guest.open(first)];
      release();
      expect((await Promise.all(pictures)).map(({ status }) => status)).toEqual([200, 200]);
      expect([count, await delivered()]).toEqual([1, 1]);
    },
  );
});

test.skipIf(!SLOW)('a picture is shown, and recorded as delivered, before it is kept', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await withHarness(
    (real) => real,
    async ({ harness, guest, first, kept, delivered }) => {
      const { put } = harness.store.blobs;
      vi.spyOn(harness.store.blobs, 'put').mockImplementationOnce(async (bytes) => {
        await released;
        return put(bytes);
      });
      expect((await guest.open(first)).status).toBe(200);
      expect([await delivered(), await kept()]).toEqual([1, []]);
      release();
      await expect.poll(kept).toEqual([0]);
    },
  );
});

test.skipIf(!SLOW)('a picture that cannot be kept is shown, and drawn again the next time', async () => {
  let count = 0;
  await withHarness(
    (real) => (source, page, how, owner) => {
      count += 1;
      return real(source, page, how, owner);
    },
    async ({ harness, guest, first, kept, delivered }) => {
      vi.spyOn(harness.store.blobs, 'put').mockRejectedValueOnce(new Error('The disk is full.'));
      expect((await guest.open(first)).status).toBe(200);
      expect([count, await delivered(), await kept()]).toEqual([1, 1, []]);
      expect((await guest.open(first)).status).toBe(200);
      await expect.poll(kept).toEqual([0]);
      expect(count).toBe(2);
    },
  );
});

test.skipIf(!SLOW)(
  'a machine that is busy shows the page all the same, and draws when the picture is asked for',
  async () => {
    let isBusy = true;
    await withHarness(
      (real) => async (source, page, how, owner) =>
        isBusy ? { ok: false, reason: 'busy' } : real(source, page, how, owner),
      async ({ guest, first, kept }) => {
        expect((await guest.open('document')).status).toBe(200);
        expect((await guest.open(first)).status).toBe(503);
        expect(await kept()).toEqual([]);
        isBusy = false;
        expect((await guest.open(first)).status).toBe(200);
      },
    );
  },
);

test('closing the service waits until the picture is written', async () => {
  const order: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await withHarness(
    (real) => async (source, page, how, owner) => {
      order.push('begun');
      await released;
      const drawn = await real(source, page, how, owner);
      order.push('drawn');
      return drawn;
    },
    async ({ harness, guest }) => {
      expect((await guest.open('document')).status).toBe(200);
      await expect.poll(() => order).toEqual(['begun']);
      const closed = harness.service.close().then(() => order.push('closed'));
      release();
      await closed;
      expect(order).toEqual(['begun', 'drawn', 'closed']);
    },
  );
});
