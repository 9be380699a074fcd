// Every point that the specification leaves open, by its number, and what was chosen. The code names the numbers where
// a choice is made (`assumed: A16`), OpenAPI carries them as `x-assumed`.

export type AssumedPoint = { about: string; choice: string };

const point = (about: string, choice: string): AssumedPoint => ({ about, choice });

export const ASSUMED_POINTS: Readonly<Record<string, AssumedPoint>> = {
  A1: point('address of a transaction', 'GET /v1/transaction/{transactionId}, answered with 200'),
  A2: point(
    'address of using templates',
    'POST /v1/transaction/{transactionId}/templates, answered with 201',
  ),
  A3: point(
    'address of cancelling',
    'PUT /v1/transaction/{transactionId}/cancel, like start; answered with 200',
  ),
  A4: point('addresses of templates', 'GET /v1/template/{templateId} for one, GET /v1/template for the list'),
  A5: point('addresses of webhooks', 'POST /v1/webhook creates one, GET /v1/webhook lists them'),
  A6: point(
    'removing a webhook',
    'an extension, DELETE /v1/webhook/{webhookId}; the scope for it is specified, the operation is not',
  ),
  A7: point(
    'scope of each operation',
    'transaction:create to create, transaction:update for whatever changes a transaction, transaction:read to look at it, file:create to upload, template:read for templates, webhook:create, webhook:read and webhook:remove for webhooks',
  ),
  A8: point('codes of success that are not shown', '200 for update, fields and start'),
  A9: point(
    'id that adding a document answers',
    'the id of the transaction; the extension document_id names the new document',
  ),
  A10: point(
    'status after a cancel',
    'expired on the wire, as in the sample event; the extensions cancelled_at and cancelled_reason tell, and esign says cancelled whenever it can tell',
  ),
  A11: point(
    'when a draft may start',
    'with a document, with exactly one sender whose e-mail is that of the user, with somebody who acts, and with every field inside an existing page and of an existing recipient',
  ),
  A12: point(
    'order of signing',
    'one after another by index; a sender acts only when there are fields for the sender; a signer or proxy without fields approves the documents as they are',
  ),
  A13: point('role proxy', 'acts like a signer, on behalf of somebody else'),
  A14: point(
    'when a transaction is completed',
    'in the step in which the last of those who act has submitted; the documents are sealed in the same step, and where they cannot be, the signature is not taken',
  ),
  A15: point('when it is rejected', 'when the recipient whose turn it is rejects it, with a reason'),
  A16: point(
    'when it expires',
    'at sent_at plus expiration_days times 24 hours; without expiration_days never',
  ),
  A17: point('ends', 'completed, rejected, expired and cancelled are final; every later command is refused'),
  A18: point(
    'place of a field',
    'pages count from 0 on the wire; points of 1/72 inch from the top left corner of the page as a reader shows it, rotated and cropped',
  ),
  A19: point(
    'types of fields',
    'text, signature, person_name, email as shown; and initials, date, number, checkbox, select, radio; any other is refused by name',
  ),
  A20: point(
    'what must be given',
    'of a field its document, recipient, page, size, position and type; of a recipient role, index, name and e-mail; of a document id and index; the rest has defaults. The id of a recipient or field is one that the draft has, or a UUID that nobody has for a new one; without an id the recipient with the same e-mail and role is kept',
  ),
  A21: point(
    'expires_in',
    'seconds; an access token lives 3600. A client takes it as a hint, only a 401 is certain',
  ),
  A22: point('refresh token', 'stays the same and does not expire'),
  A23: point(
    'state and redirect_uri of the authorization link',
    'state is sent back as it came; redirect_uri is an extension and must be the registered one, with any port on loopback',
  ),
  A24: point('consent refused', 'the browser is sent back with error=access_denied'),
  A25: point(
    'errors',
    "problem details of RFC 9457 with a code; 400, 401, 403, 404 (also for what is another company's), 405, 409 for the wrong state, 413, 415, 422, 429",
  ),
  A26: point('10 MB', '10 times 1024 times 1024 bytes, themselves allowed, counted while the file comes in'),
  A27: point(
    'files that are accepted',
    'PDF, DOCX, PNG, JPEG, WebP, GIF, TIFF and BMP, told by their bytes and never by their name; everything becomes a PDF. What could not be kept or shown is a remark, in the answer of the upload and in the detail',
  ),
  A28: point('presigned_url', 'a signed address of the stored file, valid for one hour'),
  A29: point(
    'token of a file',
    'for one company, may be used several times, lives 24 hours while nothing uses it',
  ),
  A30: point('delivery of webhooks', 'none: events are kept and can be read, and are sent to no webhook'),
  A31: point('what notification_endpoint is sent', 'nothing: it is stored and shown'),
  A32: point(
    'notifying recipients',
    'an e-mail with subject, text and alias as set; it stays in the mailbox inside (/_sandbox/mail)',
  ),
  A33: point(
    'order of lists',
    'newest first, then by id; limit 1 to 100, page from 1; a page past the end is empty and the last, and the page before it is the last that holds something',
  ),
  A34: point('where templates come from', 'an extension: a transaction is saved as a template'),
  A35: point(
    'sealed documents',
    'id, name, sha256 and document of each in the event and, as an extension, in the detail, there with an address that is good for an hour; file.content reads them',
  ),
  A36: point(
    'provider_type and its like',
    'provider_type "embedded", provider_id null, is_provider_ready true, is_archived false',
  ),
  A37: point(
    'sending a request again',
    'an extension: Idempotency-Key on POST and on start; the same key and body get the first answer for 24 hours, another body is refused. Elsewhere it is relied on only where the profile says so',
  ),
  A38: point(
    'token of a recipient',
    'shown in the detail for whoever is asked now; once the turn or the transaction has ended nobody can sign with it, and its address tells how things stand. The extension opened_at says when the recipient first opened the page',
  ),
  A39: point(
    'addresses of the service inside',
    'one address on loopback for everything, chosen when the store is made and kept; it answers while something serves it',
  ),
  A40: point('its own user', 'Sandbox Sender <sender@esign.test> of the company Sandbox; more can be added'),
  A41: point(
    'PUT in update and fields',
    'lists replace; absent fields stay, an empty list removes them all; a recipient or document that is removed takes its fields along',
  ),
  A42: point(
    'using several templates',
    'appended in the order given; the sender of a template becomes that of the draft; a recipient whose e-mail is there already is that one',
  ),
  A43: point(
    'ranges that are not shown',
    'expiration_days 1 to 3650; lengths count Unicode code points; texts up to 10,000; notification_endpoint https, or http on loopback',
  ),
  A44: point('edit_navigation', 'kept and answered; nothing else depends on it'),
  A45: point(
    'the same e-mail more than once',
    'allowed where role or name differs, as for a sender who also signs; refused where role, name and e-mail are the same',
  ),
  A47: point(
    'order of events',
    'their ids are in the order of time and of commits; created never runs backwards within a transaction',
  ),
  A48: point(
    'what the signing address answers',
    'an extension: a browser (a request that accepts text/html) gets the signing page, every other program JSON',
  ),
};
