// `esign help sandbox` and esign-sandbox(7): the offline sandbox, and every point that had to be decided for it.
import { ASSUMED_POINTS } from '../assumed-points.ts';
import { rowsText } from '../rows.ts';

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export const embeddedService =
  (): string => `The offline sandbox is a complete signature service that is part of esign. Commands use it when no other service is configured, or
with \`--sandbox\`. No login is needed. Nothing leaves this machine except what you configure to be sent: events to
webhooks and notification URLs, emails to a mail server, and, if you set a timestamp authority or a key of your own,
hashes to that authority and requests for revocation lists. The sandbox stores transactions, documents, templates, webhooks,
users and OAuth applications on disk; everything is saved when a command ends.

# SERVE THE SANDBOX

\`esign sandbox serve\` serves the API, the signing pages and the dashboard over HTTP. A signing URL opens the page
where a recipient
reads the documents, fills in fields, and signs or rejects; programs that request it get JSON. The dashboard lists the
transactions of
a company, shows who has signed and whose turn it is, and can cancel them. \`esign sandbox users password\` sets a
password for it.

Events are delivered to webhooks and notification URLs while the sandbox is served. Other commands spend up to
two seconds before they exit on delivering what is due (\`esign help events\`).

Paths below /_sandbox/ (events, emails, acting as a recipient) require the X-Esign-Control header with the secret from
\`esign sandbox token --control\`.

# ACT IN THE SANDBOX

\`esign sandbox sign\` and \`esign sandbox reject\` act as the current recipient. \`esign sandbox token\` creates
access tokens and authorization codes.
\`esign sandbox apps\` and \`esign sandbox users\` create what an integration needs. \`esign sandbox reset\` deletes
all data. \`esign sandbox export\` writes everything to a file, for another sandbox or for the tests of a team, and
\`esign sandbox import\` and \`esign sandbox reset --to\` use it.

# EMAIL

Invitations, reminders (\`esign tx remind\`) and emails about the end of a transaction are written in the languages
of the signing
pages. They are kept in the mailbox (\`esign sandbox mailbox list\`, or Mailbox in the dashboard). With a mail server,
they are also
sent: set \`mail.smtp\` and \`mail.from\` with \`esign config set --sandbox\`; \`esign help config\` lists all
settings and
\`esign doctor --sandbox\` checks them. The name shown is the sender's name or the alias, the email address is
mail.from, and replies go
to the sender.

# SEALED DOCUMENTS

Completed documents are sealed with the sandbox's own certificate authority. \`esign sandbox ca export\` writes its root certificate.
The certificate page of such a document says "Sandbox: for testing". The authority, the timestamp authority and the seal are on one
machine: the times in the timestamps are those of its clock, and no independent authority vouches for them. The revocation lists are
made when a document is sealed, are valid for ten years and are empty, because the sandbox revokes no certificate. The certificate
page lists what each person filled in, long values cut and with their SHA-256. A page with values whose content is damaged is kept as
an image, and the certificate page names it.

\`esign help config\` describes how to seal with a key of your own.

# ASSUMPTIONS

The specification of the service leaves some points open. The sandbox behaves as listed here, and the OpenAPI document
refers to
these numbers. Other services may behave differently: their responses are printed as is, and their paths can be
configured (\`esign help routes\`).

${rowsText(
  Object.entries(ASSUMED_POINTS).map(([number, { about, choice }]) => [
    number,
    `${about}. ${sentence(choice)}`,
  ]),
  8,
)}`;
