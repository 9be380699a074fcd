// The one reader of environment variables and of where the user is. Everybody else is handed what it returns.

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

/** The ESIGN_ variables that are set to nothing: nobody means that, it is a secret or a setting that did not arrive. */
export const emptyVariables = (variables: Variables): string[] =>
  Object.keys(variables)
    .filter((name) => name.startsWith('ESIGN_') && variables[name] === '')
    .sort();

/** An empty variable counts as one that is not set. */
export function variable(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return value === undefined || value === '' ? undefined : value;
}
