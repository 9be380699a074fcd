// The start page: the way in, or what there is to look after.
import type { Reply } from '../../api/transport.ts';
import { listClientsOf } from '../store/accounts.ts';
import { listConsents } from '../store/consents.ts';
import { html } from './html.ts';
import { show } from './layout.ts';
import type { PageRequest } from './page-request.ts';

export async function showHome(request: PageRequest): Promise<Reply> {
  const { user } = request;
  if (!user)
    return show(request, {
      title: 'Dashboard',
      isNarrow: true,
      body: html`<h1>Signatures, on your behalf</h1>
<p class="lead">Register applications that send documents for signature, and decide what they may do in your name.</p>
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
<p>What your company has sent for signature: who has signed, and who is asked now.</p></section>
<section class="sheet"><h2><a href="/applications">Applications</a></h2>
<p>Your company has ${counted(applications.length)}. An application gets a client id and a secret, and asks people for their consent.</p></section>
<section class="sheet"><h2><a href="/consents">Consents</a></h2>
<p>You have given your consent to ${counted(consents.length)}. You can take it back at any time.</p></section>
</div>`,
  });
}

const counted = (count: number): string =>
  `${count === 0 ? 'no' : count} application${count === 1 ? '' : 's'}`;
