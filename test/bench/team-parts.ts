// What the bench needs of the tests to run a team server.
export { startPostgresServer } from '../support/servers/postgres-server.ts';
export { addTeamToken } from '../support/servers/team-access.ts';
export { startTeamNode } from '../support/servers/team-nodes.ts';
