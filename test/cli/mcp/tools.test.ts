// The list of tools that the MCP server shows: whoever reads it must be able to call each tool, and know what it may do.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parseFieldSpec } from '../../../src/cli/input/field-spec.ts';
import { fitTo, wrongInput } from '../../../src/cli/mcp/tool.ts';
import { LOCAL_TOOLS, REMOTE_TOOLS } from '../../../src/cli/mcp/tools.ts';

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
    expect(fitTo(output, shown)).toEqual({ id: 'x', recipients: [{ id: 'y' }] });
  });

  test('shows what a terminal would obey', () => {
    expect(fitTo(output, { id: 'x', name: 'a\u202eb\u001b[2J\nc', reason: '\u{e0041}' })).toEqual({
      id: 'x',
      name: 'a\\u{202e}b\\u{1b}[2J\nc',
      reason: '\\u{e0041}',
    });
  });
});
