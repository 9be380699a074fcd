// Reads environment variables and the folders of the user. All other files receive them as arguments.

export type Variables = Readonly<Record<string, string | undefined>>;

export type Environment = {
  variables: Variables;
  homeDir: string;
  workingDir: string;
};

export async function readEnvironment(): Promise<Environment> {
  const { homedir } = await import('node:os');
  return { variables: process.env, homeDir: homedir(), workingDir: process.cwd() };
}

/** Lists the ESIGN_ variables that are set to nothing. Usually a secret or a setting is missing there. */
export const emptyVariables = (variables: Variables): string[] =>
  Object.keys(variables)
    .filter((name) => name.startsWith('ESIGN_') && variables[name] === '')
    .sort();

/** Reads a variable. An empty one counts as not set. */
export function variable(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return value === undefined || value === '' ? undefined : value;
}
