// Names the file under which a browser or curl saves a document: its own name, as PDF (RFC 6266, RFC 8187).

/** `inline`: a browser shows the document, and saves it under its name. `attachment`: it is saved at once. */
export type FileDisposition = 'inline' | 'attachment';

/** @param documentName any text; what cannot stand in a header is encoded, and replaced for clients such as curl that know ASCII alone */
export function fileDisposition(kind: FileDisposition, documentName: string): string {
  const title = (documentName.replace(/\.[^./\\]*$/, '') || documentName).replaceAll(/\p{Surrogate}/gu, '_');
  const plain = title.replaceAll(/[^ -~]|["\\%/]/gu, '_');
  const encoded = encodeURIComponent(title).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}.pdf"; filename*=UTF-8''${encoded}.pdf`;
}
