// Saves a transaction as a template: its documents, recipients and fields, without what was filled in (assumed: A34).
import { LIMITS } from '../../api/contract/limits.ts';
import { line, text } from '../../api/contract/values.ts';
import type { Reply } from '../../api/transport.ts';
import { html } from '../rendering/html.ts';
import { saveTemplate } from '../sending/save-template.ts';
import { readPageForm } from './forms.ts';
import { formTokenField, labelledInput, show, textArea, type WrongField } from './layout.ts';
import type { PageRequest } from './page-request.ts';
import { sendTo } from './page-response.ts';
import { redirectToSignIn } from './return-to.ts';
import { findOwnTransaction, unknownTransaction } from './transaction.ts';

type Entry = { name: string; description: string };

export async function showSaveTemplate(request: PageRequest, id: string): Promise<Reply> {
  const found = await findOwnTransaction(request, id);
  if (!found.ok) return found.reply;
  const { name, description } = found.transaction.content;
  return formPage(request, id, { name, description }, []);
}

function formPage(
  request: PageRequest,
  id: string,
  { name, description }: Entry,
  wrong: WrongField[],
): Reply {
  const parts = {
    title: 'Save as a template',
    isNarrow: true,
    wrong,
    body: html`<h1>Save as a template</h1>
<p class="lead">Keeps the documents, recipients and fields of this transaction. What recipients filled in is not part of it.</p>
<form class="sheet" method="post" action="/transactions/${id}/template" novalidate>
${formTokenField(request)}
${labelledInput({ name: 'name', label: 'Name of the template', value: name, wrong })}
${textArea({ name: 'description', label: 'Description', hint: 'Optional.', rows: 3, value: description, isOptional: true, wrong })}
<p class="actions"><button>Save the template</button> <a class="button plain" href="/transactions/${id}">Cancel</a></p>
</form>`,
  };
  return show(request, parts, { status: wrong.length > 0 ? 422 : 200 });
}

const templateName = line(1, LIMITS.transactionNameLength);
const templateDescription = text();

export async function saveAsTemplate(request: PageRequest, id: string): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const found = await findOwnTransaction(request, id);
  if (!found.ok) return found.reply;
  const entry = {
    name: sent.form.get('name').trim(),
    description: sent.form.get('description').replaceAll('\r\n', '\n').trim(),
  };
  const wrong = wrongIn(entry);
  if (wrong.length > 0) return formPage(request, id, entry, wrong);
  const saved = await saveTemplate(context, { id, company_id: user.company_id }, entry);
  return saved.ok ? sendTo(`/templates/${saved.output.id}?saved`) : unknownTransaction(request);
}

function wrongIn({ name, description }: Entry): WrongField[] {
  const wrong: WrongField[] = [];
  const named = templateName.safeParse(name);
  if (!named.success)
    wrong.push({
      field: 'name',
      message: name === '' ? 'Enter a name for the template' : `The name ${named.error.issues[0]?.message}`,
    });
  const described = templateDescription.safeParse(description);
  if (!described.success)
    wrong.push({
      field: 'description',
      message: `The description ${described.error.issues[0]?.message}`,
    });
  return wrong;
}
