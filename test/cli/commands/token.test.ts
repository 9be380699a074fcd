// Where a token is printed on a screen, that is said; where it is piped, nothing stands beside it.
import { expect, test } from 'vitest';
import { printToken } from '../../../src/cli/commands/token.ts';

type Context = Parameters<typeof printToken>[0];

function contextWith(isTerminal: boolean) {
  const warnings: string[] = [];
  const context = {
    connections: {
      access: async () => ({
        token: () => 'ACCESS',
        refreshToken: async () => 'REFRESH',
        freshToken: async () => ({ access_token: 'ACCESS', expires_at: undefined }),
      }),
      profile: async () => ({ name: 'acme', remote: { baseUrl: 'https://api.acme.example' } }),
    },
    terminal: {
      streams: { out: { isTerminal } },
      progress: { warn: (sentence: string) => warnings.push(sentence) },
    },
  } as unknown as Context;
  return { context, warnings };
}

test.each([
  [false, 'ACCESS'],
  [true, 'REFRESH'],
])('a screen gets a warning, refresh token: %s', async (isRefreshToken, token) => {
  const { context, warnings } = contextWith(true);
  expect(await printToken(context, isRefreshToken)).toMatchObject({ kind: 'text', text: token });
  expect(warnings).toEqual([
    'This is a secret: everyone who has it can act as you at https://api.acme.example.',
  ]);
});

test('a pipe gets the token alone', async () => {
  const { context, warnings } = contextWith(false);
  expect(await printToken(context, false)).toMatchObject({
    text: 'ACCESS',
    json: { profile: 'acme', access_token: 'ACCESS', expires_at: null },
  });
  expect(warnings).toEqual([]);
});
