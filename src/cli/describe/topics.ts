// The topics of `esign help` that are not commands: a Markdown file each in topics/, read by topics/read-topic.ts.

import type { HelpSection } from '../command/help-page.ts';
import type { Tree } from '../command/tree.ts';
import CONFIG from './topics/config.md';
import ENVIRONMENT from './topics/environment.md';
import ERRORS from './topics/errors.md';
import EVENTS from './topics/events.md';
import EXIT_CODES from './topics/exit-codes.md';
import FIELDS from './topics/fields.md';
import IDS from './topics/ids.md';
import JSON_OUTPUT from './topics/json.md';
import OPTIONS from './topics/options.md';
import { readTopic, type TermRow, tablesIn } from './topics/read-topic.ts';
import ROUTES from './topics/routes.md';
import SANDBOX from './topics/sandbox.md';
import { TABLES } from './topics/tables.ts';

export type Topic = {
  /** The argument of `esign help`. */
  name: string;
  /** The man page, and the section it is in. */
  page: string;
  section: 5 | 7;
  title: string;
  summary: string;
  /** See topics/read-topic.ts. */
  markdown: string;
};

export const TOPICS: readonly Topic[] = [
  {
    name: 'options',
    page: 'esign-options',
    section: 7,
    title: 'Global options',
    summary: 'Options of every command, such as --json and --sandbox',
    markdown: OPTIONS,
  },
  {
    name: 'environment',
    page: 'esign-environment',
    section: 7,
    title: 'Environment variables',
    summary: 'Environment variables of esign',
    markdown: ENVIRONMENT,
  },
  {
    name: 'exit-codes',
    page: 'esign-exit-codes',
    section: 7,
    title: 'Exit codes',
    summary: 'Exit codes of esign',
    markdown: EXIT_CODES,
  },
  {
    name: 'errors',
    page: 'esign-errors',
    section: 7,
    title: 'Error codes',
    summary: 'Error codes, what they mean and what to do',
    markdown: ERRORS,
  },
  {
    name: 'config',
    page: 'esign-config',
    section: 5,
    title: 'Configuration',
    summary: 'Configuration file and project file of esign',
    markdown: CONFIG,
  },
  {
    name: 'json',
    page: 'esign-json',
    section: 7,
    title: 'JSON',
    summary: 'JSON output of esign',
    markdown: JSON_OUTPUT,
  },
  {
    name: 'sandbox',
    page: 'esign-sandbox',
    section: 7,
    title: 'Sandbox',
    summary: 'Offline sandbox, and its assumptions',
    markdown: SANDBOX,
  },
  {
    name: 'fields',
    page: 'esign-fields',
    section: 7,
    title: 'Fields',
    summary: 'Syntax of fields',
    markdown: FIELDS,
  },
  {
    name: 'ids',
    page: 'esign-ids',
    section: 7,
    title: 'IDs',
    summary: 'Short forms of IDs: a part of an ID, @ and @2',
    markdown: IDS,
  },
  {
    name: 'events',
    page: 'esign-events',
    section: 7,
    title: 'Events',
    summary: 'Event types, and how to receive events',
    markdown: EVENTS,
  },
  {
    name: 'routes',
    page: 'esign-routes',
    section: 7,
    title: 'Routes',
    summary: 'API operations and their paths',
    markdown: ROUTES,
  },
];

/** Lists the topics for `esign help topics`, as they are typed. */
export const TOPIC_LIST = 'topics';

export const topicRows = (): [string, string][] =>
  TOPICS.map(({ name, summary }) => [`esign help ${name}`, summary]);

/** Undefined when there is no such topic. */
export async function topicPage(name: string, tree: Tree): Promise<HelpSection[] | undefined> {
  if (name === TOPIC_LIST) return [{ title: 'TOPICS', blocks: [{ kind: 'terms', rows: topicRows() }] }];
  const topic = TOPICS.find((topic) => topic.name === name);
  return topic && topicSections(topic, tree, topic.title.toUpperCase());
}

/** @param title of what stands before the first section */
export async function topicSections({ markdown }: Topic, tree: Tree, title: string): Promise<HelpSection[]> {
  const tables = new Map<string, readonly TermRow[]>();
  for (const name of tablesIn(markdown)) {
    const table = TABLES[name];
    if (!table) throw new Error(`There is no table "${name}".`);
    tables.set(name, await table(tree));
  }
  return readTopic(markdown, title, tables);
}
