// A file that is sealed at the highest level now, and the root that it leads to, for tests that run the command.
import { sealPdf } from '../../src/pdf/signature/seal.ts';
import { preparedPdf, SEAL_FIELD } from './prepared-pdf.ts';
import { testAuthority } from './test-authority.ts';

export type SealedFile = { pdf: Buffer; pem: string };

export async function sealedFile(pages = 1): Promise<SealedFile> {
  const { sealing, root } = await testAuthority();
  const pdf = await sealPdf(await preparedPdf({ pages }), SEAL_FIELD, sealing);
  const base64 = Buffer.from(root).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    pdf: Buffer.from(pdf),
    pem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}
