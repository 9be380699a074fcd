// Makes a part of the service when it is first asked for, because most commands need few of them.

export type Lazy<T> = {
  get(): Promise<T>;
  /** Undefined until it is asked for. */
  known(): Promise<T | undefined>;
};

export function lazily<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined;
  return {
    get() {
      made ??= make();
      return made;
    },
    known: async () => made,
  };
}
