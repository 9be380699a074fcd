// The evidence that a sealed document carries, checked.
import { checkEvidence, type Evidence } from '../../../src/pdf/write/certificate/evidence.ts';
import { evidenceIn } from '../../../src/pdf/write/certificate/evidence-file.ts';
import type { Harness } from '../harness.ts';

export function readEvidence(pdf: Uint8Array): Evidence {
  const checked = checkEvidence(evidenceIn(pdf) ?? '');
  if (!checked.ok) throw new Error(`The evidence is not sound: ${checked.fault}`);
  return checked.evidence;
}

/** The first sealed document of a completed transaction. */
export async function sealedPdfOf({ client }: Pick<Harness, 'client'>, id: string): Promise<Uint8Array> {
  const { sealed_documents } = await client['transaction.detail']({ params: { transactionId: id } });
  const fileId = sealed_documents[0]?.id ?? '';
  return (await client['file.content']({ params: { fileId } })).bytes;
}
