// Looks up what a document names in a table of ours. A document may name anything, `constructor` for example.

export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
