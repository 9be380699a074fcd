// A transaction in which nothing is empty, for saving and loading: every column has a value that could get lost.
import { randomUUID } from 'node:crypto';
import type {
  Content,
  Document,
  Field,
  Recipient,
  Transaction,
} from '../../src/service/domain/transaction.ts';
import { NOW } from './stores.ts';

const LATER = '2026-03-02T10:11:12.345Z';

/** Characters that a database, a pattern or a JSON text could stumble over. */
export const AWKWARD = `O'Brien "§" \\ 100%_ \u{1F58B} ǅ é e\u0301 \n\ttwo`;

export function fullRecipient(index: number, more: Partial<Recipient> = {}): Recipient {
  return {
    id: randomUUID(),
    role: index === 0 ? 'sender' : 'signer',
    color: '#2563eb',
    index,
    name: `${AWKWARD} ${index}`,
    email: `r${index}@example.com`,
    token: null,
    submitted_at: null,
    opened_at: null,
    is_current: false,
    created_at: NOW,
    updated_at: LATER,
    ...more,
  };
}

export function fullDocument(index: number, pages = 3): Document {
  return {
    id: randomUUID(),
    index,
    file: { id: randomUUID(), original_name: `${AWKWARD}.pdf`, stored_name: `${'a'.repeat(64)}.pdf` },
    remarks: [],
    pages: Array.from({ length: pages }, (_, page) => ({
      id: randomUUID(),
      file_id: randomUUID(),
      width: 595.275590551181 + page,
      height: 841.889763779528,
    })),
  };
}

export function fullField(document: Document, recipient: Recipient, more: Partial<Field> = {}): Field {
  return {
    id: randomUUID(),
    document_id: document.id,
    recipient_id: recipient.id,
    page: 1,
    width: 120.1,
    height: 40.25,
    positionX: 0.1 + 0.2,
    positionY: 1e-7,
    type: 'text',
    label: AWKWARD,
    is_required: true,
    bold: true,
    italic: false,
    underline: true,
    font_family: 'Times "New" Roman',
    font_size: 11.5,
    font_color: '#00ff00',
    helper_text: AWKWARD,
    max_length: 20,
    min_length: 0,
    max_value: 1e15,
    min_value: -0.5,
    regex: '^\\d{2}\\\\$',
    options: ['a', AWKWARD, ''],
    value: AWKWARD,
    ...more,
  };
}

export function fullContent(company_id: string, more: Partial<Content> = {}): Content {
  const documents = [fullDocument(0), fullDocument(1, 1)];
  const recipients = [
    fullRecipient(0),
    fullRecipient(1, { submitted_at: LATER }),
    fullRecipient(2, { role: 'proxy', is_current: true, token: `token-${randomUUID()}` }),
  ];
  const fields = documents.flatMap((document) =>
    recipients.map((recipient) => fullField(document, recipient)),
  );
  return {
    id: randomUUID(),
    company_id,
    created_by_id: randomUUID(),
    reusable: false,
    name: AWKWARD,
    description: `${AWKWARD} description`,
    edit_navigation: true,
    email_alias: `${AWKWARD} alias`,
    email_subject: `${AWKWARD} subject`,
    email_body: `${AWKWARD} body`,
    created_at: NOW,
    updated_at: LATER,
    documents,
    recipients,
    fields,
    ...more,
  };
}

export function fullTransaction(company_id: string, more: Partial<Transaction> = {}): Transaction {
  return {
    id: randomUUID(),
    company_id,
    created_by_id: randomUUID(),
    sender_id: randomUUID(),
    status: 'started',
    notification_endpoint: 'https://example.com/hook?a=1&b=%20',
    expiration_days: 30,
    created_at: NOW,
    updated_at: LATER,
    sent_at: NOW,
    expires_at: '2026-03-31T09:00:00.000Z',
    expired_at: LATER,
    completed_at: LATER,
    rejected_at: LATER,
    rejected_reason: AWKWARD,
    rejected_by_id: randomUUID(),
    cancelled_at: LATER,
    cancelled_reason: AWKWARD,
    sealing_failed_at: LATER,
    sealing_failed_reason: AWKWARD,
    sealed_documents: [],
    cancelled_by_id: randomUUID(),
    content: fullContent(company_id),
    ...more,
  };
}
