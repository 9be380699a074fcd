// The fields of a plan, once the service has given documents and recipients their ids.
import type { FieldInput } from '../../../../api/contract/fields.ts';
import type { Document, Recipient, Transaction } from '../../../../api/contract/transactions.ts';
import { sameEmail } from '../../../../api/contract/values.ts';
import { CliError, EXIT, usageError } from '../../../command/errors.ts';
import { fieldBody, keptFields } from '../../../transactions/bodies.ts';
import {
  type Box,
  boxesAtFoot,
  boxOf,
  type Pages,
  pagesOfDocument,
} from '../../../transactions/placement.ts';
import { contentOf } from '../../../transactions/view.ts';
import type { Plan } from './plan.ts';

/** Fields that templates brought stay; those of the plan follow. */
export function fieldsOfPlan(plan: Plan, transaction: Transaction): FieldInput[] {
  const { documents, recipients } = contentOf(transaction);
  // The files were added last, in their order.
  const ofFiles = documents.slice(documents.length - plan.files.length);
  const place = (index: number, email: string, type: string, box: Box) => ({
    document_id: documentAt(ofFiles, index).id,
    recipient_id: recipientWith(recipients, email).id,
    type,
    box,
  });
  const named = plan.fields.map((field) => {
    const box = boxOf(
      field,
      knownPages(plan, field.document, ofFiles[field.document]),
      plan.files[field.document]?.name ?? '',
    );
    return fieldBody(place(field.document, field.recipient, field.type, box), field.properties);
  });
  const last = plan.files.length - 1;
  const boxes = footBoxes(plan, knownPages(plan, last, ofFiles[last]));
  const signatures = plan.boxesFor.map((email, index) =>
    fieldBody(place(last, email, 'signature', boxes[index] as Box)),
  );
  return [
    ...keptFields(transaction).filter((field) => !ofFiles.some(({ id }) => id === field.document_id)),
    ...named,
    ...signatures,
  ];
}

/** The signature boxes of a plan on the last page of its last file. */
export function footBoxes(plan: Plan, pages: Pages): Box[] {
  if (plan.boxesFor.length === 0) return [];
  const page = pages && 'sizes' in pages ? pages.sizes.length - 1 : -1;
  const size = pages && 'sizes' in pages ? pages.sizes[page] : undefined;
  if (!size)
    throw usageError(
      'page_size_unknown',
      `The page sizes of "${plan.files.at(-1)?.name}" are not known, so no signature box can be placed.`,
      'Place one in points: --field "signature@1:72pt,650pt,200x50=EMAIL".',
    );
  return boxesAtFoot(size, page, plan.boxesFor.length);
}

/** The sizes found in the file, or those the service tells (extension, assumed: A18). */
function knownPages(plan: Plan, index: number, document: Document | undefined): Pages {
  const local = plan.files[index]?.pages;
  return local ? { sizes: local } : pagesOfDocument(document);
}

function documentAt(documents: readonly Document[], index: number): Document {
  const document = documents[index];
  if (document) return document;
  throw new CliError('The transaction does not show all documents that were added.', {
    code: 'answer_incomplete',
    exit: EXIT.unexpected,
  });
}

function recipientWith(recipients: readonly Recipient[], email: string): Recipient {
  const recipient = recipients.find((one) => sameEmail(one.email, email));
  if (recipient) return recipient;
  throw usageError(
    'field_recipient_unknown',
    `No recipient has the address ${email}.`,
    'Name a recipient of the template, or one of the --to.',
  );
}
