// The start page: the way in, or what there is to look after.
import type { Reply } from '../../api/transport.ts';
import { html } from '../html.ts';
import { listClientsOf } from '../store/accounts.ts';
import { listConsents } from '../store/consents.ts';
import { show } from './layout.ts';
import type { PageRequest } from './page-request.ts';

export async function showHome(request: PageRequest): Promise<Reply> {
  const { user } = request;
  if (!user)
    return show(request, {
      title: 'Dashboard',
      isNarrow: true,
      body: html`<h1>Send documents for signature</h1>
<p class="lead">Track the transactions of your company, register applications, and decide what they can do on your behalf.</p>
<p class="actions"><a class="button" href="/sign-in">Sign in</a> <a class="button plain" href="/register">Register</a></p>`,
    });
  const { applications, consents } = await request.store.database.read(async (db) => ({
    applications: await listClientsOf(db, user.company_id),
    consents: await listConsents(db, user.id),
  }));
  return show(request, {
    title: 'Dashboard',
    body: html`<h1>Hello, <bdi>${user.name}</bdi></h1>
<p class="lead">You are signed in as <bdi>${user.email}</bdi>, of <bdi>${user.company}</bdi>.</p>
<div class="tiles">
<section class="sheet"><h2><a href="/transactions">Transactions</a></h2>
<p>What your company has sent for signature, who has signed, and who has to sign now.</p></section>
<section class="sheet"><h2><a href="/mailbox">Mailbox</a></h2>
<p>The emails that your recipients were sent: invitations, reminders and results.</p></section>
<section class="sheet"><h2><a href="/applications">Applications</a></h2>
<p>Your company has ${counted(applications.length)}. An application gets a client ID and a client secret, and asks users for their consent.</p></section>
<section class="sheet"><h2><a href="/consents">Consents</a></h2>
<p>${consents.length === 0 ? 'You have not given consent to any application.' : `You have given consent to ${counted(consents.length)}. You can revoke it at any time.`}</p></section>
<section class="sheet"><h2><a href="/company">Company</a></h2>
<p>What your recipients are told about <bdi>${user.company}</bdi>: its imprint and its privacy notice.</p></section>
</div>`,
  });
}

const counted = (count: number): string =>
  `${count === 0 ? 'no' : count} application${count === 1 ? '' : 's'}`;
