// Lists that come in pages: the first page as a promise, all items as an async iteration.
import type { ListPage, Pages } from './contract.ts';

/** @param request requests the page with the number; undefined for the page that the caller asked for */
export function listPages<Item>(request: (page: number | undefined) => Promise<ListPage<Item>>): Pages<Item> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list can be awaited for its first page.
    then: (onPage, onError) => request(undefined).then(onPage, onError),
    async *[Symbol.asyncIterator]() {
      let last = 0;
      for (let number: number | undefined; ; ) {
        const { items, meta } = await request(number);
        yield* items;
        const next = meta?.next_page;
        // A service that always returns the same page must not keep a program running for ever.
        if (!meta || meta.is_last_page || !next || next <= last) return;
        last = next;
        number = next;
      }
    },
  };
}
