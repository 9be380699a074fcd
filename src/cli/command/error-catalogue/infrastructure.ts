// Errors that the layers below the command line throw, with their own sentences: configuration, stored data, logins, network.
// A code that one of these layers adds does not compile until it is listed here.
import type { CODE_OF_FAILURE } from '../../../api/transport.ts';
import type { ConfigErrorCode } from '../../../config/environment.ts';
import type { CredentialsErrorCode } from '../../../credentials/keyring.ts';
import type { DatabaseErrorCode } from '../../../database/database-error.ts';
import type { UntrustedError } from '../../../files/trust.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { OUTPUT_FAILED } from '../output-failed.ts';
import type { PROFILE_ERRORS } from './profiles.ts';
import type { USAGE_ERRORS } from './usage.ts';

/** What is known of every error with this code. */
export type InfrastructureError = {
  exit: ExitCode;
  retryable?: true;
  /** For the documents: the sentence of an error names the value as well. */
  meaning: string;
  /** What to do when the error itself does not say. */
  hint: string;
};

const usage = EXIT.usage;

export const CONFIGURATION_ERRORS = {
  config_unreadable: {
    exit: usage,
    meaning: 'The configuration file cannot be read.',
    hint: 'Check the permissions of the file.',
  },
  config_invalid: {
    exit: usage,
    meaning: 'The configuration file contains an invalid value.',
    hint: 'Correct the file, or remove it.',
  },
  config_unwritable: {
    exit: usage,
    meaning: 'The configuration file cannot be written.',
    hint: 'Check the permissions of its directory.',
  },
  profile_unknown: {
    exit: usage,
    meaning: 'The profile does not exist.',
    hint: 'List the profiles with `esign profile list`, or create one with `esign profile create`.',
  },
  service_missing: {
    exit: usage,
    meaning: 'Credentials are set, or a profile is selected, but the URL of the service is not set.',
    hint: 'Set ESIGN_BASE_URL, or select a profile with --profile. To use the sandbox, add --sandbox.',
  },
  address_invalid: {
    exit: usage,
    meaning: 'A value is not a valid URL of a service.',
    hint: 'Use https://HOST[/PATH]. For this machine (127.0.0.1, [::1], localhost), http:// is accepted too.',
  },
  project_file_invalid: {
    exit: usage,
    meaning: 'The project file (esign.config.json) contains an invalid value.',
    hint: 'Correct the file, or remove it.',
  },
  secret_unreadable: {
    exit: usage,
    meaning: 'A file that contains a secret cannot be read.',
    hint: 'Check the path and the permissions of the file.',
  },
  variable_empty: {
    exit: usage,
    meaning: 'An environment variable is set, but empty.',
    hint: 'Set a value, or unset the variable.',
  },
} as const satisfies Record<
  Exclude<ConfigErrorCode, keyof typeof USAGE_ERRORS | keyof typeof PROFILE_ERRORS>,
  InfrastructureError
>;

export const STORAGE_ERRORS = {
  store_newer: {
    exit: EXIT.unexpected,
    meaning: 'The data that esign stores was written by a newer version of esign.',
    hint: 'Update esign.',
  },
  store_unreleased: {
    exit: EXIT.unexpected,
    meaning: 'The data that esign stores was written by a clone of esign from before the first release.',
    hint: 'Begin with an empty directory or database. Of backups and exports, use those of released versions.',
  },
  storage_damaged: {
    exit: EXIT.unexpected,
    meaning: 'A part of the data that esign stores is damaged or missing.',
    hint: 'Restore the file or directory from a backup, or move it away to start empty.',
  },
  storage_unusable: {
    exit: usage,
    meaning: 'A file or directory that esign stores data in cannot be used.',
    hint: 'Check its permissions, or set ESIGN_HOME to another directory. `esign config path` prints the paths in use.',
  },
  storage_unavailable: {
    exit: EXIT.network,
    retryable: true,
    meaning: 'The database does not respond, or too many changes are being made at the same time.',
    hint: 'Try again in a moment. If it happens again, check that the database server is running and can be reached.',
  },
  storage_full: {
    exit: EXIT.network,
    retryable: true,
    meaning: 'The disk is full.',
    hint: 'Free some space on that disk, then try again.',
  },
  blobs_unusable: {
    exit: EXIT.network,
    meaning: 'The bucket for the files of a team server cannot be used.',
    hint: 'Check --blobs, --s3-endpoint, --s3-region and the keys.',
  },
  locked: {
    exit: EXIT.network,
    retryable: true,
    meaning: 'Another esign process has been using the same data for too long.',
    hint: 'Wait until the other esign command has ended, or end it, then try again.',
  },
  installation_foreign: {
    exit: usage,
    meaning: 'The database is empty or belongs to another installation than the one that this node was told.',
    hint: 'Check --database and ESIGN_SERVE_INSTALLATION.',
  },
  key_mismatch: {
    exit: usage,
    meaning: 'The key is not the one that the installation was made with.',
    hint: 'Set ESIGN_SERVE_KEY_FILE to the file with the key of this installation.',
  },
  key_missing: {
    exit: usage,
    meaning: 'The key of a store is needed to restore or copy it.',
    hint: 'Set --key-file, ESIGN_SERVE_KEY_FILE or ESIGN_SERVE_KEY.',
  },
  migrations_missing: {
    exit: usage,
    meaning: 'The database lacks changes to its tables that this version of esign needs.',
    hint: 'Run `esign serve migrate`, or start a node without --no-migrate. While nodes of an older version of esign serve, use that version for other commands.',
  },
  copy_unfinished: {
    exit: usage,
    meaning: 'The stored data is a copy that was interrupted.',
    hint: 'Run the same `esign store copy` or `esign store restore` again, which finishes it.',
  },
  store_not_empty: {
    exit: usage,
    meaning: 'The target of a copy is not empty.',
    hint: 'Use an empty database, or a directory that does not exist.',
  },
  backup_damaged: {
    exit: usage,
    meaning: 'The file is not a backup of esign, or it is damaged.',
    hint: 'Use another backup.',
  },
  export_damaged: {
    exit: usage,
    meaning: 'The file is not an export of a sandbox, or it is damaged.',
    hint: 'Use another file of `esign sandbox export`.',
  },
} as const satisfies Record<DatabaseErrorCode, InfrastructureError>;

export const CREDENTIALS_ERRORS = {
  keyring_unusable: {
    exit: EXIT.access,
    meaning: 'The keyring cannot be used.',
    hint: 'Unlock the keyring. Or set ESIGN_CREDENTIAL_STORE=file to store the login in a file that only you can read, and log in again.',
  },
  login_unreadable: {
    exit: EXIT.access,
    meaning: 'The file of a login cannot be read.',
    hint: 'Log in again with `esign login`.',
  },
} as const satisfies Record<CredentialsErrorCode, InfrastructureError>;

export const TRUST_ERRORS = {
  not_trusted: {
    exit: usage,
    meaning:
      'Another user could have written a file or directory that esign stores settings or data in, or it came with a repository.',
    hint: 'Set ESIGN_HOME to a directory that only you can change. `esign doctor` lists what is not used.',
  },
} as const satisfies Record<UntrustedError['code'], InfrastructureError>;

export const NETWORK_ERRORS = {
  connection_failed: {
    exit: EXIT.network,
    retryable: true,
    meaning: 'The connection to the service failed.',
    hint: 'Check the URL of the service and the network, then try again.',
  },
  answer_timeout: {
    exit: EXIT.network,
    retryable: true,
    meaning: 'The service did not respond in time.',
    hint: 'ESIGN_TIMEOUT sets the number of seconds to wait for a response.',
  },
  certificate_refused: {
    exit: EXIT.network,
    meaning: 'The certificate of the service is not trusted.',
    hint: 'If your network has its own certificate authority, set ESIGN_CA_CERT to a file with its certificate in PEM format.',
  },
  tls_failed: {
    exit: EXIT.network,
    meaning: 'A TLS connection to the service cannot be established.',
    hint: 'Check that the service accepts https at this host and port. A service without TLS needs http://, which is accepted only for this machine.',
  },
  proxy_failed: {
    exit: EXIT.network,
    meaning: 'The proxy failed.',
    hint: 'Check HTTPS_PROXY (http://NAME:PASSWORD@HOST:PORT). List hosts to reach without the proxy in NO_PROXY.',
  },
  answer_too_large: {
    exit: EXIT.network,
    meaning: 'The response of the service is too large.',
    hint: 'Check the URL of the service.',
  },
  answer_unreadable: {
    exit: EXIT.network,
    meaning: 'The response is not HTTP.',
    hint: 'Check the URL of the service: https or http, host and port.',
  },
} as const satisfies Record<(typeof CODE_OF_FAILURE)[keyof typeof CODE_OF_FAILURE], InfrastructureError>;

export const PROGRAM_ERRORS = {
  output_failed: {
    exit: OUTPUT_FAILED.exit,
    meaning: 'The output cannot be written.',
    hint: OUTPUT_FAILED.hint,
  },
  unexpected: {
    exit: EXIT.unexpected,
    meaning: 'An unexpected error.',
    hint: 'This is a bug in esign. Run again with --debug, and report it with `esign doctor --report FILE`.',
  },
} as const satisfies Record<string, InfrastructureError>;

/** Errors of the layers below the command line, whose sentences they bring. */
export const INFRASTRUCTURE_ERRORS = {
  ...CONFIGURATION_ERRORS,
  ...STORAGE_ERRORS,
  ...CREDENTIALS_ERRORS,
  ...TRUST_ERRORS,
  ...NETWORK_ERRORS,
  ...PROGRAM_ERRORS,
};

export type InfrastructureErrorCode = keyof typeof INFRASTRUCTURE_ERRORS;
