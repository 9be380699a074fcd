// Defines remarks on a document that is usable although part of it could not be kept or shown (assumed: A27).
// It must never contain sentences: those are in the contract.

export type DocumentRemarkCode =
  | 'approximate_layout'
  | 'fonts_missing'
  | 'fonts_replaced'
  | 'content_not_shown'
  | 'tracked_changes'
  | 'fields_not_updated'
  | 'dynamic_form'
  | 'already_signed'
  | 'encrypted_permissions'
  | 'page_not_drawable';

/**
 * `page` counts from 0; `what` names fonts, a kind of content, how many changes, or the limit that stood against a page. `text` is what a
 * page does not show, where its letters are known: its lines, cut where they are many.
 */
export type PdfRemark = {
  code: DocumentRemarkCode;
  page?: number | undefined;
  what?: string | undefined;
  text?: string | undefined;
};
