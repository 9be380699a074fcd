// Which addresses a document may lead to: those that open a page or a letter, and nothing that runs or reads a file.

const SAFE = /^(https?:\/\/|mailto:)/i;

export const isSafeAddress = (address: string): boolean => SAFE.test(address);
