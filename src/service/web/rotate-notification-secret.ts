// Replaces the secret that signs notifications about an application's transactions (assumed: A31), after a confirmation; the
// new secret is shown once.
import type { Reply } from '../../api/transport.ts';
import { rotateNotificationSecret } from '../oauth/applications.ts';
import { html } from '../rendering/html.ts';
import { factsOfApplication, findOwnApplication, unknownApplication } from './applications.ts';
import { utcTime } from './badges.ts';
import { askToConfirm } from './confirmation.ts';
import { readPageForm } from './forms.ts';
import { errorPage, show } from './layout.ts';
import type { PageRequest } from './page-request.ts';
import { redirectToSignIn } from './return-to.ts';
import { secretsOnce } from './secrets-once.ts';

export async function showRotation(request: PageRequest): Promise<Reply> {
  if (!request.user) return redirectToSignIn(request);
  const client = await findOwnApplication(request, request.url.searchParams.get('client_id') ?? '');
  if (!client) return unknownApplication(request);
  return askToConfirm(request, {
    title: `Replace the notification secret of ${client.name}`,
    question: html`Replace the notification secret of <bdi>${client.name}</bdi>?`,
    text: 'A new secret is created and shown once. For one day, notifications are signed with both secrets; after that, the current one no longer verifies them.',
    facts: factsOfApplication(client),
    action: '/applications/rotate',
    hidden: { client_id: client.id, rotations: String(client.notification_rotations) },
    button: 'Replace the secret',
    back: '/applications',
  });
}

export async function rotateSecret(request: PageRequest): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const client = await findOwnApplication(request, sent.form.get('client_id'));
  if (!client) return unknownApplication(request);
  const { id } = client;
  const rotations = Number(sent.form.get('rotations'));
  const rotated = await request.store.database.write((db) =>
    rotateNotificationSecret(db, context, { id, company_id: user.company_id, rotations }),
  );
  if (!rotated) return replacedMeanwhile(request);
  return show(request, {
    title: 'Notification secret replaced',
    isNarrow: true,
    body: html`<h1>Notification secret replaced</h1>
${secretsOnce({
  title: html`New notification secret of <bdi>${client.name}</bdi>`,
  text: html`Copy it now. It is not shown again. The previous secret signs as well until ${utcTime(rotated.previous_valid_until)}.`,
  entries: [{ id: 'notification-secret', label: 'Notification secret', value: rotated.notification_secret }],
})}
<p><a href="/applications">View all applications</a></p>`,
  });
}

/** A page that is sent again, by reloading or by two clicks, must not end the day of the secret before. */
const replacedMeanwhile = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 409,
    title: 'The secret was replaced already',
    text: 'It was replaced after this page was opened, and nothing was changed now. To create another one, start again from the list of applications.',
    link: html`<a href="/applications">View all applications</a>`,
  });
