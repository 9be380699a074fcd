// Makes a PDF that is ready to be sealed: pages, and an empty signature field with a widget on the last of them.
import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';

export const SEAL_FIELD_NAME = 'Seal';

export type Preparation = { useObjectStreams?: boolean; pages?: number; isFormDirect?: boolean };

export async function preparedPdf({
  useObjectStreams = false,
  pages = 1,
  isFormDirect = false,
}: Preparation = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (let page = 0; page < pages; page += 1) document.addPage([400, 300]);
  const { context, catalog } = document;
  const page = document.getPage(pages - 1);
  const appearance = context.register(
    context.stream('0.2 0.4 0.7 RG 2 w 1 1 118 38 re S', {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 120, 40],
    }),
  );
  const field = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      T: PDFString.of(SEAL_FIELD_NAME),
      Rect: [40, 40, 160, 80],
      F: 132,
      P: page.ref,
      AP: { N: appearance },
    }),
  );
  page.node.set(PDFName.of('Annots'), context.obj([field]));
  const form = context.obj({ Fields: [field], SigFlags: 3 });
  catalog.set(PDFName.of('AcroForm'), isFormDirect ? form : context.register(form));
  return document.save({ useObjectStreams });
}
