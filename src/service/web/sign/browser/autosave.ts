// Saves values as they are typed: one save at a time and in order, retried until it succeeds. It must never drop a value before
// the service has it.
import { type FormState, postValues, type SaveResult } from './requests.ts';

export type Saver = {
  /** Notes that something was typed in the control of this name. */
  touch(name: string, soon: boolean): void;
  /** Saves at once what is not saved yet. @returns whether everything is saved */
  flush(): Promise<boolean>;
  hasUnsaved(): boolean;
};

type Value = readonly [name: string, value: string];

export type SaveState = 'saved' | 'saving' | 'notSaved';

export type SaverHandlers = {
  /** @returns the value of the control of this name now */
  read(name: string): string;
  /** @param sent the values by their names */
  onSaved(state: FormState, sent: readonly Value[]): void;
  onState(state: SaveState): void;
  /** Saving calls this when the turn has passed and nothing can be saved any more. */
  onOver(): void;
};

const TYPING_MS = 400;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

export function createSaver(form: HTMLFormElement, { read, onSaved, onState, onOver }: SaverHandlers): Saver {
  const unsaved = new Set<string>();
  let sending: { names: string[]; abort: AbortController; done: Promise<boolean> } | undefined;
  let failures = 0;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const valuesOf = (names: Iterable<string>) => [...names].map((name) => [name, read(name)] as const);

  const schedule = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), ms);
  };

  function touch(name: string, soon: boolean): void {
    if (isOver) return;
    unsaved.add(name);
    if (failures > 0) return;
    onState('saving');
    schedule(soon ? 0 : TYPING_MS);
  }

  async function flush(): Promise<boolean> {
    clearTimeout(timer);
    while (sending || unsaved.size > 0) if (!(await (sending ?? save()).done)) return false;
    return !isOver;
  }

  function save() {
    const names = [...unsaved];
    const values = valuesOf(names);
    unsaved.clear();
    const abort = new AbortController();
    const done = postValues(form, values, { signal: abort.signal }).then((result) =>
      takeResult(result, values),
    );
    sending = { names, abort, done };
    onState('saving');
    return sending;
  }

  function takeResult(result: SaveResult, sent: readonly Value[]): boolean {
    sending = undefined;
    if (result.kind === 'failed') {
      for (const [name] of sent) unsaved.add(name);
      schedule(Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS));
      failures += 1;
      onState('notSaved');
      return false;
    }
    failures = 0;
    if (result.kind === 'over') {
      isOver = true;
      unsaved.clear();
      onOver();
      return false;
    }
    onSaved(result.state, sent);
    if (unsaved.size === 0) onState('saved');
    return true;
  }

  /** A save that is under way may end with the page: its values are sent again, together with the others. */
  function saveLeaving(): void {
    const names = new Set([...(sending?.names ?? []), ...unsaved]);
    if (isOver || names.size === 0) return;
    sending?.abort.abort();
    void postValues(form, valuesOf(names), { isLeaving: true });
  }

  window.addEventListener('pagehide', saveLeaving);
  window.addEventListener('online', () => void flush());
  window.addEventListener('beforeunload', (event) => {
    if (unsaved.size > 0 && (failures > 0 || !navigator.onLine)) event.preventDefault();
  });

  return { touch, flush, hasUnsaved: () => unsaved.size > 0 || sending !== undefined };
}
