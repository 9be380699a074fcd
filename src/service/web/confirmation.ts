// Renders the page that asks before an action that cannot be undone: its consequences, one button that does it, and a link
// back.
import type { Reply } from '../../api/transport.ts';
import { type Html, type HtmlValue, html } from '../rendering/html.ts';
import { formTokenField, show, type WrongField } from './layout.ts';
import type { PageRequest } from './page-request.ts';

export type Confirmation = {
  title: string;
  /** The question. */
  question: Html;
  /** What follows. */
  text: HtmlValue;
  /** What the question is about. */
  facts?: Html;
  /** Where the form is sent to. */
  action: string;
  hidden?: Readonly<Record<string, string | null>>;
  /** What has to be filled in first. */
  fields?: Html;
  wrong?: readonly WrongField[];
  button: string;
  /** Whether something is lost. */
  isDanger?: boolean;
  /** The page to go back to. */
  back: string;
};

export function askToConfirm(request: PageRequest, confirmation: Confirmation): Reply {
  const { title, question, text, facts, action, hidden = {}, fields, wrong = [] } = confirmation;
  const { button, isDanger = false, back } = confirmation;
  const body = html`<h1>${question}</h1>
<p class="lead">${text}</p>
${facts}
<form method="post" action="${action}" novalidate>
${formTokenField(request)}${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields}
<p class="actions"><button${isDanger && html` class="danger"`}>${button}</button> <a class="button plain" href="${back}">Keep it</a></p>
</form>`;
  return show(request, { title, isNarrow: true, wrong, body }, { status: wrong.length > 0 ? 422 : 200 });
}
