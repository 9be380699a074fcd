// Identifies a page for pictures and texts by the content of its document, whatever transaction it is in.
import { refuse } from '../context.ts';
import type { StoredPage } from '../store/files.ts';
import type { PagePlace } from '../store/pictures.ts';

/** `owner` is whose work it is: a company. */
export type PageRef = PagePlace & { name: string; owner: string };

export const pageRefOf = ({ pdf_sha256, company_id, original_name, index }: StoredPage): PageRef => ({
  pdf_sha256,
  page: index,
  name: original_name,
  owner: company_id,
});

export const refuseTooComplex = ({ name, page }: PageRef, limit: string) =>
  refuse('document_too_complex', { name, page: page + 1, limit });
