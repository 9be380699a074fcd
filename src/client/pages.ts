// Lists that come in pages: the first page as a promise, all items as an async iteration.
import type { ListPage, Pages } from './contract.ts';

/** @param first the number of the page to begin with */
export function createPages<Item>(
  first: number,
  request: (page: number) => Promise<ListPage<Item>>,
): Pages<Item> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list can be awaited for its first page.
    then: (onPage, onError) => request(first).then(onPage, onError),
    async *[Symbol.asyncIterator]() {
      for (let number = first; ; ) {
        const { items, meta } = await request(number);
        yield* items;
        const next = meta?.next_page;
        // A service that always returns the same page must not keep a program running for ever.
        if (!meta || meta.is_last_page || !next || next <= number) return;
        number = next;
      }
    },
  };
}
