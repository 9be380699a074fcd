import { refusal } from '../../../api/contract/problems.ts';
import { change } from '../../changes/change.ts';
import type { Handler, UserContext } from '../../context.ts';
import { addDocument } from '../../domain/edit.ts';
import { type Document, type Remark, refusedWith } from '../../domain/transaction.ts';
import { type FileRow, findUploaded, markLinked } from '../../store/files.ts';

/** spec §4 Add document to transaction; the id is the transaction's, as in the guide (assumed: A9). */
export const addDocumentToTransaction: Handler<'transaction.add_document'> = (context, { params, body }) =>
  change(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    async (transaction, db) => {
      const file = await findUploaded(db, body.token, context.user.company_id, context.now);
      const decision = file
        ? addDocument(
            transaction,
            { ...documentOf(file, context), preparation: body.preparation ?? null },
            context.facts,
          )
        : addDocument(transaction, EMPTY, context.facts);
      // A transaction that cannot be edited says so first, whatever the token.
      if (!decision.ok) return decision;
      const isLinked = file !== undefined && (await markLinked(db, file.id, context.now));
      return isLinked ? decision : refusedWith(refusal('file_token_unknown'));
    },
    ({ id, content }) => ({ id, document_id: content.documents.at(-1)?.id ?? id }),
  );

const EMPTY = {
  id: '',
  file: { id: '', original_name: '', stored_name: '' },
  pages: [],
  remarks: [],
  preparation: null,
};

function documentOf(file: FileRow, { facts }: UserContext): Omit<Document, 'index' | 'preparation'> {
  const boxes = JSON.parse(file.pages) as { width: number; height: number }[];
  return {
    id: facts.newId(),
    file: { id: file.id, original_name: file.original_name, stored_name: `${file.pdf_sha256}.pdf` },
    pages: boxes.map(({ width, height }) => ({ id: facts.newId(), file_id: facts.newId(), width, height })),
    remarks: JSON.parse(file.remarks) as Remark[],
  };
}
