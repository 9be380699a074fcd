import { expect, test } from 'vitest';
import * as z from 'zod';
import { lazySchema, resolveSchema, resolveSchemaDeep } from '../../../src/api/contract/lazy-schema.ts';

test('a schema is built when it is first used, and once', () => {
  let times = 0;
  const name = lazySchema(() => {
    times += 1;
    return z.string().min(1);
  });
  const person = lazySchema(() => z.strictObject({ name, nick: name.optional() }));
  expect(times).toBe(0);
  expect(person.parse({ name: 'Ada' })).toEqual({ name: 'Ada' });
  expect(person.safeParse({ name: '', nick: 1 }).error?.issues.map(({ path }) => path)).toEqual([
    ['name'],
    ['nick'],
  ]);
  expect(times).toBe(1);
});

test('one schema is found by what it is, whichever of the two is asked for', () => {
  const built = z.string();
  expect(resolveSchema(lazySchema(() => built))).toBe(built);
  expect(resolveSchema(built)).toBe(built);
});

test('JSON Schema is made of one that is built throughout', () => {
  const flag = lazySchema(() => z.enum(['true', 'false']).transform((text) => text === 'true'));
  const one = lazySchema(() =>
    z.object({ flag: flag.optional(), list: z.array(flag), either: z.union([flag, z.null()]) }),
  );
  const json = () => z.toJSONSchema(resolveSchemaDeep(one), { io: 'input' });
  expect(json()).toMatchObject({
    properties: { flag: { enum: ['true', 'false'] }, list: { items: { enum: ['true', 'false'] } } },
  });
  expect(() =>
    z.toJSONSchema(
      lazySchema(() => z.object({ flag })),
      { io: 'input' },
    ),
  ).toThrow();
});
