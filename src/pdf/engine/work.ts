// Carries one job out on the bytes of a file, in whichever process this is. What a library cannot do is an answer.
import type { Remark } from '../remarks.ts';
import type { Answer, Job } from './engine.ts';

export async function carryOut(job: Job, bytes: Uint8Array): Promise<Answer> {
  if (job.do === 'inspect') {
    const [{ isPlain }, { inspectPdf }] = await Promise.all([import('../plain.ts'), import('../inspect.ts')]);
    const result = await inspectPdf(bytes, job);
    if (!result.ok) return { facts: result };
    const { repaired, ...facts } = result;
    return { facts: { ...facts, ...said([]), isPlain: isPlain(repaired ?? bytes) }, bytes: repaired };
  }
  if (job.do === 'check') {
    const { safeDocx } = await import('../docx/safe-docx.ts');
    const result = await safeDocx(bytes);
    return result.ok ? { facts: { ok: true }, bytes: result.docx } : { facts: result };
  }
  if (job.do === 'convert' && job.type === 'docx') {
    const [{ isPlain }, { docxToPdf }] = await Promise.all([
      import('../plain.ts'),
      import('../docx/docx-to-pdf.ts'),
    ]);
    const result = await docxToPdf(bytes);
    if (!result.ok) return { facts: result };
    const { pdf, ...facts } = result;
    return { facts: { ...facts, isPlain: isPlain(pdf) }, bytes: pdf };
  }
  if (job.do === 'convert') {
    const [{ isPlain }, { imageToPdf }] = await Promise.all([
      import('../plain.ts'),
      import('../image-to-pdf.ts'),
    ]);
    if (job.type !== 'png' && job.type !== 'jpeg') return { facts: { ok: false, reason: 'unsupported' } };
    const result = await imageToPdf(bytes, job.type);
    if (!result.ok) return { facts: result };
    const { pdf, page } = result;
    // How long a JPEG takes is not told by its size.
    const facts = { ok: true, pages: [page], isPlain: job.type === 'png' && isPlain(pdf) };
    return { facts: { ...facts, ...said([]) }, bytes: pdf };
  }
  const { renderPage } = await import('../render.ts');
  const result = await renderPage(bytes, job.pageIndex, job);
  return result.ok ? { facts: { ok: true }, bytes: result.png } : { facts: result };
}

const said = (remarks: Remark[]): { remarks: Remark[] } => ({ remarks });
