// Finds the variable of the environment that an access token comes from. It takes precedence over any login.
import { type Environment, variable } from '../../config/environment.ts';
import { credentialsAreFor } from '../../config/profile.ts';

const FROM_ENVIRONMENT = ['ESIGN_ACCESS_TOKEN', 'ESIGN_REFRESH_TOKEN'];

/** The name of the variable, undefined when the environment holds no credentials for the service at `baseUrl`. */
export const environmentSource = ({ variables }: Environment, baseUrl: string): string | undefined =>
  credentialsAreFor(variables, baseUrl)
    ? FROM_ENVIRONMENT.flatMap((name) => [name, `${name}_FILE`]).find((name) => variable(variables, name))
    : undefined;
