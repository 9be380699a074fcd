// `esign help sandbox` and esign-sandbox(7): the service inside, and every point that had to be decided for it.
import { ASSUMED_POINTS } from '../assumed-points.ts';
import { rowsText } from '../rows.ts';

export const embeddedService =
  (): string => `The whole service is inside the program. As long as no other is configured, or with \`--sandbox\`, commands speak to
it in their own process: nothing leaves the machine and nobody has to log in. It keeps transactions, documents, templates, webhooks,
users and client applications in a store of its own, and everything a command was told is on disk when it ends.

\`esign sandbox serve\` answers at the address of the store: other programs use the API, and people sign and use the dashboard in a
browser. A signing address opens the page on which the recipient reads the documents, fills them in, and signs or rejects; a program
that asks at the same address gets JSON. The dashboard lists the transactions of a company, shows who is asked and who has
signed, and cancels; \`esign sandbox users password\` gives you a password for it. Events are not sent to webhooks, and e-mails
stay inside. Completed documents are sealed by an authority that the sandbox has of its own: \`esign sandbox ca export\` writes its root
certificate, and \`esign help config\` says how to seal with a key of yours. \`esign sandbox token\` issues an access token for it, \`esign sandbox apps\` and \`esign sandbox users\` make what an integration
needs. Paths under /_sandbox/ (events, mail, acting as a recipient) need the header X-Esign-Control with the secret that
\`esign sandbox token --control\` prints. \`esign sandbox sign\` and \`esign sandbox reject\` act as the recipient whose turn it is. \`esign sandbox reset\` empties it.

The specification of the service leaves points open. What was chosen for each is listed here. The service inside does exactly
this; a service elsewhere may do otherwise: its answers are read as they come, and its addresses are settings (\`esign help routes\`).

${rowsText(
  Object.entries(ASSUMED_POINTS).map(([number, { about, choice }]) => [number, `${about}: ${choice}`]),
  8,
)}`;
