// Decides which addresses links of a document may have: those of web pages and email, and none that run or read a file.

const SAFE = /^(https?:\/\/|mailto:)/i;

export const isSafeAddress = (address: string): boolean => SAFE.test(address);
