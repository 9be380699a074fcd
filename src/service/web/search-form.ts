// Renders the search field above a list. It is sent by GET and changes nothing, so it carries no token.
import { LIMITS } from '../../api/contract/limits.ts';
import { withoutControls } from '../../api/contract/values.ts';
import { type Html, html } from '../rendering/html.ts';
import type { PageRequest } from './page-request.ts';

/** What is searched for, without what cannot be in a name; empty where nothing is. */
export const searchText = ({ url }: PageRequest): string =>
  [...withoutControls(url.searchParams.get('q') ?? '').trim()].slice(0, LIMITS.searchLength).join('');

export type SearchParts = {
  action: string;
  label: string;
  text: string;
  /** What else the list is asked for. */
  hidden?: Record<string, string | undefined>;
};

export const searchForm = ({ action, label, text, hidden = {} }: SearchParts): Html =>
  html`<form class="search" role="search" method="get" action="${action}">
<label class="unseen" for="q">${label}</label>
<input id="q" name="q" type="search" placeholder="${label}" value="${text}" maxlength="${String(LIMITS.searchLength)}" autocomplete="off" spellcheck="false">
${Object.entries(hidden).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="plain">Search</button>
${text !== '' && html`<a href="${action}">Clear</a>`}
</form>`;
