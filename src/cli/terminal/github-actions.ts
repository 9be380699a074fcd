// Writes errors as annotations, masks, outputs and a summary of the step inside a GitHub Actions job. Commands to the runner go
// to stderr, which it reads as it reads stdout, so that stdout stays data. Text from outside
// must never become a command to the runner, a second output or markup of the summary.
import { appendFile } from 'node:fs/promises';
import { parseUrl } from '../../common/parse-url.ts';
import { type Variables, variable } from '../../config/environment.ts';
import { SANDBOX } from '../../config/profile.ts';
import type { ErrorReport } from '../command/error-report.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { Outcome } from '../command/outcome.ts';
import { safeLines, safeText } from './safe-text.ts';
import type { Sink } from './streams.ts';

export type Actions = {
  /** Hides values in the log. It must be called before they can be printed. */
  mask(values: readonly (string | undefined)[]): void;
  /** Masks every secret in a response. */
  maskIn(json: unknown): void;
  warn(code: string, sentence: string): void;
  fail(report: ErrorReport): void;
  /** Writes outputs and summary, and a notice about an exit code that is no error. */
  finish(outcome: Outcome): Promise<void>;
};

export type ActionsParts = {
  variables: Variables;
  err: Sink;
  /** Random text that cannot be guessed. */
  newDelimiter: () => string;
};

/** Makes the output for a job. Undefined outside of one, and where ESIGN_ACTIONS is 0. */
export function createActions({ variables, err, newDelimiter }: ActionsParts): Actions | undefined {
  if (variables.GITHUB_ACTIONS !== 'true' || variables.ESIGN_ACTIONS === '0') return undefined;
  const masked = new Set<string>();
  const mask: Actions['mask'] = (values) => {
    for (const value of values) {
      if (value === undefined || value.length < SHORTEST_SECRET || masked.has(value)) continue;
      masked.add(value);
      err.write(workflowCommand('add-mask', {}, value));
    }
  };
  const append = async (name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY', text: string) => {
    const file = variable(variables, name);
    if (file === undefined || text === '') return;
    await appendFile(file, text).catch(() =>
      err.write(workflowCommand('warning', { title: 'esign' }, `${name} cannot be written.`)),
    );
  };
  mask(SECRET_VARIABLES.map((name) => variable(variables, name)));
  return {
    mask,
    maskIn: (json) => mask(secretsIn(json)),
    warn: (code, sentence) => err.write(workflowCommand('warning', { title: `esign: ${code}` }, sentence)),
    fail: ({ code, message, hint }) =>
      err.write(
        workflowCommand(
          'error',
          { title: `esign: ${code}` },
          [message, hint].filter((sentence) => sentence !== undefined).join('\n'),
        ),
      ),
    async finish({ json, exit, actions = {} }) {
      const facts = factsIn(json);
      const outputs = { ...(facts && standing(facts, actions.url === true)), ...pathsIn(json) };
      await append(
        'GITHUB_OUTPUT',
        Object.entries(outputs)
          .map(([key, value]) => outputLines(key, value, newDelimiter))
          .join(''),
      );
      if (!facts) return;
      const { id, name, outcome } = facts;
      if (actions.summary) {
        const { sent = [], dashboard } = actions;
        const links = linksOf({ ...(dashboard && { Dashboard: dashboard }), ...runOf(variables) });
        await append('GITHUB_STEP_SUMMARY', summaryOf(facts, { files: [...sent, ...filesIn(json)], links }));
      }
      const title = { title: `esign: ${outcome}` };
      if (exit === EXIT.pending)
        err.write(workflowCommand('warning', title, `Transaction ${name || id} is still pending.`));
      if (exit === EXIT.endedBadly)
        err.write(workflowCommand('error', title, `Transaction ${name || id} is ${outcome}.`));
    },
  };
}

// ── what the runner reads ───────────────────────────────────────────────────────────────────────────────────────

/** Writes a command to the runner on one line: `::error title=…::…`. */
export function workflowCommand(
  command: string,
  properties: Readonly<Record<string, string>>,
  data: string,
): string {
  const listed = Object.entries(properties).map(([key, value]) => `${key}=${inProperty(value)}`);
  return `::${command}${listed.length > 0 ? ` ${listed.join(',')}` : ''}::${inData(safeLines(data))}\n`;
}

const inData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const inProperty = (text: string): string =>
  inData(safeText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * Writes an output in the form with a delimiter, which nothing in the value can end.
 * @param newDelimiter called again in case the value contains the delimiter
 */
export function outputLines(name: string, value: string, newDelimiter: () => string): string {
  let delimiter = `esign_${newDelimiter()}`;
  while (value.includes(delimiter)) delimiter = `esign_${newDelimiter()}`;
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}

// ── secrets ─────────────────────────────────────────────────────────────────────────────────────────────────────

const SECRET_VARIABLES = ['ESIGN_ACCESS_TOKEN', 'ESIGN_CLIENT_SECRET', 'ESIGN_REFRESH_TOKEN'];

/** Shorter ones would blank out half of the log. */
const SHORTEST_SECRET = 8;

const SECRET_KEYS = /(^|_)(token|secret|password)$/;

/** Lists tokens and secrets by their names, and URLs that contain one. */
export function secretsIn(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(secretsIn);
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) => {
    if (typeof value !== 'string') return secretsIn(value);
    if (SECRET_KEYS.test(key)) return [value];
    const token = /[?&](?:token|signature|code)=([^&#]+)/.exec(value)?.[1];
    return token === undefined ? [] : [value, token];
  });
}

// ── the summary ─────────────────────────────────────────────────────────────────────────────────────────────────

type SummaryFacts = {
  id: string;
  name: string;
  status: string;
  outcome: string;
  isSandbox: boolean;
  url: string | undefined;
  recipients: { name: string; email: string; stepOutputs: string }[];
};

/** Reads the object that `tx send`, `start`, `wait`, … print. Undefined for anything else. */
function factsIn(json: unknown): SummaryFacts | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { id, name, status, outcome, profile, url, recipients } = json as Record<string, unknown>;
  if (typeof id !== 'string' || typeof status !== 'string' || typeof outcome !== 'string') return undefined;
  return {
    id,
    name: typeof name === 'string' ? name : '',
    status,
    outcome,
    isSandbox: profile === SANDBOX,
    url: typeof url === 'string' ? url : undefined,
    recipients: Array.isArray(recipients) ? recipients.map(recipientIn) : [],
  };
}

const standing = ({ id, status, outcome, url }: SummaryFacts, withUrl: boolean): Record<string, string> => ({
  id,
  status,
  outcome,
  ...(withUrl && url !== undefined && { url }),
});

/** Lists downloaded files: `path` is the first, `paths` are all, one a line. */
function pathsIn(json: unknown): Record<string, string> {
  const { files } = (json ?? {}) as { files?: unknown };
  if (!Array.isArray(files)) return {};
  const paths = files.flatMap(({ path, kind }: { path?: unknown; kind?: unknown }) =>
    typeof path === 'string' && typeof kind === 'string' ? [path] : [],
  );
  return paths[0] === undefined ? {} : { path: paths[0], paths: paths.join('\n') };
}

function recipientIn(recipient: unknown): SummaryFacts['recipients'][number] {
  const { name, email, role, is_current, submitted_at } = recipient as Record<string, unknown>;
  const standing = submitted_at
    ? 'signed'
    : is_current
      ? 'asked to sign'
      : role === 'sender'
        ? 'sends'
        : 'waiting';
  return { name: String(name ?? ''), email: String(email ?? ''), stepOutputs: standing };
}

type SummaryFile = { name: string; sha256: string };

/** Lists downloaded files for the summary, by their path. */
function filesIn(json: unknown): SummaryFile[] {
  const { files } = (json ?? {}) as { files?: unknown };
  if (!Array.isArray(files)) return [];
  return files.flatMap(({ path, sha256 }: { path?: unknown; sha256?: unknown }) =>
    typeof path === 'string' && typeof sha256 === 'string' ? [{ name: path, sha256 }] : [],
  );
}

/** Links to the run of the step, which has its files as artifacts. */
function runOf(variables: Variables): Record<string, string> {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID } = variables;
  return GITHUB_SERVER_URL && GITHUB_REPOSITORY && GITHUB_RUN_ID
    ? { 'Workflow run': `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}` }
    : {};
}

/** Makes links of URLs, without their query, which could contain a token. */
function linksOf(addresses: Readonly<Record<string, string>>): string[] {
  return Object.entries(addresses).flatMap(([text, address]) => {
    const url = parseUrl(address);
    return url?.protocol === 'https:' || url?.protocol === 'http:'
      ? [`[${text}](<${url.origin}${url.pathname}>)`]
      : [];
  });
}

type SummaryMore = { files?: readonly SummaryFile[]; links?: readonly string[] };

/** Writes the summary. It never contains a signing URL, because all who can see the run can read it. */
export function summaryOf(
  { id, name, outcome, isSandbox, recipients }: SummaryFacts,
  { files = [], links = [] }: SummaryMore = {},
): string {
  const rows = recipients.map(
    ({ name, email, stepOutputs }) => `| ${asMarkdown(name)} | ${asMarkdown(email)} | ${stepOutputs} |`,
  );
  return [
    ...(isSandbox ? ['**Offline sandbox: no real recipient was contacted.**', ''] : []),
    `### ${asMarkdown(name || 'Transaction')}: ${asMarkdown(outcome)}`,
    '',
    `Transaction ${asMarkdown(id)}`,
    '',
    ...(rows.length > 0 ? ['| Recipient | Email | |', '|---|---|---|', ...rows, ''] : []),
    ...(files.length > 0
      ? [
          '| Document | SHA-256 |',
          '|---|---|',
          ...files.map((file) => `| ${asMarkdown(file.name)} | ${asMarkdown(file.sha256)} |`),
          '',
        ]
      : []),
    ...(links.length > 0 ? [links.join(' · '), ''] : []),
    '',
  ].join('\n');
}

/** Escapes text to one line: every character that Markdown or HTML could interpret becomes an entity. */
export const asMarkdown = (text: string): string =>
  safeText(text).replace(
    /[^\p{L}\p{N}\p{M}\p{Emoji_Presentation} ]/gu,
    (sign) => `&#${sign.codePointAt(0)};`,
  );
