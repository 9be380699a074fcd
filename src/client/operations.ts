// Written by `npm run generate` from src/api/contract. Do not edit.
import {
  list,
  neededFlag,
  neededId,
  neededNumber,
  neededText,
  record,
  someFlag,
  someId,
  someList,
  someNumber,
  someRecord,
  someText,
} from '../api/contract/lenient.ts';
import type { ClientOperation } from './operation.ts';

const transactionCreateResponse = { id: neededId };
const transactionUpdateResponse = { id: someText };
const transactionAddDocumentResponse = { id: neededId, document_id: someText };
const transactionFieldsResponse = { updated: someFlag };
const transactionStartResponse = { url: neededId };
const sealedDocumentDocument = { id: someText, name: someText };
const sealedDocument = { id: neededId, name: neededText, sha256: someText, created_at: someText, document: someRecord(sealedDocumentDocument), presigned_url: someText };
const field = { id: someText, document_id: someText, recipient_id: someText, page: someNumber, width: someNumber, height: someNumber, positionX: someNumber, positionY: someNumber, type: neededText, label: someText, is_required: someFlag, bold: someFlag, italic: someFlag, underline: someFlag, font_family: someText, font_size: someNumber, font_color: someText, helper_text: someText, template_id: someText, max_length: someNumber, min_length: someNumber, max_value: someNumber, min_value: someNumber, regex: someText, options: someList(neededText), value: someText, readonly: someFlag, date_format: someText, date_language: someText };
const recipientUndeliveredEmail = { kind: someText, reason: someText, at: someText };
const recipient = { id: neededId, role: someText, color: someText, index: someNumber, name: neededText, email: neededText, token: someId, submitted_at: someText, opened_at: someText, undelivered_email: someRecord(recipientUndeliveredEmail), is_current: someFlag, created_at: someText, updated_at: someText };
const storedFile = { id: someId, original_name: someText, stored_name: someText };
const page = { document_id: someText, id: someText, file: someRecord(storedFile), width: someNumber, height: someNumber };
const remark = { code: someText, message: someText, page: someNumber };
const preparationOriginal = { sha256: someText, bytes: someNumber };
const preparationRemovedTag = { page: someNumber, text: someText };
const preparation = { original: someRecord(preparationOriginal), removed_tags: someList(record(preparationRemovedTag)), emptied_form_boxes: someNumber, drawn_values: someNumber };
const document = { id: neededId, index: someNumber, status: someText, file: someRecord(storedFile), pages: someList(record(page)), remarks: someList(record(remark)), preparation: someRecord(preparation) };
const template = { id: someText, name: someText, description: someText, created_by_id: someText, edit_navigation: someFlag, reusable: someFlag, email_alias: someText, email_subject: someText, email_body: someText, created_at: someText, updated_at: someText, company_id: someText, fields: someList(record(field)), recipients: someList(record(recipient)), documents: someList(record(document)) };
const transaction = { id: neededId, template_id: someText, created_at: someText, updated_at: someText, created_by_id: someText, sender_id: someText, provider_type: someText, provider_id: someText, is_provider_ready: someFlag, expiration_days: someNumber, rejected_reason: someText, rejected_at: someText, rejected_by_id: someText, completed_at: someText, sent_at: someText, expires_at: someText, expired_at: someText, status: neededId, company_id: someText, is_sealed: someFlag, is_archived: someFlag, cancelled_at: someText, cancelled_reason: someText, sealing_failed_at: someText, sealing_failed_reason: someText, sealed_documents: someList(record(sealedDocument)), template: someRecord(template) };
const transactionCancelResponse = { cancelled: someFlag };
const transactionRemindResponseRecipient = { id: someText, name: someText, email: someText };
const transactionRemindResponse = { reminded: someFlag, recipient: someRecord(transactionRemindResponseRecipient) };
const fileUploadResponse = { token: neededId, presigned_url: someText, remarks: someList(record(remark)) };
const templateDetailResponseRecipient = { id: someText, name: someText, email: someText, role: someText, index: someNumber };
const templateDetailResponseFieldRecipient = { id: someText, name: someText, email: someText, role: someText };
const templateDetailResponseField = { id: someText, label: someText, type: someText, recipient: someRecord(templateDetailResponseFieldRecipient) };
const templateDetailResponse = { id: neededId, name: neededText, description: someText, recipients: someList(record(templateDetailResponseRecipient)), fields: someList(record(templateDetailResponseField)) };
const templateListResponseItem = { id: neededId, name: someText };
const pagination = { limit: someNumber, is_first_page: someFlag, is_last_page: someFlag, current_page: someNumber, previous_page: someNumber, next_page: someNumber, page_count: someNumber };
const templateListResponse = { items: list(record(templateListResponseItem)), meta: someRecord(pagination) };
const webhookCreateResponse = { id: neededId, secret: someText };
const webhookListResponseItem = { id: neededId, name: someText, endpoint: someText, events: someList(neededText), enabled: someFlag };
const webhookListResponse = { items: list(record(webhookListResponseItem)), meta: someRecord(pagination) };
const webhookDeleteResponse = { removed: someFlag };
const webhookDeliveries = { waiting: someNumber, delivered: someNumber, undelivered: someNumber };
const webhookLastAttemptEvent = { id: someText, type: someText };
const webhookLastAttempt = { at: someText, ok: someFlag, status: someNumber, why: someText, answer: someText, duration_ms: someNumber, next_at: someText, event: someRecord(webhookLastAttemptEvent) };
const webhook = { id: neededId, name: someText, endpoint: someText, events: someList(neededText), enabled: someFlag, created_at: someText, rotated_at: someText, disabled_at: someText, disabled_reason: someText, deliveries: someRecord(webhookDeliveries), success_rate: someNumber, last_attempts: someList(record(webhookLastAttempt)) };
const webhookRotateResponse = { id: someText, secret: neededId, previous_valid_until: someText };
const webhookPingResponse = { id: someText, endpoint: someText, ok: neededFlag, status: someNumber, why: someText, answer: someText, duration_ms: someNumber };
const transactionCompletedDataRecipient = { email: someText, id: someText, name: someText, role: someText, submitted_at: someText };
const transactionCompletedDataSealedDocumentDocument = { id: someText, name: someText };
const transactionCompletedDataSealedDocument = { created_at: someText, id: someText, name: someText, sha256: someText, document: someRecord(transactionCompletedDataSealedDocumentDocument) };
const transactionCreatedDataCreatedBy = { email: someText, id: someText };
const transactionStartedDataStartedBy = { email: someText, id: someText };
const transactionRejectedDataRejectedBy = { email: someText, id: someText, name: someText, role: someText };
const recipientSubmittedDataRecipient = { email: someText, id: someText, name: someText, role: someText, submitted_at: someText };
const eventListItem = { created: neededText, id: neededId, type: neededText, data: record({ id: someText, status: someText, recipients: someList(record(transactionCompletedDataRecipient)), sealed_documents: someList(record(transactionCompletedDataSealedDocument)), created_by: someRecord(transactionCreatedDataCreatedBy), started_by: someRecord(transactionStartedDataStartedBy), expiration_days: someNumber, expired_at: someText, rejected_by: someRecord(transactionRejectedDataRejectedBy), recipient: someRecord(recipientSubmittedDataRecipient), cancelled_reason: someText, cancelled_at: someText }), deliveries: someRecord({ delivered: someNumber, waiting: someNumber, undelivered: someNumber }) };
const eventListResponse = { items: list(record(eventListItem)), meta: someRecord(pagination) };
const attempt = { at: someText, ok: someFlag, status: someNumber, why: someText, answer: someText, duration_ms: someNumber, next_at: someText };
const delivery = { id: someText, kind: someText, webhook_id: someText, endpoint: someText, state: someText, reason: someText, created: someText, next_at: someText, attempts: someList(record(attempt)) };
const eventDetail = { created: neededText, id: neededId, type: neededText, data: record({ id: someText, status: someText, recipients: someList(record(transactionCompletedDataRecipient)), sealed_documents: someList(record(transactionCompletedDataSealedDocument)), created_by: someRecord(transactionCreatedDataCreatedBy), started_by: someRecord(transactionStartedDataStartedBy), expiration_days: someNumber, expired_at: someText, rejected_by: someRecord(transactionRejectedDataRejectedBy), recipient: someRecord(recipientSubmittedDataRecipient), cancelled_reason: someText, cancelled_at: someText }), deliveries: someList(record(delivery)) };
const eventReplayResponse = { events: someNumber, deliveries: neededNumber };
const oauthExchangeCodeResponse = { access_token: neededId, refresh_token: someText, expires_in: someNumber };
const oauthRefreshTokenResponse = { access_token: neededId, expires_in: someNumber, refresh_token: someText };
const userMeResponseCompany = { id: someText, name: someText };
const userMeResponse = { id: someText, name: someText, email: neededText, company: someRecord(userMeResponseCompany) };
const signingViewResponseTransaction = { id: someText, name: someText, description: someText, expires_at: someText };
const signingViewResponseSender = { name: someText };
const signingViewResponseRecipient = { id: someText, name: someText, email: someText, role: someText };
const signingViewResponseDocumentPage = { id: someText, width: someNumber, height: someNumber, picture: someText };
const signingViewResponseDocument = { id: someText, name: someText, pages: someList(record(signingViewResponseDocumentPage)) };
const signingViewResponseField = { id: someText, document_id: someText, page: someNumber, width: someNumber, height: someNumber, positionX: someNumber, positionY: someNumber, type: someText, label: someText, helper_text: someText, is_required: someFlag, min_length: someNumber, max_length: someNumber, min_value: someNumber, max_value: someNumber, regex: someText, options: someList(neededText), value: someText, readonly: someFlag, date_format: someText, date_language: someText };
const signingViewResponse = { transaction: someRecord(signingViewResponseTransaction), sender: someRecord(signingViewResponseSender), recipient: someRecord(signingViewResponseRecipient), documents: someList(record(signingViewResponseDocument)), fields: someList(record(signingViewResponseField)) };
const signingSubmitResponse = { status: someText, submitted_at: someText };
const signingRejectResponse = { status: someText, rejected_at: someText };
const sandboxStatusResponseTransactions = { draft: neededNumber, started: neededNumber, completed: neededNumber, rejected: neededNumber, expired: neededNumber, cancelled: neededNumber };
const sandboxStatusResponse = { origin: neededText, now: neededText, transactions: record(sandboxStatusResponseTransactions), templates: neededNumber, users: neededNumber, clients: neededNumber, events: neededNumber, mails: neededNumber };
const sandboxAuthorityResponse = { name: neededText, pem: neededText, sha256: neededText, valid_from: neededText, valid_to: neededText };
const sandboxIssueCertificateResponse = { certificate: neededId, key: neededId, root: neededText, valid_to: neededText };
const sandboxResetResponse = { reset: someFlag };
const event = { created: neededText, id: neededId, type: neededText, data: record({ id: someText, status: someText, recipients: someList(record(transactionCompletedDataRecipient)), sealed_documents: someList(record(transactionCompletedDataSealedDocument)), created_by: someRecord(transactionCreatedDataCreatedBy), started_by: someRecord(transactionStartedDataStartedBy), expiration_days: someNumber, expired_at: someText, rejected_by: someRecord(transactionRejectedDataRejectedBy), recipient: someRecord(recipientSubmittedDataRecipient), cancelled_reason: someText, cancelled_at: someText }) };
const sandboxEventsResponse = { items: list(record(event)) };
const sandboxClockResponse = { now: neededText, real_time: neededText, is_paused: neededFlag };
const sandboxSetClockResponse = { now: neededText, real_time: neededText, is_paused: neededFlag };
const sandboxAdvanceClockResponseFiredAttempt = { kind: neededText, endpoint: neededText, ok: neededFlag, status: someNumber, why: someText, next_at: someText };
const sandboxAdvanceClockResponseFired = { type: neededText, at: neededText, transaction_id: neededText, id: neededText, attempt: someRecord(sandboxAdvanceClockResponseFiredAttempt) };
const sandboxAdvanceClockResponse = { now: neededText, real_time: neededText, is_paused: neededFlag, status: someText, fired: list(record(sandboxAdvanceClockResponseFired)), fired_total: neededNumber };
const sandboxPauseClockResponse = { now: neededText, real_time: neededText, is_paused: neededFlag };
const sandboxResumeClockResponse = { now: neededText, real_time: neededText, is_paused: neededFlag };
const sandboxResetClockResponse = { now: neededText, real_time: neededText, is_paused: neededFlag };
const sandboxListFaultsResponseItem = { id: neededText, operation: neededText, kind: neededText, count: someNumber, probability: someNumber, seed: someNumber, latency: someNumber, jitter: someNumber, retry_after: someNumber, bytes: someNumber, hits: neededNumber };
const sandboxListFaultsResponse = { items: list(record(sandboxListFaultsResponseItem)) };
const sandboxAddFaultResponse = { id: neededText, operation: neededText, kind: neededText, count: someNumber, probability: someNumber, seed: someNumber, latency: someNumber, jitter: someNumber, retry_after: someNumber, bytes: someNumber, hits: neededNumber };
const sandboxClearFaultsResponse = { removed: neededNumber };
const sandboxListSnapshotsResponseItem = { name: neededText, saved_at: neededText };
const sandboxListSnapshotsResponse = { items: list(record(sandboxListSnapshotsResponseItem)) };
const sandboxSaveSnapshotResponse = { name: someText };
const sandboxRestoreSnapshotResponse = { name: someText };
const sandboxDeleteSnapshotResponse = { name: someText };
const sandboxMailResponseItemDelivery = { state: neededText, reason: someText };
const sandboxMailResponseItem = { id: neededId, transaction_id: neededText, recipient_id: neededText, kind: neededText, language: neededText, created: neededText, from: neededText, reply_to: someText, to: neededText, subject: neededText, body: neededText, delivery: someRecord(sandboxMailResponseItemDelivery) };
const sandboxMailResponse = { items: list(record(sandboxMailResponseItem)) };
const sandboxMailDetailResponseAttachment = { id: neededId, name: neededText, size_bytes: neededNumber };
const sandboxMailDetailResponseDelivery = { state: neededText, reason: someText, next_at: someText, attempts: someList(record(attempt)) };
const sandboxMailDetailResponse = { id: neededId, transaction_id: neededText, recipient_id: neededText, kind: neededText, language: neededText, created: neededText, from: neededText, reply_to: someText, to: neededText, subject: neededText, body: neededText, html: neededText, attachments: list(record(sandboxMailDetailResponseAttachment)), delivery: someRecord(sandboxMailDetailResponseDelivery) };
const sandboxListTransactionsResponseItemRecipient = { name: neededText, email: neededText, role: neededText, submitted_at: someText };
const sandboxListTransactionsResponseItem = { id: neededId, name: neededText, status: neededText, created_at: neededText, sender: neededText, recipients: list(record(sandboxListTransactionsResponseItemRecipient)) };
const sandboxListTransactionsResponse = { items: list(record(sandboxListTransactionsResponseItem)) };
const sandboxSignResponseRecipient = { id: neededId, name: neededText, email: neededText };
const sandboxSignResponse = { id: neededId, status: neededText, recipient: record(sandboxSignResponseRecipient) };
const sandboxRejectResponseRecipient = { id: neededId, name: neededText, email: neededText };
const sandboxRejectResponse = { id: neededId, status: neededText, recipient: record(sandboxRejectResponseRecipient) };
const sandboxExpireResponse = { id: neededId, status: neededText };
const sandboxSaveTemplateResponse = { id: neededId };
const user = { id: neededId, name: neededText, email: neededText, company: neededText, created_at: neededText, verified_at: someText };
const sandboxListUsersResponse = { items: list(record(user)) };
const sandboxVerifyUserResponse = { id: neededId, email: neededText, verified_at: neededText };
const sandboxSetPasswordResponse = { email: neededText, password: someText };
const sandboxSignInLinkResponse = { sign_in_url: neededText, page_url: neededText, expires_at: someText };
const sandboxAddClientResponse = { id: neededId, name: neededText, callback_url: neededText, is_public: someFlag, created_at: neededText, client_id: neededId, client_secret: someId, notification_secret: neededText };
const sandboxListClientsResponseItem = { id: neededId, name: neededText, callback_url: neededText, is_public: someFlag, created_at: neededText, client_id: neededId };
const sandboxListClientsResponse = { items: list(record(sandboxListClientsResponseItem)) };
const sandboxDeleteClientResponse = { removed: someFlag };
const sandboxRotateNotificationSecretResponse = { client_id: neededText, notification_secret: neededId, previous_valid_until: neededText };
const sandboxTokenResponse = { client_id: someText, scopes: list(neededText), access_token: someText, refresh_token: someText, expires_in: neededNumber, code: someText };

export const CLIENT_OPERATIONS = {
  'transaction.create': {"name":["transactions","create"],"method":"POST","path":"/v1/transaction","body":true,"token":true,"idempotent":true,"success":{}, received: record(transactionCreateResponse) },
  'transaction.update': {"name":["transactions","update"],"method":"PUT","path":"/v1/transaction/{transactionId}","ids":["transactionId"],"body":true,"token":true,"success":{}, received: record(transactionUpdateResponse) },
  'transaction.add_document': {"name":["transactions","addDocument"],"method":"POST","path":"/v1/transaction/{transactionId}/document","ids":["transactionId"],"body":true,"token":true,"idempotent":true,"success":{}, received: record(transactionAddDocumentResponse) },
  'transaction.fields': {"name":["transactions","setFields"],"method":"PUT","path":"/v1/transaction/{transactionId}/fields","ids":["transactionId"],"body":true,"token":true,"success":{}, received: record(transactionFieldsResponse) },
  'transaction.start': {"name":["transactions","start"],"method":"PUT","path":"/v1/transaction/{transactionId}/start","ids":["transactionId"],"token":true,"idempotent":true,"once":true,"isLong":true,"success":{}, received: record(transactionStartResponse) },
  'transaction.detail': {"name":["transactions","get"],"method":"GET","path":"/v1/transaction/{transactionId}","ids":["transactionId"],"token":true,"success":{}, received: record(transaction) },
  'transaction.use_templates': {"name":["transactions","useTemplates"],"method":"POST","path":"/v1/transaction/{transactionId}/templates","ids":["transactionId"],"body":true,"token":true,"idempotent":true,"success":{}, received: record(transaction) },
  'transaction.cancel': {"name":["transactions","cancel"],"method":"PUT","path":"/v1/transaction/{transactionId}/cancel","ids":["transactionId"],"body":true,"token":true,"once":true,"success":{}, received: record(transactionCancelResponse) },
  'transaction.remind': {"name":["transactions","remind"],"method":"POST","path":"/v1/transaction/{transactionId}/remind","ids":["transactionId"],"token":true,"idempotent":true,"once":true,"success":{}, received: record(transactionRemindResponse) },
  'file.upload': {"name":["files","upload"],"method":"POST","path":"/v1/file/upload","isUpload":true,"token":true,"idempotent":true,"isLong":true,"success":{}, received: record(fileUploadResponse) },
  'file.content': {"name":["files","download"],"method":"GET","path":"/v1/file/{fileId}","ids":["fileId"],"token":true,"success":{"binary":true} },
  'file.presigned': {"name":["files","downloadPresigned"],"method":"GET","path":"/files/{fileId}","ids":["fileId"],"query":["expires","signature"],"success":{"binary":true} },
  'template.detail': {"name":["templates","get"],"method":"GET","path":"/v1/template/{templateId}","ids":["templateId"],"token":true,"success":{}, received: record(templateDetailResponse) },
  'template.list': {"name":["templates","list"],"method":"GET","path":"/v1/template","query":["search","limit","page"],"token":true,"success":{}, received: record(templateListResponse) },
  'webhook.create': {"name":["webhooks","create"],"method":"POST","path":"/v1/webhook","body":true,"token":true,"idempotent":true,"success":{}, received: record(webhookCreateResponse) },
  'webhook.list': {"name":["webhooks","list"],"method":"GET","path":"/v1/webhook","query":["limit","page"],"token":true,"success":{}, received: record(webhookListResponse) },
  'webhook.delete': {"name":["webhooks","delete"],"method":"DELETE","path":"/v1/webhook/{webhookId}","ids":["webhookId"],"token":true,"success":{}, received: record(webhookDeleteResponse) },
  'webhook.detail': {"name":["webhooks","get"],"method":"GET","path":"/v1/webhook/{webhookId}","ids":["webhookId"],"token":true,"success":{}, received: record(webhook) },
  'webhook.enable': {"name":["webhooks","enable"],"method":"PUT","path":"/v1/webhook/{webhookId}/enable","ids":["webhookId"],"token":true,"success":{}, received: record(webhook) },
  'webhook.disable': {"name":["webhooks","disable"],"method":"PUT","path":"/v1/webhook/{webhookId}/disable","ids":["webhookId"],"token":true,"success":{}, received: record(webhook) },
  'webhook.rotate': {"name":["webhooks","rotate"],"method":"POST","path":"/v1/webhook/{webhookId}/rotate","ids":["webhookId"],"body":true,"isBodyEmpty":true,"token":true,"idempotent":true,"success":{}, received: record(webhookRotateResponse) },
  'webhook.ping': {"name":["webhooks","ping"],"method":"POST","path":"/v1/webhook/{webhookId}/ping","ids":["webhookId"],"body":true,"isBodyEmpty":true,"token":true,"success":{}, received: record(webhookPingResponse) },
  'event.list': {"name":["events","list"],"method":"GET","path":"/v1/event","query":["transaction_id","type","undelivered","after","limit","page"],"token":true,"success":{}, received: record(eventListResponse) },
  'event.detail': {"name":["events","get"],"method":"GET","path":"/v1/event/{eventId}","ids":["eventId"],"token":true,"success":{}, received: record(eventDetail) },
  'event.replay': {"name":["events","replay"],"method":"POST","path":"/v1/event/replay","body":true,"token":true,"idempotent":true,"success":{}, received: record(eventReplayResponse) },
  'oauth.exchange_code': {"name":["oauth","exchangeCode"],"method":"POST","path":"/v1/oauth/exchange/code","body":true,"success":{}, received: record(oauthExchangeCodeResponse) },
  'oauth.refresh_token': {"name":["oauth","refreshToken"],"method":"POST","path":"/v1/oauth/refresh/token","body":true,"success":{}, received: record(oauthRefreshTokenResponse) },
  'user.me': {"name":["users","me"],"method":"GET","path":"/v1/user/me","token":true,"success":{}, received: record(userMeResponse) },
  'signing.view': {"name":["signing","view"],"method":"GET","path":"/sign","query":["token"],"success":{}, received: record(signingViewResponse) },
  'signing.page': {"name":["signing","page"],"method":"GET","path":"/sign/page/{pageId}","ids":["pageId"],"query":["token"],"success":{"binary":true} },
  'signing.submit': {"name":["signing","submit"],"method":"POST","path":"/sign/submit","query":["token"],"body":true,"success":{}, received: record(signingSubmitResponse) },
  'signing.reject': {"name":["signing","reject"],"method":"POST","path":"/sign/reject","query":["token"],"body":true,"success":{}, received: record(signingRejectResponse) },
  'sandbox.status': {"name":["sandbox","status"],"method":"GET","path":"/_sandbox/status","control":true,"success":{}, received: record(sandboxStatusResponse) },
  'sandbox.authority': {"name":["sandbox","authority"],"method":"GET","path":"/_sandbox/authority","control":true,"success":{}, received: record(sandboxAuthorityResponse) },
  'sandbox.issue_certificate': {"name":["sandbox","issueCertificate"],"method":"POST","path":"/_sandbox/certificate","body":true,"control":true,"success":{}, received: record(sandboxIssueCertificateResponse) },
  'sandbox.reset': {"name":["sandbox","reset"],"method":"POST","path":"/_sandbox/reset","body":true,"isBodyEmpty":true,"control":true,"success":{}, received: record(sandboxResetResponse) },
  'sandbox.events': {"name":["sandbox","listEvents"],"method":"GET","path":"/_sandbox/events","query":["transaction_id","type","after","limit"],"control":true,"success":{}, received: record(sandboxEventsResponse) },
  'sandbox.clock': {"name":["sandbox","getClock"],"method":"GET","path":"/_sandbox/clock","control":true,"success":{}, received: record(sandboxClockResponse) },
  'sandbox.set_clock': {"name":["sandbox","setClock"],"method":"POST","path":"/_sandbox/clock/set","body":true,"control":true,"success":{}, received: record(sandboxSetClockResponse) },
  'sandbox.advance_clock': {"name":["sandbox","advanceClock"],"method":"POST","path":"/_sandbox/clock/advance","body":true,"control":true,"once":true,"success":{}, received: record(sandboxAdvanceClockResponse) },
  'sandbox.pause_clock': {"name":["sandbox","pauseClock"],"method":"POST","path":"/_sandbox/clock/pause","body":true,"control":true,"success":{}, received: record(sandboxPauseClockResponse) },
  'sandbox.resume_clock': {"name":["sandbox","resumeClock"],"method":"POST","path":"/_sandbox/clock/resume","body":true,"isBodyEmpty":true,"control":true,"success":{}, received: record(sandboxResumeClockResponse) },
  'sandbox.reset_clock': {"name":["sandbox","resetClock"],"method":"POST","path":"/_sandbox/clock/reset","body":true,"isBodyEmpty":true,"control":true,"success":{}, received: record(sandboxResetClockResponse) },
  'sandbox.list_faults': {"name":["sandbox","listFaults"],"method":"GET","path":"/_sandbox/fault","control":true,"success":{}, received: record(sandboxListFaultsResponse) },
  'sandbox.add_fault': {"name":["sandbox","addFault"],"method":"POST","path":"/_sandbox/fault","body":true,"control":true,"success":{}, received: record(sandboxAddFaultResponse) },
  'sandbox.clear_faults': {"name":["sandbox","clearFaults"],"method":"DELETE","path":"/_sandbox/fault","control":true,"success":{}, received: record(sandboxClearFaultsResponse) },
  'sandbox.list_snapshots': {"name":["sandbox","listSnapshots"],"method":"GET","path":"/_sandbox/snapshot","control":true,"success":{}, received: record(sandboxListSnapshotsResponse) },
  'sandbox.save_snapshot': {"name":["sandbox","saveSnapshot"],"method":"PUT","path":"/_sandbox/snapshot/{name}","ids":["name"],"body":true,"isBodyEmpty":true,"control":true,"success":{}, received: record(sandboxSaveSnapshotResponse) },
  'sandbox.restore_snapshot': {"name":["sandbox","restoreSnapshot"],"method":"POST","path":"/_sandbox/snapshot/{name}/restore","ids":["name"],"body":true,"isBodyEmpty":true,"control":true,"success":{}, received: record(sandboxRestoreSnapshotResponse) },
  'sandbox.delete_snapshot': {"name":["sandbox","deleteSnapshot"],"method":"DELETE","path":"/_sandbox/snapshot/{name}","ids":["name"],"control":true,"success":{}, received: record(sandboxDeleteSnapshotResponse) },
  'sandbox.mail': {"name":["sandbox","listMail"],"method":"GET","path":"/_sandbox/mail","query":["transaction_id","to","limit"],"control":true,"success":{}, received: record(sandboxMailResponse) },
  'sandbox.mail_detail': {"name":["sandbox","getMail"],"method":"GET","path":"/_sandbox/mail/{mailId}","ids":["mailId"],"control":true,"success":{}, received: record(sandboxMailDetailResponse) },
  'sandbox.mail_message': {"name":["sandbox","downloadMail"],"method":"GET","path":"/_sandbox/mail/{mailId}/message","ids":["mailId"],"control":true,"success":{"binary":true} },
  'sandbox.list_transactions': {"name":["sandbox","listTransactions"],"method":"GET","path":"/_sandbox/transaction","query":["user","name"],"control":true,"success":{}, received: record(sandboxListTransactionsResponse) },
  'sandbox.sign': {"name":["sandbox","sign"],"method":"POST","path":"/_sandbox/transaction/{transactionId}/sign","ids":["transactionId"],"body":true,"control":true,"success":{}, received: record(sandboxSignResponse) },
  'sandbox.reject': {"name":["sandbox","reject"],"method":"POST","path":"/_sandbox/transaction/{transactionId}/reject","ids":["transactionId"],"body":true,"control":true,"success":{}, received: record(sandboxRejectResponse) },
  'sandbox.expire': {"name":["sandbox","expire"],"method":"POST","path":"/_sandbox/transaction/{transactionId}/expire","ids":["transactionId"],"body":true,"isBodyEmpty":true,"control":true,"success":{}, received: record(sandboxExpireResponse) },
  'sandbox.save_template': {"name":["sandbox","saveTemplate"],"method":"POST","path":"/_sandbox/transaction/{transactionId}/template","ids":["transactionId"],"body":true,"control":true,"success":{}, received: record(sandboxSaveTemplateResponse) },
  'sandbox.add_user': {"name":["sandbox","addUser"],"method":"POST","path":"/_sandbox/user","body":true,"control":true,"success":{}, received: record(user) },
  'sandbox.list_users': {"name":["sandbox","listUsers"],"method":"GET","path":"/_sandbox/user","control":true,"success":{}, received: record(sandboxListUsersResponse) },
  'sandbox.verify_user': {"name":["sandbox","verifyUser"],"method":"PUT","path":"/_sandbox/user/verify","body":true,"control":true,"success":{}, received: record(sandboxVerifyUserResponse) },
  'sandbox.set_password': {"name":["sandbox","setPassword"],"method":"PUT","path":"/_sandbox/user/password","body":true,"control":true,"success":{}, received: record(sandboxSetPasswordResponse) },
  'sandbox.sign_in_link': {"name":["sandbox","signInLink"],"method":"POST","path":"/_sandbox/user/link","body":true,"control":true,"success":{}, received: record(sandboxSignInLinkResponse) },
  'sandbox.add_client': {"name":["sandbox","addClient"],"method":"POST","path":"/_sandbox/client","body":true,"control":true,"success":{}, received: record(sandboxAddClientResponse) },
  'sandbox.list_clients': {"name":["sandbox","listClients"],"method":"GET","path":"/_sandbox/client","control":true,"success":{}, received: record(sandboxListClientsResponse) },
  'sandbox.delete_client': {"name":["sandbox","deleteClient"],"method":"DELETE","path":"/_sandbox/client/{clientId}","ids":["clientId"],"control":true,"success":{}, received: record(sandboxDeleteClientResponse) },
  'sandbox.rotate_notification_secret': {"name":["sandbox","rotateNotificationSecret"],"method":"POST","path":"/_sandbox/client/{clientId}/rotate","ids":["clientId"],"body":true,"isBodyEmpty":true,"control":true,"success":{}, received: record(sandboxRotateNotificationSecretResponse) },
  'sandbox.token': {"name":["sandbox","token"],"method":"POST","path":"/_sandbox/token","body":true,"control":true,"success":{}, received: record(sandboxTokenResponse) },
} as const satisfies Record<string, ClientOperation>;

export const eventReader = record({ created: neededText, id: neededId, type: neededText, data: record({ id: someText, status: someText, recipients: someList(record(transactionCompletedDataRecipient)), sealed_documents: someList(record(transactionCompletedDataSealedDocument)), created_by: someRecord(transactionCreatedDataCreatedBy), started_by: someRecord(transactionStartedDataStartedBy), expiration_days: someNumber, expired_at: someText, rejected_by: someRecord(transactionRejectedDataRejectedBy), recipient: someRecord(recipientSubmittedDataRecipient), cancelled_reason: someText, cancelled_at: someText }) });

/** The most items that a page of a list can have. */
export const PAGE_SIZE = 100;
