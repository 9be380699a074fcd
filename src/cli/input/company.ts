// Recognizes a misspelt company, because users of a company that was made by mistake see nothing of their colleagues.
import { nearest } from '../../common/nearest.ts';

/** @property similar the name of another company, which may be meant */
export type NamedCompany = { isNew: boolean; similar: string | undefined };

export function recognizeCompany(name: string, companies: readonly string[]): NamedCompany {
  const isNew = !companies.includes(name);
  return { isNew, similar: isNew ? nearest(name, companies) : undefined };
}
