// Runs one job on the bytes of a file, in the current process. A failure of a library is an answer, not an error.
import type { ImageType } from '../images/image-to-pdf.ts';
import type { StampPlan } from '../write/plan.ts';
import type { Job, JobAnswer } from './engine.ts';

export async function runJob(job: Job, bytes: Uint8Array): Promise<JobAnswer> {
  if (job.do === 'inspect') return inspect(job, bytes);
  if (job.do === 'check') {
    const { safeDocx } = await import('../../docx/safe-docx.ts');
    const result = await safeDocx(bytes);
    if (!result.ok) return { result };
    const { docx, ...rest } = result;
    return { result: rest, bytes: docx };
  }
  if (job.do === 'convert' && job.type === 'docx') return convertDocx(bytes);
  if (job.do === 'convert') return convertImage(bytes, job.type as ImageType);
  if (job.do === 'ink') {
    const { extractInk } = await import('../images/ink.ts');
    const ink = await extractInk(bytes, job.type);
    return ink.ok ? { result: { ok: true }, bytes: ink.png } : { result: ink };
  }
  if (job.do === 'text') {
    const { readText } = await import('../text/text-layer.ts');
    return { result: await readText(bytes, job.pageIndex, job.boxes) };
  }
  if (job.do === 'find') {
    const { findWords } = await import('../text/find-words.ts');
    return { result: await findWords(bytes, job.pages, job.queries) };
  }
  if (job.do === 'words') {
    const { listWords } = await import('../text/page-words.ts');
    return { result: await listWords(bytes, job.pages) };
  }
  if (job.do === 'braced') {
    const { listBraced } = await import('../text/braced-texts.ts');
    return { result: await listBraced(bytes, job.pages) };
  }
  if (job.do === 'remove') {
    const { removeBraced } = await import('../write/removal/remove-braced.ts');
    return answerWith(await removeBraced(bytes, job.texts));
  }
  if (job.do === 'blanks') {
    const { findBlanks } = await import('../text/blanks/find-blanks.ts');
    return { result: await findBlanks(bytes, job.pages) };
  }
  if (job.do === 'form') {
    const { readForm } = await import('../read/form/read-form.ts');
    return { result: await readForm(bytes) };
  }
  if (job.do === 'free') {
    const { findFreePlace } = await import('../render/free-place.ts');
    return { result: await findFreePlace(bytes, job.pageIndex, job.wanted) };
  }
  if (job.do === 'covered') {
    const { findCoveredText } = await import('../text/covered-text.ts');
    return { result: await findCoveredText(bytes, job.pageIndex, job.boxes) };
  }
  if (job.do === 'compare') {
    const { compareVersions } = await import('../render/comparison/compare-versions.ts');
    return { result: await compareVersions(bytes, job.version) };
  }
  if (job.do === 'stamp') return stamp(job.plan, bytes);
  if (job.do === 'compare_stamped') return compareBeforeValues(job.plan, bytes);
  if (job.do === 'certify') {
    const { certifyPdf } = await import('../write/certificate/certify-pdf.ts');
    return answerWith(await certifyPdf(bytes, job.content, job.evidence));
  }
  const { renderPage } = await import('../render/render.ts');
  const result = await renderPage(bytes, job.pageIndex, job);
  return result.ok ? { result: { ok: true }, bytes: result.png } : { result };
}

async function stamp(plan: StampPlan, bytes: Uint8Array): Promise<JobAnswer> {
  const { stampPdf } = await import('../write/stamp-pdf.ts');
  const stamped = await stampPdf(bytes, plan);
  if (!stamped.ok || !plan.isCompared) return answerWith(stamped);
  const { compareStamped } = await import('../write/compare-stamped.ts');
  const compared = await compareStamped(bytes, stamped, plan);
  if (!compared.ok) return { result: compared };
  if (compared.differingPage === undefined) return answerWith(stamped);
  // A value may reach far beyond its box, such as a letter with many accents: without values, only the document can differ.
  const bare = await compareEmpty(plan, bytes);
  return bare.ok ? answerWith({ ...stamped, ...bare }) : { result: bare };
}

/** Stamps a document with empty values and compares its pages. */
async function compareEmpty(plan: StampPlan, bytes: Uint8Array) {
  const { stampPdf } = await import('../write/stamp-pdf.ts');
  const stamped = await stampPdf(bytes, {
    ...plan,
    fields: plan.fields.map((field) => ({ ...field, value: '' })),
  });
  if (!stamped.ok) return stamped;
  const { compareStamped } = await import('../write/compare-stamped.ts');
  return compareStamped(bytes, stamped, plan);
}

async function compareBeforeValues(plan: StampPlan, bytes: Uint8Array): Promise<JobAnswer> {
  const { isCopiedAsShown } = await import('../write/compare-stamped.ts');
  return { result: isCopiedAsShown(bytes) ? { ok: true } : await compareEmpty(plan, bytes) };
}

async function inspect(job: Job & { do: 'inspect' }, bytes: Uint8Array): Promise<JobAnswer> {
  const [{ isPlain }, { inspectPdf }] = await Promise.all([
    import('../read/plain.ts'),
    import('../render/inspect.ts'),
  ]);
  const result = await inspectPdf(bytes, job);
  if (!result.ok) return { result };
  const { repaired, ...rest } = result;
  const lacks = job.isConverted && (await import('../text/missing-glyphs.ts')).lacksGlyphs(bytes);
  return {
    result: { ...rest, isPlain: isPlain(repaired ?? bytes), ...(lacks && { lacksGlyphs: true }) },
    bytes: repaired,
  };
}

function answerWith(result: { ok: false; reason: string } | { ok: true; pdf: Uint8Array }): JobAnswer {
  if (!result.ok) return { result };
  const { pdf, ...rest } = result;
  return { result: rest, bytes: pdf };
}

async function convertDocx(bytes: Uint8Array): Promise<JobAnswer> {
  const [{ isPlain }, { docxToPdf }] = await Promise.all([
    import('../read/plain.ts'),
    import('../../docx/docx-to-pdf.ts'),
  ]);
  const result = await docxToPdf(bytes);
  if (!result.ok) return { result };
  const { pdf, ...rest } = result;
  return { result: { ...rest, isPlain: isPlain(pdf) }, bytes: pdf };
}

async function convertImage(bytes: Uint8Array, type: ImageType): Promise<JobAnswer> {
  const [{ isPlain }, { imageToPdf }] = await Promise.all([
    import('../read/plain.ts'),
    import('../images/image-to-pdf.ts'),
  ]);
  const result = await imageToPdf(bytes, type);
  if (!result.ok) return { result };
  const { pdf, pages } = result;
  // The size of a JPEG or a fax does not tell how long it takes.
  const converted = { ok: true, pages, isPlain: isPlain(pdf), remarks: [] };
  return { result: converted, bytes: pdf };
}
