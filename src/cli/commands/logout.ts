import { loadProfile } from '../../config/profile.ts';
import { removePending } from '../../credentials/pending.ts';
import { defineCommand } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import { boolean, object, prints, text } from '../command/json-output.ts';
import type { Outcome } from '../command/outcome.ts';
import { forPipes, showRecord } from '../command/record.ts';
import { needsNoLogin } from '../connection/access-token.ts';

export const command = defineCommand({
  summary: 'Log out of a signature service',
  details:
    'Removes the stored tokens of the profile from this machine. The tokens are not revoked at the ' +
    'service; to revoke them, withdraw the consent in its dashboard.',
  arguments: [],
  options: {},
  json: prints(object({ profile: text, service: text, logged_out: boolean })),
  examples: [{ line: 'esign logout --profile acme', about: 'Log out of the service of a profile' }],
  async run(context) {
    return logout(context);
  },
});

async function logout(context: Uses<'config' | 'connections' | 'process' | 'settings'>): Promise<Outcome> {
  const profile = await loadProfile(
    context.settings,
    context.process.environment.variables,
    context.config.file,
  );
  if (!profile.remote) throw needsNoLogin();
  const store = await context.connections.logins();
  const wasLoggedIn = await store.withLock(profile.name, context.process.abort, () =>
    store.remove(profile.name),
  );
  await removePending(context.process.paths.credentialsDir, profile.name);
  const dashboard = profile.remote.dashboardUrl ?? 'the dashboard of the service.';
  return showRecord(
    { profile: profile.name, service: profile.remote.baseUrl, logged_out: wasLoggedIn },
    { profile: 'Profile', service: 'Service', logged_out: forPipes },
    {
      headline: wasLoggedIn
        ? 'Logged out. The login was removed from this machine.'
        : 'You were not logged in.',
      ...(wasLoggedIn && {
        notes: [
          `The tokens are still valid at the service. To revoke them, revoke your consent in ${dashboard}`,
        ],
      }),
    },
  );
}
