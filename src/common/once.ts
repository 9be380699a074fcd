/** Makes a value when it is first asked for, and keeps it. A promise that is rejected is kept as well. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
