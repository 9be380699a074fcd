import { PDFDocument } from '@cantoo/pdf-lib';

/** A PDF of one page that opens with this password only. */
export async function encryptedPdf(userPassword: string): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([200, 200]);
  document.encrypt({ userPassword, ownerPassword: `${userPassword} of the owner` });
  return Buffer.from(await document.save());
}
