// The list of tools that the MCP server shows: whoever reads it must be able to call each tool, and know what it may do.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { differencesFrom, type JsonSchema, jsonLine } from '../../../src/cli/command/json-output.ts';
import { nodeAt } from '../../../src/cli/command/tree.ts';
import { parseFieldSpec } from '../../../src/cli/input/field-spec.ts';
import { fitTo, wrongInput } from '../../../src/cli/mcp/tool.ts';
import { LOCAL_TOOLS, REMOTE_TOOLS } from '../../../src/cli/mcp/tools.ts';
import { TREE } from '../../../src/cli/tree.ts';

const TOOLS = LOCAL_TOOLS;
const named = (name: string) => TOOLS.find((tool) => tool.name === name)!;
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

describe('every tool', () => {
  test.each([...LOCAL_TOOLS, ...REMOTE_TOOLS].map((tool) => [tool.name, tool] as const))(
    '%s says what it takes, gives and may do',
    (name, tool) => {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect([tool.title, tool.description].every((words) => /^[A-Z]/.test(words))).toBe(true);
      expect(Object.keys(tool.hints)).toEqual(HINTS);
      expect(Object.values(tool.hints).every((hint) => typeof hint === 'boolean')).toBe(true);
      // A tool that only reads destroys nothing, and calling it twice is the same as once.
      if (tool.hints.readOnlyHint)
        expect([tool.hints.destructiveHint, tool.hints.idempotentHint]).toEqual([false, true]);
      expect([tool.input.type, tool.output.type]).toEqual(['object', 'object']);
      for (const [property, schema] of Object.entries(tool.input.properties ?? {}))
        expect([property, schema.description]).toEqual([property, expect.stringMatching(/\S/)]);
      const ajv = new Ajv2020({
        strict: true,
        allowUnionTypes: true,
        strictTypes: false,
        meta: false,
        validateSchema: false,
      });
      for (const schema of [tool.input, tool.output]) ajv.compile(JSON.parse(JSON.stringify(schema)));
    },
  );

  test('has a name of its own, and those that ask people for something ask a person first', () => {
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
    const asking = TOOLS.filter(({ question }) => question).map(({ name }) => name);
    expect(asking).toEqual(['send_documents', 'remind_recipient', 'cancel_transaction']);
    // A draft asks nobody.
    expect(named('send_documents').question?.({ draft: true })).toBeUndefined();
    const destructive = TOOLS.filter(({ hints }) => hints.destructiveHint).map(({ name }) => name);
    expect(destructive).toEqual(['cancel_transaction']);
  });
});

test('every field that a description shows can be read', () => {
  const descriptions = [...LOCAL_TOOLS, ...REMOTE_TOOLS].flatMap(({ description, input }) => [
    description,
    ...Object.values(input.properties ?? {}).map((schema) => schema.description ?? ''),
  ]);
  const specs = descriptions.flatMap((words) =>
    [...words.matchAll(/`([a-z_]+@[^`]+)`/g)].map(([, spec = '']) => spec),
  );
  expect(specs.length).toBeGreaterThan(3);
  for (const spec of specs) expect(parseFieldSpec(spec)).toMatchObject({ recipient: 'ada@example.com' });
  // No field stands outside of the marks, where this test would not see it.
  for (const words of descriptions)
    expect(words.replaceAll(/`[^`]*`/g, '')).not.toMatch(/\b(?:signature|text|date)@/);
});

describe('the output of every tool', () => {
  /** What the result of a tool has besides what its command prints. */
  const ADDED: Readonly<Record<string, readonly string[]>> = {
    wait_for_transaction: ['is_ended'],
    read_words: ['is_cut'],
  };
  /** Any values that the schemas of its properties describe. */
  const INPUT = {
    id: '01a230a1-7c55-750a-85c9-0364f3e22ec2',
    template: undefined,
    duration: '1d',
    file: 'x',
  };
  const access = {
    readable: async () => 'x',
    copied: async () => 'x',
    writable: async () => 'x',
    scratch: async () => 'x',
  };

  test.each([...LOCAL_TOOLS, ...REMOTE_TOOLS].map((tool) => [tool.name, tool] as const))(
    '%s is a part of what its command prints',
    async (name, tool) => {
      const { path } = await tool.command(INPUT, access);
      const command = await nodeAt(path, TREE)?.node.load?.();
      const [first] = (command?.json ?? []).filter((part) => typeof part !== 'string');
      const { properties = {}, required = [], ...output } = tool.output;
      const added = ADDED[name] ?? [];
      const shown = {
        ...output,
        properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !added.includes(key))),
        required: required.filter((key) => !added.includes(key)),
      };
      expect(misfitsOf(shown, first ?? {}, '')).toEqual([]);
    },
  );
});

describe('a question', () => {
  const linesOf = (json: object) => named('remind_recipient').question?.({})?.lines(json, {});

  test('shows a name apart from the address, whatever the name is', () => {
    const recipient = { name: 'Ada <ada@example.com>', email: 'eve@example.com' };
    expect(linesOf({ name: 'Lease', recipient })).toEqual([
      'Send a reminder of "Lease" to',
      '"Ada <ada@example.com>" <eve@example.com>',
    ]);
  });

  test('lists all recipients where the service does not tell whose turn it is', () => {
    const recipients = [
      { name: 'Sam', email: 'sam@example.com', role: 'sender' },
      { name: 'Ada', email: 'ada@example.com', role: 'signer' },
    ];
    expect(linesOf({ name: null, recipients })?.slice(1)).toEqual([
      'whoever of these has to sign now (the service does not tell):',
      '1. Ada <ada@example.com>',
    ]);
  });
});

test('a draft that is started after a confirmation prints what sending prints', async () => {
  const start = await nodeAt(['tx', 'start'], TREE)?.node.load?.();
  const [printed] = (start?.json ?? []).filter((part) => typeof part !== 'string');
  const expected = ['.rejected_by is not printed', '.reason is not printed', '.warnings is not printed'];
  expect(misfitsOf(named('send_documents').output, printed ?? {}, '').sort()).toEqual(expected.sort());
});

const typesOf = ({ type, enum: values }: JsonSchema): readonly string[] =>
  values ? values.map((value) => (value === null ? 'null' : typeof value)) : [type ?? []].flat();

/** The schema of a service that may print more than is described. */
const isOpen = (schema: JsonSchema): boolean => jsonLine([schema]).endsWith('…}');

/** Lists where a value that the command prints would not fit the schema of the tool. */
function misfitsOf(tool: JsonSchema, command: JsonSchema, at: string): string[] {
  if (command.anyOf) return command.anyOf.flatMap((alternative) => misfitsOf(tool, alternative, at));
  if (tool.anyOf) {
    const attempts = tool.anyOf.map((alternative) => misfitsOf(alternative, command, at));
    return attempts.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  const types = typesOf(command).filter((type) => !typesOf(tool).includes(type));
  if (types.length > 0) return [`${at} may be ${types.join(', ')}`];
  if (tool.items) return misfitsOf(tool.items, command.items ?? {}, `${at}[]`);
  return Object.entries(tool.properties ?? {}).flatMap(([name, property]) => {
    const printed = command.properties?.[name];
    const path = `${at}.${name}`;
    const isRequired = tool.required?.includes(name) ?? false;
    if (printed === undefined) return isOpen(command) && !isRequired ? [] : [`${path} is not printed`];
    const isMissing = isRequired && !command.required?.includes(name);
    return [...(isMissing ? [`${path} may be absent`] : []), ...misfitsOf(property, printed, path)];
  });
}

describe('input', () => {
  test.each([
    [{}, ['id is missing', 'reason is missing']],
    [{ id: 1, reason: 'x' }, ['id is number, not string']],
    [{ id: 'x', reason: 'x', more: true }, ['more is not described']],
    [['x'], ['the value is array, not object']],
    [null, ['the value is null, not object']],
  ])('%j is refused with what is wrong', (input, problems) => {
    expect(wrongInput(named('cancel_transaction'), input)).toEqual(problems);
  });
});

describe('output', () => {
  const { output } = named('show_transaction');

  test('keeps what is described and nothing else', () => {
    const shown = {
      id: 'x',
      token: 'secret',
      recipients: [{ id: 'y', token: 'secret' }],
      __proto__: { z: 1 },
    };
    const { recipients, ...rest } = fitTo(output, shown) as { recipients: object[] };
    expect([rest, recipients[0]]).toEqual([{ id: 'x', name: null }, expect.objectContaining({ id: 'y' })]);
    expect(recipients[0]).not.toHaveProperty('token');
  });

  test('has null for what a service leaves out', () => {
    const recipient = { id: 'x', name: 'Ada', email: 'ada@example.com', submitted_at: undefined };
    const whole = {
      ...{ id: 'x', status: 'draft', outcome: 'draft', profile: 'work', documents: [] },
      recipients: [recipient],
    };
    const fitted = fitTo(output, whole) as { recipients: object[] };
    expect(differencesFrom(output, fitted)).toEqual([]);
    expect(fitted.recipients[0]).toMatchObject({ role: null, submitted_at: null });
    expect(fitted).not.toHaveProperty('recipient');
  });

  test('shows what a terminal would obey', () => {
    expect(fitTo(output, { id: 'x', name: 'a\u202eb\u001b[2J\nc', reason: '\u{e0041}' })).toMatchObject({
      id: 'x',
      name: 'a\\u{202e}b\\u{1b}[2J\nc',
      reason: '\\u{e0041}',
    });
  });
});
