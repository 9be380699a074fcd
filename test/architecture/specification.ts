// Every rule of docs/service.md, and the test that holds it. A line is the number of the rule, the hash of the statement
// that it comes from (see sentences.ts), a word or two of ours, and after the bar the file and the title of a test; or
// `informative` with the reason why that statement is no rule. Choices of ours are below, by their numbers.

export type Row = {
  id: string;
  hash: string;
  says: string;
  held: { by: 'test'; file: string; title: string } | { by: 'informative'; reason: string };
};

export const specification = (): Row[] => TABLE.trim().split('\n').map(rowOf);

function rowOf(line: string): Row {
  const [, id = '', hash = '', says = '', rest = ''] = /^(\S+) (\S+) (.*?) \| (.*)$/.exec(line) ?? [];
  const reason = /^informative: (.*)$/.exec(rest)?.[1];
  if (reason !== undefined) return { id, hash, says, held: { by: 'informative', reason } };
  const [file = '', title = ''] = rest.split(' › ');
  return { id, hash, says, held: { by: 'test', file: `test/${file}.test.ts`, title } };
}

const TABLE = `
0.1 27de84a76c what the document covers | informative: an introduction
0.2 92bf6dd8aa the three addresses | service/signing-order › answers the start with the signing address of the pending recipient
0.3 d38f37d22f paths are relative to the service address | api/contract/operations › has %s as %s, for %s, answered %i
1.1 daa106b8e8 a platform runs transactions for a connected user | service/oauth › gives exactly the scopes that were granted
1.2 6601ae4e95 accounts are linked by the code flow | service/oauth › exchanges a code for an access token, a refresh token and a lifetime in seconds, without a header
1.3 cc590964a2 the application gets two tokens | service/oauth › exchanges a code for an access token, a refresh token and a lifetime in seconds, without a header
1.4 eb9214f8e1 draft, metadata, files, fields, start | security/permissions › lets the four scopes of the creation flow carry it from the upload to the start
1.5 13fb0ce1e0 a start leads from draft to started and notifies | service/starting › sends an email to the current recipient, and to no other
1.6 643a019b3f the start answers the signing address | service/signing-order › answers the start with the signing address of the pending recipient
1.7 b57d104ca9 no editing once started | service/draft-only › refuses %s when it is \${state}
1.8 5ec16b434f progress is reported by events | service/outbox/delivering › gets every event of a transaction in order, as it happened, signed by the application
1.9 e99c937515 templates create, are read and listed | service/templates › answers 201 with the transaction, complete and ready to start
1.10 1e064501c1 the sender is a recipient | service/recipients › gives each recipient an id, a color, a position from 0 and no token
1.11 e275b4c717 the sender's e-mail is the user's | service/recipients › refuses a sender whose email is not that of the requesting user
2.1 abf163b0dd ids are opaque | service/detail › names things by opaque ids and gives moments in UTC
2.2 373a2cd12f moments are ISO 8601 in UTC | service/detail › names things by opaque ids and gives moments in UTC
2.3 28ff69ff4e transaction id | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.4 4ba6f24b23 template behind it | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.5 5b387a5c59 moments of making and change | service/updating › sets every property it takes, and shows each in the detail
2.6 fe290db07a who created it | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.7 15a38056b3 who sends it | service/starting › lets a colleague who is the sender edit and start what another user created
2.8 561dba9fcb provider type | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.9 5670739e25 provider id | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.10 4f1c6ac1d5 provider readiness | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.11 ffed60f4f9 days until it expires | service/updating › sets every property it takes, and shows each in the detail
2.12 9a7fb6b928 reason of a rejection | service/endings › ends the transaction with the reason, the moment and who it was
2.13 132d3a6995 moment of a rejection | service/endings › ends the transaction with the reason, the moment and who it was
2.14 3e6a3ddc3d who rejected | service/endings › ends the transaction with the reason, the moment and who it was
2.15 5a2e315640 moment of completion | service/signing-order › asks the recipients one after another and completes with the last
2.16 037a4157cf moment of the start | service/starting › counts the days until it expires from the start
2.17 678d609442 when it will expire | service/starting › counts the days until it expires from the start
2.18 6f9f6d9c38 when it expired | service/endings › happens at its time, to the millisecond, and a read notices
2.19 163b2b0ddb status | service/detail › has the type of each property, in every state
2.20 dc80e42347 company | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.21 1074980ad2 sealed or not | service/signing-order › asks the recipients one after another and completes with the last
2.22 bf536d069e archived or not | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.23 8a05466723 template inside | service/detail › shows every property of the specification and no other, at every depth
2.24 b26073c15b template id | service/detail › has the type of each property, in every state
2.25 381c7471de template name | service/updating › sets every property it takes, and shows each in the detail
2.26 1981dae4cd description | service/updating › sets every property it takes, and shows each in the detail
2.27 6431414502 who made the template | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.28 e192fa9d2c edit_navigation | service/updating › sets every property it takes, and shows each in the detail
2.29 b7f00281de reusable | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.30 c94d6f29a6 alias | service/updating › sets every property it takes, and shows each in the detail
2.31 faa0862d79 subject | service/updating › sets every property it takes, and shows each in the detail
2.32 6cf6fe427f body | service/updating › sets every property it takes, and shows each in the detail
2.33 a19992e319 moments of a template | service/detail › shows every property of the specification and no other, at every depth
2.34 bf817c13f7 template's company | service/creating › answers 201 with the id of a draft that belongs to the user and the company
2.35 54cc468f51 fields of a template | service/detail › shows every property of the specification and no other, at every depth
2.36 a98a612441 recipients of a template | service/detail › shows every property of the specification and no other, at every depth
2.37 f9610f125e documents of a template | service/detail › shows every property of the specification and no other, at every depth
2.38 1bc93e15f8 recipient id | service/recipients › keeps the recipient whose id is given, and makes a new one where none is
2.39 05120ed3d2 the three roles | api/contract/operations › are the five values of a status, the roles and the types of fields
2.40 924c5ebdcb the name of a colour | service/recipients › gives each recipient an id, a color, a position from 0 and no token
2.41 0b97b18f6a position from 0 | service/recipients › orders recipients by index and numbers them anew from 0
2.42 c41d6ed63a recipient's name | service/recipients › gives each recipient an id, a color, a position from 0 and no token
2.43 f4164a97f3 recipient's e-mail | service/recipients › gives each recipient an id, a color, a position from 0 and no token
2.44 84266adb49 token in the detail | service/detail › shows the token of the recipient who is pending, and null for the others
2.45 c90646561f moment of the submit | service/signing-order › asks the recipients one after another and completes with the last
2.46 8116467be1 who is pending | service/signing-order › asks the recipients one after another and completes with the last
2.47 c79aafadd9 moments of a recipient | service/detail › shows every property of the specification and no other, at every depth
2.48 bdb018ed2e document id | service/documents › shows index, status, file and every page with a file of its own
2.49 0756af8fd0 position among documents | service/documents › shows index, status, file and every page with a file of its own
2.50 254b4fce57 status processed | service/documents › shows index, status, file and every page with a file of its own
2.51 818e9116da file of a document | service/documents › shows index, status, file and every page with a file of its own
2.52 6baffcf7e6 pages with files | service/documents › shows index, status, file and every page with a file of its own
2.53 00c0ce3746 a document in an update | service/documents › refuses an update with %s
2.54 9cc9c1ba0a field id kept | service/fields › replaces all fields that were there, and removes all with an empty array
2.55 ce23119541 field's document | service/fields › because %s is missing
2.56 bb73cb2f87 field's recipient | service/fields › because %s is missing
2.57 0dcfb32559 page from 0 | service/fields › because of %s
2.58 3684755a4f size of the box | service/fields › may fill the page to its edges
2.59 844d211d76 position of the box | service/fields › because of %s
2.60 b9d4a6dbb2 the four types | service/fields › takes the type %s
2.61 838e7bd748 label | service/fields › answers {updated: true} with 200, and fills in what is omitted
2.62 a3d9f359f3 required or not | service/submitting › take %s
2.63 05e5aef03a bold, italic | service/fields › keeps every property that is given
2.64 65075f2460 underline | service/fields › keeps every property that is given
2.65 b433875d58 font | service/fields › keeps every property that is given
2.66 054daea13a font size | service/fields › keeps every property that is given
2.67 ecd7fe5ad4 colour as #RRGGBB | service/fields › because of %s
2.68 21f8f847f6 helper text | service/fields › keeps every property that is given
2.69 74064e769b field's template | service/fields › answers {updated: true} with 200, and fills in what is omitted
2.70 889b0b50b9 lengths | service/fields › keeps every property that is given
2.71 3e4e977a73 values | service/fields › keeps every property that is given
2.72 4a5896b048 regular expression | service/fields › keeps every property that is given
2.73 5fd92087f5 options | service/fields › keeps every property that is given
2.74 aafa63e637 complete lists | api/contract/operations › are the five values of a status, the roles and the types of fields
2.75 fe5512c665 an upload answers a token | service/upload › answers 201 with a token and a temporary address of the stored file
2.76 c0e76da470 the token links the file | service/documents › answers adding a document with 201, the transaction's id and that of the document
2.77 2e33af7927 a temporary address | service/upload › answers 201 with a token and a temporary address of the stored file
2.78 6ad0bd9ffc webhook id | service/webhooks › are created with 201, an id and a secret that is shown this once
2.79 f808e1bad6 webhook name | service/webhooks › not because of a name of %i code points
2.80 33d55e8522 TLS | service/webhooks › because of %s
2.81 be3a705111 event types | service/webhooks › may subscribe to each of the seven event types
2.82 da91341fcd enabled in the list | service/webhooks › are created with 201, an id and a secret that is shown this once
2.83 500d1252e7 reference | informative: points to section 6
3.1 bb0b8c7cbf the five values of status | api/contract/operations › are the five values of a status, the roles and the types of fields
3.2 5a029bb9db cancelled is told by its event | service/endings › ends a started transaction: the wire shows expired, with the reason and the moment
3.3 3090d9b85b create leads to draft | service/creating › answers 201 with the id of a draft that belongs to the user and the company
3.4 2a35e1df75 start leads to started | service/signing-order › answers the start with the signing address of the pending recipient
3.5 58ff6a1678 cancel ends it for those who have not signed | service/endings › ends a started transaction: the wire shows expired, with the reason and the moment
3.6 a9c521bd6d heading | informative: announces the rules
3.7 6570eeb672 edits in draft only | service/draft-only › refuses %s when it is \${state}
3.8 2e23e25ae2 cancel from started only | service/endings › refuses a draft
3.9 871c65504b cancelled shows expired | service/events › transaction_cancelled: id, the status of the sample, the reason and the moment
3.10 696716195a the other ends | service/draft-only › never changes again when it is %s
3.11 24f2dff6cc other transitions | service/draft-only › never changes again when it is %s
4.1 441f05dcf5 the bearer header | security/permissions › takes the scheme of the header in any case, and nothing else for it
4.2 cb862f0943 JSON bodies | service/bad-requests › is refused when it is %s
4.3 06dcfe7c07 create: path | api/contract/operations › has %s as %s, for %s, answered %i
4.4 985248052a create: body | service/creating › refuses the notification_endpoint %s
4.5 9cc38d8d15 create: answer | service/creating › answers 201 with the id of a draft that belongs to the user and the company
4.6 d5fe9e3a1e update: path | api/contract/operations › has %s as %s, for %s, answered %i
4.7 3f2429c547 update: draft only | service/draft-only › refuses %s when it is \${state}
4.8 37a999086f update: body | informative: announces the table
4.9 ce846dd28e update: edit_navigation | service/updating › keeps what is absent and empties what is null
4.10 cb3bbf47e4 update: documents | service/updating › refuses empty %s
4.11 5ad1e3c21b update: alias | service/updating › keeps what is absent and empties what is null
4.12 7329080380 update: name | service/updating › takes a name of %i code points
4.13 ada6e9c364 update: description | service/updating › keeps what is absent and empties what is null
4.14 0822fc0cf6 update: body of the mail | service/starting › sends an email to the current recipient, and to no other
4.15 16d08f293a update: subject of the mail | service/starting › sends an email to the current recipient, and to no other
4.16 01c1e2e5fd update: days | service/updating › takes %i days until it expires
4.17 5c05f81fbd update: recipients | service/recipients › refuses a sender whose email is not that of the requesting user
4.18 26c1e50418 update: fields | service/fields › are kept by an update without fields, replaced by one with fields, removed by one with none
4.19 328fa0bccf update: answer | service/updating › sets every property it takes, and shows each in the detail
4.20 c570c37dc2 upload: path | api/contract/operations › has %s as %s, for %s, answered %i
4.21 a8cdce5667 upload: body | service/upload › refuses one byte more, of %s length, and keeps nothing
4.22 c3ee6e363e upload: types | service/upload › takes a %s by its bytes, as a document with pages, and gives it back as PDF
4.23 b9c95da492 upload: answer | service/upload › answers 201 with a token and a temporary address of the stored file
4.24 bc4f7c6244 upload: scope | security/permissions › %s is done with its scope alone, and refused with every other one, and with all others
4.25 767d9a7618 add document: path | api/contract/operations › has %s as %s, for %s, answered %i
4.26 6c6c4a2b71 add document: body | service/documents › refuses %s
4.27 d9336527b6 add document: answer | service/documents › answers adding a document with 201, the transaction's id and that of the document
4.28 0189b5a2c2 fields: path | api/contract/operations › has %s as %s, for %s, answered %i
4.29 b2e59d2d71 fields: body | service/fields › keeps every property that is given
4.30 aa1fdfdb4f fields: answer | service/fields › answers {updated: true} with 200, and fills in what is omitted
4.31 ff8a056604 start: path | api/contract/operations › has %s as %s, for %s, answered %i
4.32 43f8a0ddd1 start: no body | service/starting › takes no body, and ignores one
4.33 599f1cef7a start: answer | service/signing-order › answers the start with the signing address of the pending recipient
4.34 a189d71bff detail: path | api/contract/operations › has %s as %s, for %s, answered %i
4.35 f7e164e1aa detail: parameter | service/detail › is 404 for the id %s
4.36 20b1506d1c detail: answer | service/detail › shows every property of the specification and no other, at every depth
4.37 34f4344755 use templates: path | api/contract/operations › has %s as %s, for %s, answered %i
4.38 c8e84b33a5 use templates: parameter | security/permissions › cannot reach ours with %s: 404 as if it did not exist, and nothing changes
4.39 0a7e546cbc use templates: body | service/templates › refuses %s
4.40 0c914c35fe use templates: answer | service/templates › answers 201 with the transaction, complete and ready to start
4.41 0d52010edd cancel: path | api/contract/operations › has %s as %s, for %s, answered %i
4.42 ca8b927eb5 cancel: parameter | security/permissions › cannot reach ours with %s: 404 as if it did not exist, and nothing changes
4.43 f41d623b95 cancel: body | service/endings › refuses %s
4.44 d54bc2c42a cancel: answer | service/endings › ends a started transaction: the wire shows expired, with the reason and the moment
4.45 58b4d3e256 cancel: started only | service/endings › refuses a draft
4.46 23ff62e505 get template: path | api/contract/operations › has %s as %s, for %s, answered %i
4.47 c683f662b6 get template: parameter | service/detail › is 404 for the id %s
4.48 78b18768eb get template: answer | service/templates › is shown with its fields, each with the recipient who fills it
4.49 5e33bced0c list templates: path | api/contract/operations › has %s as %s, for %s, answered %i
4.50 8bfa078b66 list templates: query | service/templates › finds by part of the name, whatever its case; % and _ and \\ are themselves
4.51 11f38f6b33 list templates: answer | service/templates › shows id and name of reusable ones only, and only those of the company
4.52 0d091b8056 create webhook: path | api/contract/operations › has %s as %s, for %s, answered %i
4.53 65ff8cfc28 create webhook: body | service/webhooks › because of %s
4.54 f54d7d836f create webhook: answer | service/webhooks › are created with 201, an id and a secret that is shown this once
4.55 b7e708443f list webhooks: path | api/contract/operations › has %s as %s, for %s, answered %i
4.56 1482e37f62 list webhooks: query | service/webhooks › of \${list} are refused: %s
4.57 8ee3b1c146 list webhooks: answer | service/webhooks › are created with 201, an id and a secret that is shown this once
4.58 f5cf9b5e20 pagination | service/webhooks › are listed newest first, a page at a time
4.59 1577068dba reference | informative: points to section 5
4.60 bbcd994896 what items require | service/fields › because %s is missing
4.61 54d78e0d2a success codes | api/contract/operations › says of %s that it goes by %s
5.1 69c93b464a OAuth code flow | service/oauth › exchanges a code for an access token, a refresh token and a lifetime in seconds, without a header
5.2 b990139d6f the bearer header | security/permissions › %s is refused without a good token
5.3 9c7643d747 registering an application | service/web/applications › are made with a form: name and Callback URL give a client id, and a secret that is shown once
5.4 b69f80ba4b client_id and client_secret | service/sandbox › registers an application with a callback address, and shows its secret this once
5.5 a7e60250cb scope transaction:read | security/permissions › %s is done with its scope alone, and refused with every other one, and with all others
5.6 aca0ebf2cc scope transaction:create | security/permissions › %s is done with its scope alone, and refused with every other one, and with all others
5.7 befd5a6757 scope transaction:update | security/permissions › %s is done with its scope alone, and refused with every other one, and with all others
5.8 096c06355e scope webhook:read | security/permissions › %s is done with its scope alone, and refused with every other one, and with all others
5.9 2007a35bba scope webhook:create | security/permissions › %s is done with its scope alone, and refused with every other one, and with all others
5.10 2816aaefe6 scope webhook:remove | security/permissions › %s is done with its scope alone, and refused with every other one, and with all others
5.11 0918ab7eee scope file:create | security/permissions › %s is done with its scope alone, and refused with every other one, and with all others
5.12 c43c63af53 scope template:read | security/permissions › %s is done with its scope alone, and refused with every other one, and with all others
5.13 f648f643ad scopes in the link | service/web/consent › is asked for exactly the scopes of the link, separated by spaces
5.14 b3b6b94d70 scopes of the creation flow | security/permissions › lets the four scopes of the creation flow carry it from the upload to the start
5.15 23c0200c1d scope of each operation | api/contract/operations › has %s as %s, for %s, answered %i
5.16 3f3d8e8f77 the authorization link | service/web/consent › says which application asks, what for in words, in whose name, and where one goes back to
5.17 0b01db71ed signing in and consent | service/web/consent › leads from a link through registering and consent to a token of that user
5.18 8aca9dd155 the redirect | service/web/consent › gives a code that works until ten minutes are over, once
5.19 eec25e2fe0 ten minutes, once | service/oauth › takes a code until ten minutes are over, to the millisecond
5.20 42a8910484 the exchange | service/oauth › exchanges a code for an access token, a refresh token and a lifetime in seconds, without a header
5.21 26d485e838 exchange: path, no header | service/oauth › exchanges a code for an access token, a refresh token and a lifetime in seconds, without a header
5.22 4e5e187494 exchange: body | service/oauth › \${what} refuses a missing, empty or wrong-typed %s
5.23 b094ad02e7 exchange: answer | service/oauth › exchanges a code for an access token, a refresh token and a lifetime in seconds, without a header
5.24 66dd204b22 one refresh token | service/oauth › refreshes with the same refresh token again and again, which never expires and is not issued anew
5.25 612fdacde7 expires_in | service/oauth › lets an access token live for 3600 seconds, to the millisecond; a refreshed one as well
5.26 7801cb1bdf refresh: path, no header | service/oauth › refreshes with the same refresh token again and again, which never expires and is not issued anew
5.27 b90ce883e7 refresh: body | service/oauth › \${what} refuses a missing, empty or wrong-typed %s
5.28 ab97a69213 refresh: answer | service/oauth › refreshes with the same refresh token again and again, which never expires and is not issued anew
5.29 3cc9150e0b after the access token expired | service/oauth › lets an access token live for 3600 seconds, to the millisecond; a refreshed one as well
6.1 70a0c5bbb7 delivery to webhooks | service/outbox/to-webhooks › gets the events that it subscribes to, verified by its secret, and no others
6.2 ca0c449d58 the notification endpoint | service/outbox/delivering › gets every event of a transaction in order, as it happened, signed by the application
6.3 d710591a37 created | service/events › come in an envelope with the moment, an id of their own, the type and the data
6.4 d3833fecfc event id | service/events › come in an envelope with the moment, an id of their own, the type and the data
6.5 0ee414c8d8 type | service/events › come in an envelope with the moment, an id of their own, the type and the data
6.6 799da264b1 data | service/events › come in an envelope with the moment, an id of their own, the type and the data
6.7 861dd7f46c created | service/events › transaction_created: id, status and who created it
6.8 67ee883b0d started | service/events › transaction_started: id, status and who started it
6.9 446cea305e completed | service/events › transaction_completed: id, status, every recipient in order and the sealed documents
6.10 2fd4433bd9 expired | service/events › transaction_expired: id, status, the days and the moment
6.11 c441e406d9 submitted | service/events › recipient_submitted: id, status and the recipient with the moment
6.12 ac73d84601 rejected | service/events › of a rejection have the ID, the status and who rejected
6.13 a0b53d7162 cancelled, by a colleague too | service/endings › is open to another user of the company
6.14 34edc5b080 data id | service/events › come in an envelope with the moment, an id of their own, the type and the data
6.15 a31dadea59 subscription | service/outbox/to-webhooks › gets the events that it subscribes to, verified by its secret, and no others
6.16 903449ce9e delivery | service/outbox/to-webhooks › gets the events that it subscribes to, verified by its secret, and no others
7.1 7f3425081e heading | informative: announces the conditions
7.2 21b79642f9 cancel from started only | service/draft-only › never changes again when it is %s
7.3 c84cd90033 no editing after the start | service/draft-only › refuses %s when it is \${state}
7.4 b1b2d82eb4 the sender's e-mail | service/recipients › refuses a sender whose email is not that of the requesting user
7.5 3f1fa46691 a code once | service/oauth › takes a code once; the second time revokes everything that came of it
7.6 fd57f78e9d TLS | service/webhooks › because of %s
7.7 392940ae6b scope needed | security/permissions › %s is done with its scope alone, and refused with every other one, and with all others
7.8 c19254dbc2 errors | service/bad-requests › that refuses is a problem document with type, title, status, detail, instance and code
8.1 f0ff60fbbd 10 MB | service/upload › takes exactly 10 MiB, of known and of unknown length
8.2 0e3e17b358 255 of an endpoint | service/creating › refuses the notification_endpoint %s
8.3 4e0ea382dc 1 to 255 of a name | service/updating › refuses %s %j
8.4 1413ea2f76 1 to 255 of a webhook | service/webhooks › not because of a name of %i code points
8.5 96377e5aeb a code lives ten minutes | service/oauth › gives one of 64 exchanges of a code at the same moment its tokens
8.6 dc38db5ec3 arrays are not empty | service/updating › refuses empty %s
8.7 ad2ca5a74d rate limits | informative: says what is not shown
9.1 4fafc484a3 everything under /v1 | api/contract/operations › has every operation of the API under /v1, but for the signed address of a file
9.2 5f41a1966d versions | informative: says what is not shown
`;

/** What no rule says and we chose (decision 0001): the number, a word or two, and the test. */
export type Chosen = { point: string; says: string; file: string; title: string };

export const chosen = (): Chosen[] =>
  CHOSEN.trim()
    .split('\n')
    .map((line) => {
      const [, point = '', says = '', file = '', title = ''] =
        /^(\S+) (.*?) \| (\S+) › (.*)$/.exec(line) ?? [];
      return { point, says, file: `test/${file}.test.ts`, title };
    });

const CHOSEN = `
A1 address of a transaction | api/contract/operations › says of %s that it goes by %s
A2 address of using templates | api/contract/operations › says of %s that it goes by %s
A3 address of cancelling | api/contract/operations › says of %s that it goes by %s
A4 addresses of templates | api/contract/operations › says of %s that it goes by %s
A5 addresses of webhooks | api/contract/operations › says of %s that it goes by %s
A6 deleting a webhook | service/webhooks › are deleted once
A7 scope of each operation | api/contract/operations › has %s as %s, for %s, answered %i
A8 codes of success | api/contract/operations › says of %s that it goes by %s
A9 whose id | service/documents › answers adding a document with 201, the transaction's id and that of the document
A10 status after a cancel | service/endings › ends a started transaction: the wire shows expired, with the reason and the moment
A11 a document | service/starting › needs a document
A11 a sender | service/starting › needs a sender
A11 somebody who acts | service/starting › needs a recipient who acts
A11 fields inside of pages | service/starting › looks again at the place of every field when recipients and documents have changed
A12 one after another | service/signing-order › asks the recipients one after another and completes with the last
A12 a sender without fields | service/signing-order › passes over a sender who has no fields
A12 a sender with fields | service/signing-order › asks a sender who has fields at their index
A12 nobody else is passed over | service/signing-order › asks a signer or proxy without fields to approve
A13 proxy | service/signing-order › asks a proxy like a signer
A14 completed at once | service/signing-order › never shows a transaction that all have signed as started
A14 not without a seal | service/sealing/sealed › takes no last signature while the timestamp authority does not answer, and keeps what was filled in
A15 rejected | service/endings › ends the transaction with the reason, the moment and who it was
A16 expired | service/starting › counts the days until it expires from the start
A16 never | service/endings › never happens without expiration_days, nor to a draft, nor to one that has ended
A17 ends | service/draft-only › never changes again when it is %s
A18 inside the page | service/fields › may fill the page to its edges
A18 turned and cut pages | pdf/geometry › puts a box where its pixels are: %s
A19 the types | service/fields › takes the type %s
A19 types with options | service/fields › takes the type %s with options
A20 required | service/fields › because %s is missing
A20 defaults | service/fields › answers {updated: true} with 200, and fills in what is omitted
A20 ids made by the client | service/given-ids › may be made by the client, so that fields name new recipients in the same request
A20 ids of fields | service/given-ids › keep a field and its id, and make a new one where the id is new
A20 left out, found by e-mail and role | service/given-ids › omitted find a recipient by email, in any case, and role; the name may change
A20 anything else is refused | service/given-ids › are refused when they are %s
A20 ids that somebody has | service/given-ids › are refused in the same words when another draft has them, of this company or another
A20 fields of a shared mailbox | service/same-email › are identified by name when an update omits their ids, in any order
A21 seconds | service/oauth › lets an access token live for 3600 seconds, to the millisecond; a refreshed one as well
A22 refresh token | service/oauth › refreshes with the same refresh token again and again, which never expires and is not issued anew
A23 state | service/web/consent › gives the state back byte for byte: %s
A23 redirect_uri | service/web/consent › takes the registered address where the link names it, and any port of a loopback literal
A23 who insists on it | cli/commands/login/authorization › needs the state of a service that echoes it, unless the person has said otherwise
A24 consent refused | service/web/consent › refused leads back with error=access_denied and the state, and grants nothing
A25 problems | service/bad-requests › that refuses is a problem document with type, title, status, detail, instance and code
A26 10 MB | service/upload › takes exactly 10 MiB, of known and of unknown length
A27 files | service/upload › takes a %s by its bytes, as a document with pages, and gives it back as PDF
A27 remarks | service/upload › says that the layout of a Word document is approximate, where LibreOffice did not make it
A28 as PDF | service/upload › takes a %s by its bytes, as a document with pages, and gives it back as PDF
A28 address of a file | service/pictures › needs no token and works for an hour, to the millisecond
A29 several times | service/documents › takes a file token several times, each time as a document of its own
A29 24 hours | service/documents › refuses a file token that was not linked within 24 hours, to the millisecond
A29 of one company | service/documents › refuses another company's file token
A30 ten attempts | service/outbox/delivering › is asked again by the schedule, with the same id and bytes, until it is given up after ten attempts
A30 410 | service/outbox/to-webhooks › is disabled by 410, and gets again what happens after it was enabled
A30 Retry-After | service/outbox/post › honours Retry-After: %s as %s ms
A31 notifications | service/outbox/delivering › gets every event of a transaction in order, as it happened, signed by the application
A32 who is told how it ends | service/mail/mail › invites one after another, and notifies each person once when all have signed
A32 a rejection | service/mail/mail › notifies the recipients who were asked and the sender of a rejection, with the reason
A32 a reminder | service/mail/mail › sends the current link to the current recipient, once an hour
A32 mail that leaves | service/mail/delivery › is tried again after a 4xx, and given up after a 5xx; the transaction continues
A33 a page past the end | service/webhooks › make an empty page past the end, which is the last one
A34 saved as a template | service/templates › can be saved from a transaction that has ended: no recipient has been asked and nothing is filled in
A35 sealed documents | service/sealing/sealed › has a sealed document for each of its documents, as the event says
A35 who reads them | service/sealing/sealed › gives its sealed documents to the recipients, and not before
A36 provider | service/creating › answers 201 with the id of a draft that belongs to the user and the company
A37 where it is honoured | api/contract/operations › honours an Idempotency-Key on every POST of the API outside OAuth, and on the start
A37 header of a repeated response | service/idempotency › creates a transaction once
A37 24 hours | service/idempotency › is remembered for 24 hours, to the millisecond
A37 another body | service/idempotency › is refused when the same key comes with another body or another operation
A38 token | service/detail › shows the token of the recipient who is pending, and null for the others
A38 afterwards | service/web/sign/link › stays good for a look after the turn, and never for more
A39 one address that is kept | service/sandbox › is the same after it was closed and opened again
A40 users and companies | service/sandbox › adds users to the store's company or to a named one
A41 the same recipients keep all fields | service/given-ids › are not needed to keep recipients and all of their fields
A41 absent, given and empty fields | service/fields › are kept by an update without fields, replaced by one with fields, removed by one with none
A41 a removed recipient | service/recipients › takes the fields of a removed recipient along
A41 a removed document | service/documents › orders documents by index, numbers them anew, and removes one with its fields
A42 templates with a shared mailbox | service/same-email › of a template become those of the draft with the same name first, then any with that email
A43 days | service/updating › takes %i days until it expires
A43 code points | service/creating › takes a name of %i code points, emoji counted as one
A43 notification_endpoint | service/creating › takes the notification_endpoint %s
A44 edit_navigation | service/updating › sets every property it takes, and shows each in the detail
A45 another role | service/same-email › may differ in role: a sender who also signs, asked in turn
A45 another name | service/same-email › may differ in name: two people behind one mailbox, each with fields and a turn of their own
A45 the same three | service/same-email › are refused when role and name are the same too
A46 the original is inside | pdf/write/flatten › look as before, and the file they are of is inside, byte for byte
A47 within a commit | service/event-order › is that of their ids, within one millisecond and one commit too
A47 a clock set back | service/event-order › stays when the clock is set back
A47 two processes | service/event-order › is that of their ids, and no moment of a transaction lies before an earlier one
A48 a page or data | service/web/sign/link › gives a program data, and a browser a cookie and a clean address
`;
