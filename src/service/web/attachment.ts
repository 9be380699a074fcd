// Names the file under which a browser saves a document: its own name, as PDF (RFC 6266, RFC 8187).

/** @param documentName any text; what cannot stand in a header is encoded */
export function attachmentNamed(documentName: string): string {
  const title = documentName.replace(/\.[^.]*$/, '') || documentName;
  const encoded = encodeURIComponent(title).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}.pdf`;
}
