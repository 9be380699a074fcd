// Seals at every level, as programs see them that nobody here wrote.
import { test } from 'vitest';
import { sealPdf } from '../../../src/pdf/signature/seal.ts';
import { expectAccepted, needsForeignVerifiers } from '../../support/foreign-verifiers.ts';
import { preparedPdf, SEAL_FIELD } from '../../support/prepared-pdf.ts';
import { testAuthority } from '../../support/test-authority.ts';

const foreign = needsForeignVerifiers();

test.skipIf(foreign.skip).each(['B', 'T', 'LT', 'LTA'] as const)(
  `level %s is accepted${foreign.why}`,
  async (level) => {
    const authority = await testAuthority();
    const pdf = await sealPdf(await preparedPdf(), SEAL_FIELD, { ...authority.sealing, level });
    await expectAccepted(pdf, { root: authority.root, level });
  },
);
