// Errors in the configuration: in a variable, a profile, or the file of profiles.

export type ConfigErrorCode =
  | 'config_unreadable'
  | 'config_invalid'
  | 'config_unwritable'
  | 'profile_unknown'
  | 'profile_conflict'
  | 'service_missing'
  | 'address_invalid'
  | 'project_file_invalid'
  | 'secret_unreadable'
  | 'value_invalid'
  | 'variable_empty'
  | 'variable_invalid';

/** @property hint what to do about it */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly code: ConfigErrorCode;
  readonly hint: string;

  constructor(code: ConfigErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
