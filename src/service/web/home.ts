// Shows the home page: the transactions of the company, or the links to sign in.
import type { Reply } from '../../api/transport.ts';
import { html } from '../rendering/html.ts';
import { show } from './layout.ts';
import type { PageRequest } from './page-request.ts';
import { showTransactions } from './transactions.ts';

export const showHome = (request: PageRequest): Reply | Promise<Reply> =>
  request.user ? showTransactions(request) : welcome(request);

const welcome = (request: PageRequest): Reply =>
  show(request, {
    title: 'Dashboard',
    isNarrow: true,
    body: html`<h1>Send documents for signature</h1>
<p class="lead">Track the transactions of your company, register applications, and decide what they can do on your behalf.</p>
<p class="actions"><a class="button" href="/sign-in">Sign in</a> ${request.context.isFromOwner && html`<a class="button plain" href="/register">Register</a>`}</p>`,
  });
