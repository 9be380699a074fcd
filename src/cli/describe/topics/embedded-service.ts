// `esign help sandbox` and esign-sandbox(7): the service inside, and every point that had to be decided for it.
import { ASSUMED_POINTS } from '../assumed-points.ts';
import { rowsText } from '../rows.ts';

export const embeddedService =
  (): string => `The whole service is inside the program. As long as no other is configured, or with \`--sandbox\`, commands speak to
it in their own process: nothing leaves the machine and nobody has to log in. It keeps transactions, documents, templates, webhooks,
users and client applications in a store of its own, and everything a command was told is on disk when it ends.

\`esign sandbox serve\` answers at the address of the store, so that other programs can use the API and people the dashboard. A signing
address answers with JSON: what the recipient is asked, and how to submit or reject. It has no page for people, events are not sent to
webhooks, and completed documents are not sealed. \`esign sandbox token\` issues an access token for it, \`esign sandbox apps\` and \`esign sandbox users\` make what an integration
needs. Paths under /_sandbox/ (events, mail, acting as a recipient) need the header X-Esign-Control with the secret that
\`esign sandbox token --control\` prints. \`esign sandbox sign\` and \`esign sandbox reject\` act as the recipient whose turn it is. \`esign sandbox reset\` empties it.

The specification of the service leaves points open. What was chosen for each is listed here. The service inside does exactly
this; a service elsewhere may do otherwise: its answers are read as they come, and its addresses are settings (\`esign help routes\`).

${rowsText(
  Object.entries(ASSUMED_POINTS).map(([number, { about, choice }]) => [number, `${about}: ${choice}`]),
  8,
)}`;
