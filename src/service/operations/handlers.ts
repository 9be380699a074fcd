// Who answers which operation. A missing one, or one that answers something else, does not compile.
import type { OperationId } from '../../api/contract/operations.ts';
import type { Handler } from '../context.ts';
import { fileContent } from './file/content.ts';
import { presignedFile } from './file/presigned.ts';
import { uploadFile } from './file/upload.ts';
import { exchangeCode } from './oauth/exchange-code.ts';
import { refreshToken } from './oauth/refresh-token.ts';
import {
  addClient,
  addUser,
  allClients,
  allUsers,
  issueToken,
  removeClient,
  setUserPassword,
} from './sandbox/accounts.ts';
import { sandboxReject, sandboxSign } from './sandbox/act.ts';
import { authority } from './sandbox/authority.ts';
import { allEvents, allMail } from './sandbox/records.ts';
import { saveTemplate } from './sandbox/save-template.ts';
import { reset, status } from './sandbox/store.ts';
import { signingPage } from './signing/page.ts';
import { signingReject } from './signing/reject.ts';
import { signingSubmit } from './signing/submit.ts';
import { signingView } from './signing/view.ts';
import { templateDetail } from './template/detail.ts';
import { templateList } from './template/list.ts';
import { addDocumentToTransaction } from './transaction/add-document.ts';
import { cancelTransaction } from './transaction/cancel.ts';
import { createTransaction } from './transaction/create.ts';
import { transactionDetail } from './transaction/detail.ts';
import { defineFields } from './transaction/fields.ts';
import { startTransaction } from './transaction/start.ts';
import { updateTransaction } from './transaction/update.ts';
import { useTemplatesInTransaction } from './transaction/use-templates.ts';
import { createWebhook } from './webhook/create.ts';
import { deleteWebhook } from './webhook/delete.ts';
import { webhookList } from './webhook/list.ts';

export const HANDLERS: { [K in OperationId]: Handler<K> } = {
  'transaction.create': createTransaction,
  'transaction.update': updateTransaction,
  'transaction.add_document': addDocumentToTransaction,
  'transaction.fields': defineFields,
  'transaction.start': startTransaction,
  'transaction.detail': transactionDetail,
  'transaction.use_templates': useTemplatesInTransaction,
  'transaction.cancel': cancelTransaction,
  'file.upload': uploadFile,
  'file.content': fileContent,
  'file.presigned': presignedFile,
  'template.detail': templateDetail,
  'template.list': templateList,
  'webhook.create': createWebhook,
  'webhook.list': webhookList,
  'webhook.delete': deleteWebhook,
  'oauth.exchange_code': exchangeCode,
  'oauth.refresh_token': refreshToken,
  'signing.view': signingView,
  'signing.page': signingPage,
  'signing.submit': signingSubmit,
  'signing.reject': signingReject,
  'sandbox.status': status,
  'sandbox.authority': authority,
  'sandbox.reset': reset,
  'sandbox.events': allEvents,
  'sandbox.mail': allMail,
  'sandbox.sign': sandboxSign,
  'sandbox.reject': sandboxReject,
  'sandbox.save_template': saveTemplate,
  'sandbox.add_user': addUser,
  'sandbox.list_users': allUsers,
  'sandbox.set_password': setUserPassword,
  'sandbox.add_client': addClient,
  'sandbox.list_clients': allClients,
  'sandbox.delete_client': removeClient,
  'sandbox.token': issueToken,
};
