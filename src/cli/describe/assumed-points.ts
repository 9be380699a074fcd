// Lists every point that the specification leaves open, by its number, and what was chosen. The code names the numbers where
// a choice is made (`assumed: A16`), and OpenAPI has them as `x-assumed`.

export type AssumedPoint = { about: string; choice: string };

const point = (about: string, choice: string): AssumedPoint => ({ about, choice });

export const ASSUMED_POINTS: Readonly<Record<string, AssumedPoint>> = {
  A1: point('Path of a transaction', 'GET /v1/transaction/{transactionId}, response status 200'),
  A2: point(
    'Path for using templates',
    'POST /v1/transaction/{transactionId}/templates, response status 201',
  ),
  A3: point(
    'Path for cancelling',
    'PUT /v1/transaction/{transactionId}/cancel, the method of start; response status 200',
  ),
  A4: point('Paths of templates', 'GET /v1/template/{templateId} for one, GET /v1/template for the list'),
  A5: point('Paths of webhooks', 'POST /v1/webhook to create one, GET /v1/webhook to list them'),
  A6: point(
    'Deleting a webhook',
    'An extension: DELETE /v1/webhook/{webhookId}. The specification defines the scope webhook:remove, but no operation for it',
  ),
  A7: point(
    'Scopes of the operations',
    'The scopes are transaction:create to create, transaction:update for any change to a transaction, transaction:read to read it, file:create to upload, template:read for templates, webhook:create, webhook:read and webhook:remove for webhooks',
  ),
  A8: point('Status codes of update, fields and start', 'Response status 200'),
  A9: point(
    'ID in the response to adding a document',
    'The ID of the transaction. The extension document_id contains the ID of the new document',
  ),
  A10: point(
    'Status after cancelling',
    'A cancelled transaction has the status expired in the API, as in the sample event of the specification. The extensions cancelled_at and cancelled_reason distinguish it from one that expired; esign shows the status cancelled if they are present',
  ),
  A11: point(
    'When a draft can be started',
    'When it has at least one document, exactly one sender with the email of the user, and at least one recipient who acts, and when every field is on an existing page and belongs to an existing recipient',
  ),
  A12: point(
    'Signing order',
    'Recipients sign one after another, by index. A sender acts only if there are fields for the sender. A signer or proxy without fields approves the documents as they are. Two recipients, or two documents, with the same index are refused',
  ),
  A13: point('Role proxy', 'Acts like a signer, on behalf of another person'),
  A14: point(
    'When a transaction is completed',
    'In the same step in which the last recipient who acts submits. The documents are sealed in that step; if they cannot be sealed, the signature is not accepted',
  ),
  A15: point('When a transaction is rejected', 'When the current recipient rejects it, with a reason'),
  A16: point(
    'When a transaction expires',
    'At sent_at plus expiration_days times 24 hours; never without expiration_days',
  ),
  A17: point(
    'Final statuses',
    'The statuses completed, rejected and expired are final, and expired is also the status of a cancelled transaction. Any later change is refused',
  ),
  A18: point(
    'Position of a field',
    'In the API, pages are counted from 0. Positions are in points (1/72 inch) from the top left corner of the page as displayed, rotated and cropped',
  ),
  A19: point(
    'Field types',
    'text, signature, person_name and email as shown in the specification, and initials, date, number, checkbox, select and radio. Any other type is refused',
  ),
  A20: point(
    'Required properties',
    'For a field: document, recipient, page, size, position and type. For a recipient: role, index, name and email. For a document: ID and index. Everything else has a default. The ID of a recipient or field must exist in the draft or be a new UUID. A recipient without an ID is matched by email and role, and by name if several match',
  ),
  A21: point(
    'expires_in',
    'Number of seconds; an access token is valid for 3600 seconds. Clients treat it as a hint: only a 401 response shows that a token is no longer accepted',
  ),
  A22: point(
    'Refresh token',
    'Does not change and does not expire. An extension: each response to a public application replaces the refresh token, and one that is not used for 90 days expires',
  ),
  A23: point(
    'state and redirect_uri of the authorization URL',
    'The parameter state is returned unchanged. redirect_uri is an extension and must be the registered URL, with any port on loopback addresses. code_challenge (PKCE) is an extension',
  ),
  A24: point('Refused consent', 'The browser is redirected to the callback URL with error=access_denied'),
  A25: point(
    'Errors',
    'Problem details (RFC 9457) with a code: 400, 401, 403, 404 (also for resources of another company), 405, 409 for the wrong status, 413, 415, 422, 429',
  ),
  A26: point('10 MB', '10 × 1024 × 1024 bytes inclusive, checked during the upload'),
  A27: point(
    'Accepted files',
    'PDF, DOCX, PNG, JPEG, WebP, GIF, TIFF and BMP, recognized by content, not by name. All files are converted to PDF. Remarks in the response to the upload and in the transaction list what could not be kept or displayed; esign shows them as warnings',
  ),
  A28: point(
    'presigned_url',
    'A signed URL of the stored file, valid for one hour. A document is returned as PDF, even if an image or a DOCX file was uploaded',
  ),
  A29: point(
    'File token',
    'Valid for one company, can be used several times, and expires 24 hours after the last use',
  ),
  A30: point(
    'Delivery to webhooks',
    'An extension that follows Standard Webhooks: headers webhook-id, webhook-timestamp and webhook-signature, and a secret that is shown only once. The body is the event envelope, unchanged. A 2xx response within 15 s counts as delivered; redirects are not followed. Up to ten attempts over three days, with pauses from 5 s to 24 h. Retry-After is respected up to one day. 410 disables the webhook. Undelivered events are kept and can be replayed',
  ),
  A31: point(
    'Delivery to notification_endpoint',
    'Every event of the transaction, in the same form as for a webhook, signed with the notification secret of the OAuth application that created the transaction. The secret is shown once, when the application is registered or the secret is replaced',
  ),
  A32: point(
    'Emails to recipients',
    'Each recipient gets an email with the given subject and alias when it is their turn; it quotes the given text as a message from the sender. The extension remind sends it again, at most once an hour. When the transaction is completed, every recipient gets an email, with the sealed documents attached if they have up to 5 MB in total. An email reports a rejection or expiry to the sender and the recipients invited so far, and a cancellation to the recipients invited so far. Emails are kept in the mailbox (/_sandbox/mail), and sent by SMTP if a server is configured',
  ),
  A33: point(
    'Order of lists',
    'Newest first, then by ID; limit 1 to 100, page from 1. A page past the end is empty and is the last page; its previous page is the last one with entries',
  ),
  A34: point('Where templates come from', 'An extension: a transaction can be saved as a template'),
  A35: point(
    'Sealed documents',
    'The event contains ID, name, sha256 and document of each sealed document. As an extension, the transaction contains them too, with a presigned_url that is valid for one hour. The operation file.content reads them by ID',
  ),
  A36: point(
    'provider_type and related properties',
    'The values do not change: provider_type "embedded", provider_id null, is_provider_ready true, is_archived false',
  ),
  A37: point(
    'Retrying a request',
    'An extension: the header Idempotency-Key on POST and on start. The same key and body get the first response again for 24 hours, with the header Idempotency-Replayed: true; another body is refused. With other services, esign relies on it only if the profile says so',
  ),
  A38: point(
    'Token of a recipient',
    'Shown in the transaction for the current recipient, to the user who sends the transaction; null for other users of the company, because anyone who has it can sign. After their turn or the end of the transaction it can no longer be used to sign, and its URL shows the status. The extension opened_at is the time when the recipient first opened the page',
  ),
  A39: point(
    'URLs of the sandbox',
    'The API, signing pages and dashboard share one loopback URL. It is chosen when the sandbox is created and does not change. It responds while the sandbox is served',
  ),
  A40: point(
    'Default user of the sandbox',
    'Sandbox Sender <sender@esign.test> of the company Sandbox; more users can be added',
  ),
  A41: point(
    'PUT in update and fields',
    'Lists are replaced. Absent properties stay unchanged; an empty list removes all entries. Removing a recipient or document removes its fields',
  ),
  A42: point(
    'Using several templates',
    'Their content is appended in the given order. The sender of a template becomes the sender of the draft. A recipient of a template whose email already belongs to a recipient of the draft is matched with that recipient instead of being added, by role and name if several have the email. Two recipients of the same template stay two',
  ),
  A43: point(
    'Ranges of values',
    'The range of expiration_days is 1 to 3650. Lengths are counted in Unicode code points; texts have up to 10,000. A field is at least 4 points wide and high. notification_endpoint is an https URL with a public address, or http or https on loopback',
  ),
  A44: point('edit_navigation', 'Stored and returned; the dashboard offers the editor of such a draft first'),
  A45: point(
    'The same email more than once',
    'Allowed if role or name differs, as for a sender who also signs; refused if role, name and email are the same',
  ),
  A46: point(
    'PDF with existing signatures',
    'Accepted, with the remark already_signed. In the sealed copy, earlier signatures are pictures; the original file is attached unchanged, and they can be verified there',
  ),
  A47: point(
    'Order of events',
    'Event IDs increase with time, in the order of commits. The property created never decreases within a transaction',
  ),
  A48: point(
    'Response at the signing URL',
    'An extension: browsers (requests that accept text/html) get the signing page, all other programs JSON',
  ),
};
