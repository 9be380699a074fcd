// Places the fields at words and the signatures on a document that only the service could convert, once it has done so. For a service
// that does not give documents back, signatures go to the foot of the page, and fields at words are refused.
import type { ReceivedTransaction } from '../../api/contract/received.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { CliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import { resolveAnchors, type SearchedPdf } from './anchors.ts';
import { fetchPdf } from './document-content.ts';
import { pagesOfDocument } from './placement.ts';
import type { Plan } from './plan.ts';
import { placeSignatures } from './signature-places.ts';
import { contentOfTransaction } from './view.ts';

type Sending = { connection: Pick<Connection, 'client'>; plan: Plan; documents: DocumentEngine };

/** Adds the places on converted files to the plan; returns the same plan where nothing is known of them. */
export async function placeConverted(
  { connection, plan, documents: engine }: Sending,
  transaction: ReceivedTransaction,
): Promise<Plan> {
  const isPlaced = (index: number) =>
    plan.fields.some(({ document }) => document === index) ||
    (plan.boxesFor.length > 0 && index === plan.files.length - 1);
  if (!plan.files.some(({ pages }, index) => !pages && isPlaced(index))) return plan;
  const { documents } = contentOfTransaction(transaction);
  const added = documents.slice(documents.length - plan.files.length);
  const files = [...plan.files];
  const pdfs: (SearchedPdf | undefined)[] = [];
  for (const [index, file] of plan.files.entries()) {
    const document = added[index];
    const pages = file.pages ? undefined : pagesOfDocument(document);
    const ready =
      document && pages && 'sizes' in pages && isPlaced(index)
        ? await fetchPdf(connection, document, engine).catch(ignoreRefusal)
        : undefined;
    if (ready) files[index] = { ...file, pages: ready.pages };
    pdfs.push(ready && { name: file.name, ...ready });
  }
  if (!pdfs.some((one) => one)) return plan;
  const fields = await resolveAnchors(plan.fields, ({ document }) => pdfs[document], engine);
  return placeSignatures({ ...plan, files, fields }, pdfs, engine);
}

/** Ignores a refusal of the service: a place for a field is worth a request, but not a failure. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof CliError || (error as Error).name === 'ApiError') return undefined;
  throw error;
}
