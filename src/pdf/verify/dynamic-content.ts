// Finds content because of which programs show a document differently: scripts and actions that run without a click when it is opened, shown or
// printed, dynamic forms, content of other files, layers that differ on paper. ISO 32000-2, 12.8.7, names most of it, because a signer cannot have
// seen what it does. It must never run or load any of it, and it judges nothing.
import { VERIFY_LIMITS } from '../limits.ts';
import type { PdfView } from '../read/read-pdf.ts';
import { type Dict, PdfStream, Ref, type Value } from '../read/values.ts';
import { createDrawnWalk, type DrawnRole, pageTreeOf } from './document-parts.ts';
import { formOf } from './fields.ts';

export type DynamicKind =
  | 'script'
  | 'action'
  | 'calculated_fields'
  | 'formatted_fields'
  | 'dynamic_form'
  | 'external_content'
  | 'alternate_image'
  | 'postscript'
  | 'media'
  | 'layers'
  | 'paper_only'
  | 'portfolio'
  | 'web_capture'
  | 'not_searched';

export type DynamicContent = {
  kind: DynamicKind;
  /** The standard has this type of action; it is undefined for others. */
  action: string | undefined;
  /** The first place is an object, and a page that leads to it, counted from 0. */
  object: number | undefined;
  page: number | undefined;
  /** So many more places exist than are listed. */
  more: number;
};

type Place = { page: number | undefined; object: number | undefined };

export function dynamicContentOf(view: PdfView): DynamicContent[] {
  const search = createSearch(view);
  searchCatalog(search);
  searchPages(search);
  return search.result();
}

// ── what was found, and how much work is left ───────────────────────────────────────────────────────────────────────────

type Search = {
  view: PdfView;
  /** It returns false when the work of a file is used up. */
  takeStep(): boolean;
  add(kind: DynamicKind, place: Place, action?: string): void;
  result(): DynamicContent[];
};

function createSearch(view: PdfView): Search {
  const items = new Map<string, DynamicContent>();
  let remaining: number = VERIFY_LIMITS.dynamicContentSteps;
  const add: Search['add'] = (kind, { page, object }, action) => {
    const key = `${kind} ${action ?? ''}`;
    const item = items.get(key);
    if (item) item.more += 1;
    else items.set(key, { kind, action, object, page, more: 0 });
  };
  return {
    view,
    takeStep() {
      remaining -= 1;
      return remaining >= 0;
    },
    add,
    result() {
      if (remaining < 0) add('not_searched', { page: undefined, object: undefined });
      return [...items.values()];
    },
  };
}

const objectOf = (value: Value | undefined, around?: number): number | undefined =>
  value instanceof Ref ? value.number : around;

// ── scripts and other actions that run without a click ──────────────────────────────────────────────────────────────────

/** These actions only turn to another place of the document. */
const TURNING = new Set<Value>(['GoTo', 'GoToDp', 'Named', 'Trans', 'Thread']);

/**
 * The standard has these other types of actions (ISO 32000-2, table 201). A name that is none of them is not repeated: a file may say
 * anything.
 */
const ACTIONS = new Set([
  'GoTo3DView',
  'GoToE',
  'GoToR',
  'Hide',
  'ImportData',
  'Launch',
  'Movie',
  'Rendition',
  'ResetForm',
  'RichMediaExecute',
  'SetOCGState',
  'Sound',
  'SubmitForm',
  'URI',
]);

/** Adds an action, or a list, with all that follow it (/Next). */
function addActions({ view, takeStep, add }: Search, first: Value | undefined, around: Place): void {
  const visited = new Set<number>();
  const open: [Value | undefined, number | undefined][] = [[first, around.object]];
  while (open.length > 0 && takeStep()) {
    const [value, above] = open.pop()!;
    if (value instanceof Ref && visited.has(value.number)) continue;
    if (value instanceof Ref) visited.add(value.number);
    const object = objectOf(value, above);
    const action = view.resolve(value);
    if (Array.isArray(action)) for (const item of action) open.push([item, object]);
    if (!(action instanceof Map)) continue;
    const type = view.resolve(action.get('S'));
    const place = { page: around.page, object };
    if (type === 'JavaScript' || action.has('JS')) add('script', place);
    else if (typeof type === 'string' && !TURNING.has(type))
      add('action', place, ACTIONS.has(type) ? type : 'unknown');
    open.push([action.get('Next'), object]);
  }
}

/** Runs some of the additional actions (/AA) of a dictionary. */
function addTriggered(search: Search, dict: Dict, events: readonly string[], place: Place): void {
  const actions = search.view.dict(dict.get('AA'));
  for (const event of events) addActions(search, actions?.get(event), place);
}

/** Scripts of the document have names, and run in the order of these when it is opened (ISO 32000-2, 12.6.4.17). */
function addNamedScripts(search: Search, first: Value | undefined): void {
  const { view, takeStep } = search;
  const visited = new Set<number>();
  const open = [first];
  while (open.length > 0 && takeStep()) {
    const node = open.pop();
    if (node instanceof Ref && visited.has(node.number)) continue;
    if (node instanceof Ref) visited.add(node.number);
    const dict = view.dict(node);
    const names = view.array(dict?.get('Names')) ?? [];
    for (let at = 1; at < names.length && takeStep(); at += 2)
      addActions(search, names[at], { page: undefined, object: objectOf(node) });
    open.push(...(view.array(dict?.get('Kids')) ?? []));
  }
}

// ── the document ────────────────────────────────────────────────────────────────────────────────────────────────────────

const isThere = (view: PdfView, value: Value | undefined): boolean => view.resolve(value) !== null;

/** They come before and after printing: what is done when a document is closed or saved is not seen. */
const EVENTS_OF_CATALOG = ['WP', 'DP'];

function searchCatalog(search: Search): void {
  const { view, add } = search;
  const catalog = view.dict(view.root);
  if (!catalog) return;
  const place = { page: undefined, object: view.root?.number };
  addActions(search, catalog.get('OpenAction'), place);
  addNamedScripts(search, view.dict(catalog.get('Names'))?.get('JavaScript'));
  addTriggered(search, catalog, EVENTS_OF_CATALOG, place);
  if (isThere(view, catalog.get('Collection')))
    add('portfolio', { ...place, object: objectOf(catalog.get('Collection'), place.object) });
  if (isThere(view, catalog.get('SpiderInfo')))
    add('web_capture', { ...place, object: objectOf(catalog.get('SpiderInfo'), place.object) });
  const form = formOf(view);
  const ofForm = { ...place, object: objectOf(catalog.get('AcroForm'), place.object) };
  if (isThere(view, form?.get('XFA')) || view.resolve(catalog.get('NeedsRendering')) === true)
    add('dynamic_form', ofForm);
  if ((view.array(form?.get('CO')) ?? []).length > 0) add('calculated_fields', ofForm);
}

// ── the pages ───────────────────────────────────────────────────────────────────────────────────────────────────────────

function searchPages(search: Search): void {
  const { view, add, takeStep } = search;
  const isDependent = createLayerTest(view);
  let page: number | undefined;
  const walk = createDrawnWalk(view, takeStep, (value, role, object) => {
    const place = { page, object };
    if (value instanceof PdfStream) addStream(search, value, place);
    else if (isDependent(value, object)) add('layers', place);
    if (role === 'page') addTriggered(search, value instanceof Map ? value : value.dict, ['O', 'C'], place);
    if (role === 'annotation' || role === 'field')
      addAnnotation(search, value instanceof Map ? value : value.dict, place, role);
  });
  const { pages, isCut } = pageTreeOf(view);
  for (const [index, reference] of pages.entries()) {
    page = index;
    walk(reference, 'page');
  }
  page = undefined;
  walk(view.dict(view.root)?.get('OCProperties') ?? null, 'drawn');
  if (isCut) add('not_searched', { page: undefined, object: undefined });
}

function addStream({ view, add }: Search, { dict }: PdfStream, place: Place): void {
  const kind = view.resolve(dict.get('Subtype'));
  // The data of the stream is that of another file, whatever it is used for.
  const isElsewhere = isThere(view, dict.get('F'));
  const isOfOther = (kind === 'Form' && isThere(view, dict.get('Ref'))) || isThere(view, dict.get('OPI'));
  if (isElsewhere || isOfOther) add('external_content', place);
  if (kind === 'Image' && (view.array(dict.get('Alternates')) ?? []).length > 0)
    add('alternate_image', place);
  if (kind === 'PS' || (kind === 'Form' && view.resolve(dict.get('Subtype2')) === 'PS'))
    add('postscript', place);
}

/** These events happen when the page is opened, shown, left or hidden. */
const EVENTS_OF_ANNOTATION = ['PO', 'PV', 'PC', 'PI'];
const ON_PAGE = new Set<Value>(['PO', 'PV']);
const HIDDEN = 2;
const PRINTED = 4;
const NOT_ON_SCREEN = 32;

/** Adds what an annotation, or the field above it, does without a click. */
function addAnnotation(search: Search, dict: Dict, place: Place, role: DrawnRole): void {
  const { view, add } = search;
  addTriggered(search, dict, EVENTS_OF_ANNOTATION, place);
  const actions = view.dict(dict.get('AA'));
  if (isThere(view, actions?.get('C'))) add('calculated_fields', place);
  // Programs that run scripts format the value when they open the document (PDFium, pdf.js).
  if (isThere(view, actions?.get('F'))) add('formatted_fields', place);
  if (role !== 'annotation') return;
  const activation = view.dict(view.dict(dict.get('RichMediaSettings'))?.get('Activation'));
  const isStarted = [view.dict(dict.get('3DA'))?.get('A'), activation?.get('Condition')].some((event) =>
    ON_PAGE.has(view.resolve(event)),
  );
  if (isStarted) add('media', place);
  const flags = view.resolve(dict.get('F'));
  const isOnPaperOnly =
    typeof flags === 'number' && (flags & (HIDDEN | PRINTED | NOT_ON_SCREEN)) === (PRINTED | NOT_ON_SCREEN);
  if (isOnPaperOnly && isThere(view, dict.get('AP'))) add('paper_only', place);
}

// ── layers ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * A group has a rule of its own for these states (ISO 32000-2, table 100): that for the screen or for paper may be the one it has anyway.
 */
const STATES = [
  ['View', 'ViewState'],
  ['Print', 'PrintState'],
] as const;
const CONDITIONS = ['Zoom', 'Language', 'User'];

/** Tells whether a group of layers shows differently on the screen and on paper, by zoom, language or user, or by an expression that some programs ignore. */
function createLayerTest(view: PdfView) {
  const usual = view.dict(view.dict(view.dict(view.root)?.get('OCProperties'))?.get('D'));
  const numbersIn = (key: string) =>
    new Set((view.array(usual?.get(key)) ?? []).flatMap((item) => objectOf(item) ?? []));
  const [off, on] = [numbersIn('OFF'), numbersIn('ON')];
  const isUsuallyOn = view.resolve(usual?.get('BaseState')) !== 'OFF';
  return (dict: Dict, object: number | undefined): boolean => {
    const type = view.resolve(dict.get('Type'));
    if (type === 'OCMD') return isThere(view, dict.get('VE'));
    const usage = type === 'OCG' ? view.dict(dict.get('Usage')) : undefined;
    if (!usage) return false;
    const isOn = object !== undefined && (off.has(object) ? false : on.has(object) || isUsuallyOn);
    const hasOther = STATES.some(([event, key]) => {
      const state = view.resolve(view.dict(usage.get(event))?.get(key));
      return state !== null && state !== (isOn ? 'ON' : 'OFF');
    });
    return hasOther || CONDITIONS.some((key) => isThere(view, usage.get(key)));
  };
}
