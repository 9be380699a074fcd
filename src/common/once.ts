// Makes a value when it is first needed: most commands need few of the parts of the service.

/** Makes a value at the first call, and returns the same one afterwards, a promise that was rejected as well. */
export function once<T>(make: () => T): () => T {
  let result: { value: T } | undefined;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}

type Lazy<T> = {
  get(): Promise<T>;
  /** It gives undefined before the first `get`, and makes nothing. */
  ifMade(): Promise<T | undefined>;
};

export function lazily<T>(make: () => Promise<T>): Lazy<T> {
  let result: Promise<T> | undefined;
  return {
    get() {
      result ??= make();
      return result;
    },
    ifMade: async () => result,
  };
}
