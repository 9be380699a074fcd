// Makes a PDF sealed at the highest level, with the root certificate to trust, for tests that run `esign verify`.
import { sealPdf } from '../../../src/pdf/sign/seal.ts';
import { sharedServiceAuthority } from '../certificates/service-authority.ts';
import { preparedPdf, SEAL_FIELD_NAME } from './prepared-pdf.ts';

export type SealedPdf = { pdf: Buffer; pem: string };

export async function sealPdfNow(pages = 1): Promise<SealedPdf> {
  const { sealing, root } = await sharedServiceAuthority();
  const pdf = await sealPdf(await preparedPdf({ pages }), SEAL_FIELD_NAME, sealing);
  const base64 = Buffer.from(root).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    pdf: Buffer.from(pdf),
    pem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}
