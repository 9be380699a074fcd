// Saves the fields a moment after each change, one request after the other, until the service has what the page shows.
import { type EditedField, mergeFields, type Saved, same } from './draft.ts';
import type { Editor } from './editor.ts';
import { type FieldFault, postFields } from './requests.ts';

/** `refused`: a field is wrong. `over`: nothing can be saved on this page any more. */
export type SavingStatus = 'saved' | 'waiting' | 'saving' | 'failed' | 'refused' | 'over';

/** A person has to know of these. */
export type SavingNotices = {
  /** Someone else has changed fields that were changed here too. @param putBack makes them again as they were here */
  lost(count: number, putBack: () => void): void;
  merged(): void;
  /** Recipients or documents are no longer those of the page. */
  partiesChanged(): void;
  over(why: 'signed_out' | 'not_editable'): void;
};

export type Saving = {
  status(): SavingStatus;
  /** It says what is wrong with no field in particular. */
  detail(): string;
  /** Saves what is not saved yet. @returns whether everything is */
  flush(): Promise<boolean>;
  onChange(listener: () => void): void;
};

const PAUSE_MS = 400;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;
/** The end of editing gives up when it has merged so often what others saved meanwhile. */
const MOST_MERGES = 5;

export function startSaving(editor: Editor, notices: SavingNotices): Saving {
  const server = createServerState(editor);
  let status: SavingStatus = 'saved';
  let detail = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let retryMs = FIRST_RETRY_MS;
  const listeners: (() => void)[] = [];

  function setStatus(next: SavingStatus): void {
    if (next === status) return;
    status = next;
    for (const listener of listeners) listener();
  }

  function plan(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), ms);
  }

  function save(): Promise<void> {
    running ??= send().finally(() => {
      running = undefined;
      if (status !== 'saving') return;
      setStatus(server.isSaved() ? 'saved' : 'waiting');
      if (!server.isSaved()) plan(PAUSE_MS);
    });
    return running;
  }

  async function send(): Promise<void> {
    clearTimeout(timer);
    if (isDone()) return;
    setStatus('saving');
    const sent = editor.fields();
    const answer = await postFields(editor.draft, { revision: server.revision(), fields: sent });
    if (answer.kind !== 'failed') retryMs = FIRST_RETRY_MS;
    detail = answer.kind === 'refused' ? answer.detail : '';
    switch (answer.kind) {
      case 'saved':
        return server.takeSaved(answer, sent);
      case 'changed':
        return server.merge(answer, notices);
      case 'refused':
        setStatus('refused');
        return server.takeErrors(answer.errors, sent);
      case 'over':
        setStatus('over');
        return notices.over(answer.why);
      case 'failed':
        setStatus('failed');
        plan(retryMs);
        retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
    }
  }

  editor.onChange(() => {
    if (running || status === 'over' || server.isRefused()) return;
    if (server.isSaved()) return setStatus('saved');
    setStatus('waiting');
    plan(PAUSE_MS);
  });
  const isDone = (): boolean => server.isSaved() || status === 'over';
  watchLeaving(isDone, () => void save());
  return {
    status: () => status,
    detail: () => detail,
    async flush() {
      for (let tries = 0; tries < MOST_MERGES && !isDone(); tries++) {
        await save();
        if (status === 'failed' || status === 'refused') break;
      }
      return server.isSaved();
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}

/** Asks before changes are lost, and saves where phones end pages without a question. */
function watchLeaving(isDone: () => boolean, save: () => void): void {
  window.addEventListener('beforeunload', (event) => {
    if (!isDone()) event.preventDefault();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && !isDone()) save();
  });
}

// ── what the service has ────────────────────────────────────────────────────────────────────────────────────────────

type ServerState = {
  revision(): string;
  /** Tells whether the service has what the page shows. */
  isSaved(): boolean;
  /** Tells whether the service has refused what the page shows. */
  isRefused(): boolean;
  takeSaved(saved: Saved, sent: readonly EditedField[]): void;
  takeErrors(errors: readonly FieldFault[], sent: readonly EditedField[]): void;
  /** Keeps what was changed here, and takes over what someone else has changed. The next request saves it. */
  merge(theirs: Saved, notices: SavingNotices): void;
};

function createServerState(editor: Editor): ServerState {
  /** The service has these fields; `sent` has them as this page sent them. */
  let base: Saved = editor.draft;
  let settled: readonly EditedField[] = base.fields;
  let refused: readonly EditedField[] | undefined;

  function merge(theirs: Saved, notices: SavingNotices): void {
    const before = base;
    const asSaved = savedFields(settled, before.fields);
    const now = editor.fields();
    const { fields: merged, lost } = mergeFields(before.fields, now.map(asSaved), theirs.fields);
    [base, refused] = [theirs, undefined];
    const isTheirs =
      merged.length === theirs.fields.length && merged.every((field, at) => field === theirs.fields[at]);
    settled = isTheirs ? merged : theirs.fields;
    editor.rebase((fields) =>
      fields === now ? merged : mergeFields(before.fields, fields.map(asSaved), theirs.fields).fields,
    );
    if (theirs.parties !== before.parties) notices.partiesChanged();
    else if (lost.length === 0) notices.merged();
    else notices.lost(lost.length, () => editor.change(withPutBack(editor.fields(), lost)));
  }

  return {
    revision: () => base.revision,
    isSaved: () => editor.fields() === settled,
    isRefused: () => editor.fields() === refused,
    takeSaved(saved, sent) {
      [base, settled, refused] = [saved, sent, undefined];
      if (editor.errors().size > 0) editor.setErrors(new Map());
    },
    takeErrors(errors, sent) {
      refused = sent;
      editor.setErrors(errorsById(errors, sent));
    },
    merge,
  };
}

function withPutBack(fields: readonly EditedField[], lost: readonly EditedField[]): EditedField[] {
  const mine = new Map(lost.map((field) => [field.id, field]));
  const replaced = fields.map((field) => {
    const lostField = mine.get(field.id);
    mine.delete(field.id);
    return lostField ?? field;
  });
  return [...replaced, ...mine.values()];
}

/** Returns the fields that this page has sent as the service saved them, which may write them otherwise. */
function savedFields(
  sent: readonly EditedField[],
  saved: readonly EditedField[],
): (field: EditedField) => EditedField {
  const sentById = new Map(sent.map((field) => [field.id, field]));
  const savedById = new Map(saved.map((field) => [field.id, field]));
  return (field) => (same(sentById.get(field.id), field) ? (savedById.get(field.id) ?? field) : field);
}

/** Lists the errors by the id of their field; an error that concerns no field stays in `detail`. */
function errorsById(errors: readonly FieldFault[], sent: readonly EditedField[]): Map<string, string> {
  const byId = new Map<string, string>();
  for (const { path, message } of errors) {
    const [, at, name = ''] = /^fields\.(\d+)(?:\.(\w+))?/.exec(path) ?? [];
    const field = at === undefined ? undefined : sent[Number(at)];
    if (!field) continue;
    const sentence = `${name === '' ? '' : `${name.replaceAll('_', ' ')} `}${message}`;
    const before = byId.get(field.id);
    byId.set(field.id, before === undefined ? sentence : `${before} ${sentence}`);
  }
  return byId;
}
