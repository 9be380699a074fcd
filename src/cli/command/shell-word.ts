/** Quotes a word for a POSIX shell. Between single quotes a shell changes nothing but the quote. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
