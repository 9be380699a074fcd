// Writes names that come from a document into a sentence: long ones are cut, and of many only the first are named.

const MOST_NAMED = 5;
const NAME_CHARACTERS = 40;

/** Cuts a name that is longer than 40 characters. */
export function shortName(name: string): string {
  const characters = [...name.replace(/\s+/g, ' ').trim()];
  return characters.length > NAME_CHARACTERS
    ? `${characters.slice(0, NAME_CHARACTERS).join('')}…`
    : characters.join('');
}

/** Lists the first five names, and says how many more there are. */
export function shortList(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED);
  const others = names.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}
