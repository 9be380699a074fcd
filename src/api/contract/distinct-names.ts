// Gives files names of which no two are the same on any disk. Sealed documents are named by this rule, in events, details and
// downloads alike.

type AddNumber = (name: string, number: number) => string;

/**
 * The names, each without a change where it can be. A name that comes again gets the next number, from 2, which gives it a name
 * that no other has: beside `agreement` and `agreement-2`, a second `agreement` is `agreement-3`.
 */
export function distinctNames(names: readonly string[], addNumber: AddNumber = withNumber): string[] {
  const given = new Set(names.map(keyOf));
  const used = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; used.has(keyOf(free)) || (free !== name && given.has(keyOf(free))); number += 1)
      free = addNumber(name, number);
    used.add(keyOf(free));
    return free;
  });
}

const withNumber: AddNumber = (name, number) => `${name}-${number}`;

/** Some disks tell neither a from A, nor ä from a with two dots after it. */
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase();
