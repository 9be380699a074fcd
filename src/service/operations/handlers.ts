// Maps each operation to its handler, which is loaded when it is first called: a command calls a few of them. A missing
// handler, or one with another answer, does not compile.
import type { OperationId, OperationTable } from '../../api/contract/operations.ts';
import type { Handler } from '../context.ts';

const HANDLERS: { [K in keyof OperationTable]: () => Promise<Handler<K>> } = {
  'transaction.create': async () => (await import('./transaction/create.ts')).createTransaction,
  'transaction.update': async () => (await import('./transaction/update.ts')).updateTransaction,
  'transaction.add_document': async () =>
    (await import('./transaction/add-document.ts')).addDocumentToTransaction,
  'transaction.fields': async () => (await import('./transaction/fields.ts')).defineFields,
  'transaction.start': async () => (await import('./transaction/start.ts')).startTransaction,
  'transaction.detail': async () => (await import('./transaction/detail.ts')).transactionDetail,
  'transaction.use_templates': async () =>
    (await import('./transaction/use-templates.ts')).useTemplatesInTransaction,
  'transaction.cancel': async () => (await import('./transaction/cancel.ts')).handleCancelTransaction,
  'transaction.remind': async () => (await import('./transaction/remind.ts')).remindTransaction,
  'file.upload': async () => (await import('./file/upload.ts')).uploadFile,
  'file.content': async () => (await import('./file/content.ts')).fileContent,
  'file.presigned': async () => (await import('./file/presigned.ts')).sendPresignedFile,
  'template.detail': async () => (await import('./template/detail.ts')).templateDetail,
  'template.list': async () => (await import('./template/list.ts')).templateList,
  'webhook.create': async () => (await import('./webhook/create.ts')).handleCreateWebhook,
  'webhook.list': async () => (await import('./webhook/list.ts')).webhookList,
  'webhook.delete': async () => (await import('./webhook/delete.ts')).handleDeleteWebhook,
  'webhook.detail': async () => (await import('./webhook/detail.ts')).webhookDetail,
  'webhook.enable': async () => (await import('./webhook/enable.ts')).webhookEnable,
  'webhook.disable': async () => (await import('./webhook/enable.ts')).webhookDisable,
  'webhook.rotate': async () => (await import('./webhook/rotate.ts')).webhookRotate,
  'webhook.ping': async () => (await import('./webhook/ping.ts')).webhookPing,
  'event.list': async () => (await import('./event/list.ts')).eventList,
  'event.detail': async () => (await import('./event/detail.ts')).eventDetail,
  'event.replay': async () => (await import('./event/replay.ts')).eventReplay,
  'oauth.exchange_code': async () => (await import('./oauth/exchange-code.ts')).exchangeCode,
  'oauth.refresh_token': async () => (await import('./oauth/refresh-token.ts')).refreshToken,
  'user.me': async () => (await import('./user/me.ts')).userMe,
  'signing.view': async () => (await import('./signing/view.ts')).signingView,
  'signing.page': async () => (await import('./signing/page.ts')).signingPage,
  'signing.submit': async () => (await import('./signing/submit.ts')).signingSubmit,
  'signing.reject': async () => (await import('./signing/reject.ts')).signingReject,
  'sandbox.status': async () => (await import('./sandbox/store.ts')).status,
  'sandbox.authority': async () => (await import('./sandbox/authority.ts')).authority,
  'sandbox.issue_certificate': async () =>
    (await import('./sandbox/issue-certificate.ts')).handleIssueCertificate,
  'sandbox.reset': async () => (await import('./sandbox/store.ts')).reset,
  'sandbox.clock': async () => (await import('./sandbox/clock.ts')).showClock,
  'sandbox.set_clock': async () => (await import('./sandbox/clock.ts')).setClock,
  'sandbox.advance_clock': async () => (await import('./sandbox/clock.ts')).advanceClock,
  'sandbox.pause_clock': async () => (await import('./sandbox/clock.ts')).pauseClock,
  'sandbox.resume_clock': async () => (await import('./sandbox/clock.ts')).resumeClock,
  'sandbox.reset_clock': async () => (await import('./sandbox/clock.ts')).resetClock,
  'sandbox.list_faults': async () => (await import('./sandbox/faults.ts')).listFaults,
  'sandbox.add_fault': async () => (await import('./sandbox/faults.ts')).addFault,
  'sandbox.clear_faults': async () => (await import('./sandbox/faults.ts')).clearFaults,
  'sandbox.list_snapshots': async () => (await import('./sandbox/snapshots.ts')).handleListSnapshots,
  'sandbox.save_snapshot': async () => (await import('./sandbox/snapshots.ts')).handleSaveSnapshot,
  'sandbox.restore_snapshot': async () => (await import('./sandbox/snapshots.ts')).handleRestoreSnapshot,
  'sandbox.delete_snapshot': async () => (await import('./sandbox/snapshots.ts')).handleDeleteSnapshot,
  'sandbox.events': async () => (await import('./sandbox/records.ts')).listSandboxEvents,
  'sandbox.mail': async () => (await import('./sandbox/mailbox.ts')).listMail,
  'sandbox.mail_detail': async () => (await import('./sandbox/mailbox.ts')).readMail,
  'sandbox.mail_message': async () => (await import('./sandbox/mailbox.ts')).mailMessage,
  'sandbox.list_transactions': async () =>
    (await import('./sandbox/list-transactions.ts')).listSandboxTransactions,
  'sandbox.sign': async () => (await import('./sandbox/act.ts')).sandboxSign,
  'sandbox.reject': async () => (await import('./sandbox/act.ts')).sandboxReject,
  'sandbox.expire': async () => (await import('./sandbox/act.ts')).sandboxExpire,
  'sandbox.save_template': async () => (await import('./sandbox/save-template.ts')).handleSaveTemplate,
  'sandbox.add_user': async () => (await import('./sandbox/accounts.ts')).addUser,
  'sandbox.list_users': async () => (await import('./sandbox/accounts.ts')).handleListUsers,
  'sandbox.set_password': async () => (await import('./sandbox/accounts.ts')).setUserPassword,
  'sandbox.verify_user': async () => (await import('./sandbox/accounts.ts')).verifyOneUser,
  'sandbox.sign_in_link': async () => (await import('./sandbox/sign-in-link.ts')).createSignInLink,
  'sandbox.add_client': async () => (await import('./sandbox/accounts.ts')).addClient,
  'sandbox.list_clients': async () => (await import('./sandbox/accounts.ts')).handleListClients,
  'sandbox.delete_client': async () => (await import('./sandbox/accounts.ts')).removeClient,
  'sandbox.rotate_notification_secret': async () =>
    (await import('./sandbox/accounts.ts')).rotateSecretOfClient,
  'sandbox.token': async () => (await import('./sandbox/accounts.ts')).issueSandboxToken,
};

/** What a handler is when it is not said of which operation. */
export type AnyHandler = (context: unknown, input: unknown) => ReturnType<Handler<OperationId>>;

const loaded = new Map<OperationId, AnyHandler>();

export const handlerOf = (id: OperationId): AnyHandler | Promise<AnyHandler> =>
  loaded.get(id) ?? loadHandler(id);

async function loadHandler(id: OperationId): Promise<AnyHandler> {
  // Which input belongs to which handler, the table has checked.
  const handler = (await HANDLERS[id]()) as AnyHandler;
  loaded.set(id, handler);
  return handler;
}
