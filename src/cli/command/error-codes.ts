// Every error code of the command line with its exit code and its meaning. A code that is not here does not compile. The sentence and
// the hint of an error stand where it is thrown. The codes of the service are in service-errors.ts.
import type { CODE_OF_FAILURE } from '../../api/transport.ts';
import type { ConfigErrorCode } from '../../config/environment.ts';
import type { CredentialsErrorCode } from '../../credentials/keyring.ts';
import type { DatabaseErrorCode } from '../../database/database-error.ts';
import type { UntrustedError } from '../../files/trust.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { OUTPUT_FAILED } from './output-failed.ts';

/**
 * What is the same for every error with a code. The meaning is for documents. The hint is for errors of the layers below the command
 * line, such as the configuration and the network, when the error itself does not say what to do.
 */
export type CodeRow = readonly [exit: ExitCode, meaning: string, hint?: string];

const { usage, access, notFound, conflict, network, unexpected, interrupted, partly, endedBadly } = EXIT;

export const ERROR_CODES = {
  // ── what was typed ──────────────────────────────────────────────────────────────────────────────────────────────
  usage: [usage, 'The command line cannot be understood.'],
  command_unknown: [usage, 'The command or help topic does not exist.'],
  option_unknown: [usage, 'The command has no such option.'],
  option_missing: [usage, 'The command, or another option, needs an option that is not given.'],
  options_conflict: [usage, 'Two options cannot be used together, or one needs another.'],
  argument_missing: [usage, 'An argument is missing.'],
  arguments_too_many: [usage, 'The command takes fewer arguments. Values with spaces need quotes.'],
  value_missing: [usage, 'A value is missing, and there is no terminal to ask for it.'],
  value_invalid: [usage, 'A value of an option, an argument, a file or a setting is not valid.'],
  variable_invalid: [usage, 'An environment variable has a value that is not valid.'],
  stdin_twice: [usage, 'Standard input can be read only once.'],
  malformed_json: [usage, 'The input is empty, or is not valid JSON.'],
  json_property_unknown: [usage, 'A JSON value has an unknown property.'],
  property_unknown: [usage, 'The output has no such property (--select).'],
  property_missing: [unexpected, 'The command succeeded, but its output lacks a property (--select).'],
  jq_invalid: [usage, 'The jq expression is not valid.'],
  jq_failed: [unexpected, 'The command succeeded, but jq could not filter its output.'],
  confirmation_needed: [usage, 'The command needs a confirmation, and there is no terminal. --yes confirms.'],
  confirmation_unavailable: [
    access,
    'A person must confirm, and the client of the MCP server cannot show a form. Nothing was changed.',
  ],
  confirmation_outdated: [
    conflict,
    'The call of a tool is not what a person has confirmed. Nothing was changed.',
  ],
  confirmation_too_long: [
    usage,
    'A person must confirm, and the form would be too long to show all texts that are sent. Nothing was sent.',
  ],
  template_with_files: [
    usage,
    'A person must confirm, and the call names both a template and files. Nothing was sent.',
  ],
  not_confirmed: [interrupted, 'The confirmation was answered with no. Nothing was changed.'],
  interrupted: [interrupted, 'The command was interrupted before it was finished.'],
  terminal_without_pictures: [usage, 'The terminal does not report that it can display images.'],
  calls_too_many: [network, 'Too many calls of tools are under way at the moment.'],
  tool_input_invalid: [usage, 'The input of a tool of the MCP server is not valid.'],
  edit_without_terminal: [usage, '--edit waits for a person at a terminal, and there is none.'],
  program_not_started: [usage, 'The program after -- was not found or cannot be started.'],
  operation_unknown: [usage, 'The API has no such operation. `esign api routes` lists them.'],
  address_elsewhere: [usage, 'The URL belongs to another service, or is not a path.'],
  id_unknown: [notFound, 'The part of an ID, or @, refers to nothing that this machine has seen.'],
  id_ambiguous: [usage, 'Several IDs begin or end with the part that is given.'],
  alias_invalid: [usage, 'The alias has a name or a value that is not valid.'],
  alias_incomplete: [usage, 'The alias needs more words after it.'],
  alias_loop: [usage, 'An alias leads back to itself.'],

  // ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────
  file_missing: [usage, 'No file is given.'],
  file_not_found: [usage, 'The file does not exist.'],
  file_unreadable: [usage, 'The file cannot be read.'],
  file_outside: [usage, 'The path is outside of the directories of the MCP server.'],
  root_unusable: [usage, 'The directory of --root does not exist, or cannot be read.'],
  file_is_directory: [usage, 'The path is a directory, not a file.'],
  file_not_regular: [usage, 'The path is a pipe, a device or a socket, not a file.'],
  file_name_not_utf8: [usage, 'The name of the file is not UTF-8, so the file cannot be opened.'],
  file_name_invalid: [usage, 'The name of the file is not accepted.'],
  file_too_large: [usage, 'The file is too large.'],
  file_empty: [usage, 'The file is empty.'],
  file_type_not_accepted: [usage, 'The file is not a PDF, an image or a .docx document.'],
  file_changed: [usage, 'The file has changed since the plan was made.'],
  file_exists: [usage, 'The file that would be written exists already.'],
  file_not_writable: [usage, 'The file cannot be written.'],
  file_unwritable: [usage, 'The file for the completion of a shell cannot be written.'],
  files_too_many: [usage, 'There are more files than a transaction takes.'],
  not_a_pdf: [usage, 'The file is not a PDF. Only PDF files have signatures that can be verified.'],
  env_file_unusable: [usage, 'The file of --env-path cannot take a secret.'],
  secret_hidden: [usage, 'The output would be a secret, and a program with a language model reads it.'],
  env_name_taken: [
    usage,
    'The file of --env-path has a variable of this name already. --replace replaces it.',
  ],
  env_file_unwritten: [
    partly,
    'The command succeeded, but its secret could not be written to the file of --env-path.',
  ],
  certificate_unreadable: [usage, 'The file contains no certificate.'],
  password_unreadable: [usage, 'The file or standard input does not contain a password as its only line.'],
  ca_cert_unreadable: [usage, 'The certificate file of ESIGN_CA_CERT cannot be read.'],
  ca_cert_invalid: [usage, 'The certificate file of ESIGN_CA_CERT contains no valid certificate.'],

  // ── documents ───────────────────────────────────────────────────────────────────────────────────────────────────
  document_encrypted: [usage, 'The document can only be opened with a password.'],
  document_too_long: [usage, 'The document has too many pages.'],
  document_too_complex: [usage, 'The document is too complex.'],
  document_unreadable: [usage, 'The document is damaged and cannot be read.'],
  document_missing: [usage, 'The draft has no documents, so it cannot be updated.'],
  document_unknown: [notFound, 'The draft has no document with this ID.'],
  page_unknown: [usage, 'The document has fewer pages.'],
  content_lost: [usage, 'The conversion to PDF lost content. --accept-losses sends what was converted.'],

  // ── fields ──────────────────────────────────────────────────────────────────────────────────────────────────────
  field_invalid: [usage, 'The field is not written as `esign help fields` says, or cannot be placed.'],
  fields_invalid: [usage, 'The file with fields is not valid.'],
  field_type_unknown: [usage, 'The field has an unknown type.'],
  field_off_page: [usage, 'The field is not, or not completely, on a page of the document.'],
  field_too_small: [usage, 'The field is too small.'],
  field_without_file: [usage, 'A field is given, but no file.'],
  field_recipient_missing: [usage, 'The field has no recipient, and the transaction has more than one.'],
  field_recipient_unknown: [usage, 'The field is for a person who is no recipient of the transaction.'],
  field_recipient_ambiguous: [usage, 'More than one recipient has the email address that a field names.'],
  field_value_unknown: [usage, 'The field has a value, but the service does not take values of fields.'],
  page_too_small: [usage, 'The last page of the document is too small for the signature fields.'],
  page_size_unknown: [usage, 'The field cannot be placed, because the sizes of the pages are not known.'],
  words_not_found: [usage, 'The words to place a field at are not in the document.'],
  words_ambiguous: [usage, 'The words to place a field at are in several places, or in fewer than match=N.'],
  words_unread: [usage, 'The words to place a field at cannot be read: the document is not a PDF.'],
  values_not_drawn: [usage, 'The values cannot be drawn into the document.'],
  data_invalid: [usage, 'The file with values of fields is not valid.'],
  form_missing: [usage, 'The document has no form (--form-fields).'],
  form_recipient_missing: [usage, 'The fields of the form have no recipient. --form-to specifies one.'],
  form_too_large: [
    usage,
    'The form has more fields than a transaction can have, or is too large to be read.',
  ],
  form_unreadable: [usage, 'The form of the document cannot be read.'],
  tag_refused: [usage, 'A tag has a property that is not accepted.'],
  tag_unfinished: [usage, 'The end of a tag is not on its page.'],
  tag_recipient_unknown: [usage, 'A tag is for a role or a number that no recipient has.'],
  tag_recipient_missing: [usage, 'A tag has no role, and the transaction has more than one recipient.'],
  tag_role_unused: [usage, 'No tag is for the role of a recipient.'],
  tags_missing: [usage, 'The document has no tags (--tags).'],
  tags_stored: [usage, 'Tags cannot be removed from documents that are stored already.'],
  tags_too_many: [usage, 'The documents have more tags than a transaction can have fields.'],
  tags_not_removable: [usage, 'The tags cannot be removed from the document.'],

  // ── transactions ────────────────────────────────────────────────────────────────────────────────────────────────
  recipient_missing: [usage, 'No recipients are given, or the draft has none.'],
  recipient_invalid: [usage, 'A recipient is not valid.'],
  recipient_twice: [usage, 'A recipient is given twice.'],
  recipient_fields_lost: [usage, 'The update would remove recipients with their fields. --yes confirms it.'],
  email_invalid: [usage, 'An email address is missing or not valid.'],
  sender_missing: [usage, 'No sender is given.'],
  sender_email_mismatch: [usage, 'The sender is not the user that the access token belongs to.'],
  sender_refused_before: [usage, 'The service has refused this sender before with the same login.'],
  template_missing: [usage, 'The service has no templates.'],
  template_recipients_differ: [usage, 'The number of recipients differs from that of the templates.'],
  recipients_changed: [conflict, 'A template asks other people than before, so the draft was not started.'],
  items_too_many: [usage, 'There are more recipients, templates or fields than a transaction can have.'],
  nothing_to_change: [usage, 'No changes are given.'],
  resume_with_more: [usage, '--resume resumes a plan unchanged, so other options and files are refused.'],
  plan_not_found: [notFound, 'The plan does not exist on this machine.'],
  plan_of_another_service: [usage, 'The plan was made for another service.'],
  plan_newer: [usage, 'The plan was written by a newer version of esign.'],
  plan_unreadable: [usage, 'The plan is damaged, or another program wrote it.'],
  plan_in_use: [conflict, 'Another process is running the plan.'],
  outcome_unknown: [partly, 'The service did not respond. The transaction may or may not have been created.'],
  nobody_to_sign: [conflict, 'No recipient can sign the transaction now.'],
  transaction_not_started: [conflict, 'The transaction is not in the status started.'],
  transaction_not_completed: [endedBadly, 'The transaction is not completed, so it has no sealed documents.'],
  documents_missing: [conflict, 'The transaction has no documents yet.'],
  document_not_given: [notFound, 'The service offers no download of the document.'],
  download_damaged: [network, 'The downloaded bytes do not match their SHA-256. No file was written.'],
  download_not_pdf: [network, 'The service did not return a PDF. No file was written.'],
  evidence_missing: [notFound, 'The document contains no evidence, because esign did not seal it.'],
  evidence_damaged: [endedBadly, 'The evidence in the document is damaged.'],
  app_url_missing: [usage, 'The URL of the signing pages is not known. The setting app_url has it.'],
  dashboard_url_missing: [usage, 'The URL of the dashboard is not known. The setting dashboard_url has it.'],
  signing_address_unknown: [notFound, 'The service does not return a signing URL for the recipient.'],
  answer_incomplete: [unexpected, 'The response of the service lacks a value that esign needs.'],

  // ── events ──────────────────────────────────────────────────────────────────────────────────────────────────────
  secret_not_lasting: [
    usage,
    'Each run of `esign events listen` signs with a new secret, so none is printed.',
  ],
  events_not_listed: [usage, 'The service does not list its events.'],
  too_many_events: [usage, 'More events match than can be forwarded at once.'],
  override_unused: [usage, 'An --override has no effect on the event.'],
  sandbox_only: [usage, 'Events can be triggered only in the sandbox.'],
  event_unreachable: [conflict, 'The event cannot occur any more, because of the status of the transaction.'],

  // ── logins and credentials ──────────────────────────────────────────────────────────────────────────────────────
  not_logged_in: [access, 'There is no access token for the service. `esign login` gets one.'],
  insufficient_scope: [access, 'The login lacks a scope that the command needs.'],
  login_ended: [access, 'The service has ended the login.'],
  login_not_begun: [usage, 'No login was started that could be completed.'],
  login_timeout: [access, 'The login was not completed in the browser in time.'],
  login_contested: [access, 'Two different callbacks arrived for one login, so neither was used.'],
  login_of_another_user: [usage, 'The access token belongs to another user than the sender.'],
  consent_denied: [access, 'Consent was refused in the browser.'],
  consent_failed: [access, 'The service refused the login.'],
  browser_needed: [usage, 'Login needs a person with a browser.'],
  state_missing: [usage, 'The callback has no state parameter, so it may be forged.'],
  state_wrong: [usage, 'The URL belongs to another login.'],
  callback_invalid: [usage, 'The callback URL is not valid, or does not complete the login.'],
  callback_elsewhere: [usage, 'The callback URL is not on this machine, so esign cannot receive the code.'],
  callback_not_here: [usage, '--port needs a callback URL on this machine.'],
  client_id_invalid: [usage, 'The client ID is not valid.'],
  application_unknown: [network, 'The service did not answer whether the application has a client secret.'],
  scope_missing: [usage, 'A list of scopes contains no scope.'],
  scope_unknown: [usage, 'A scope does not exist.'],
  credentials_incomplete: [usage, 'Only some of the variables of a refresh token are set.'],
  refresh_token_missing: [access, 'The login has no refresh token.'],
  refresh_token_replaced: [access, 'The refresh token works once, so it is not printed.'],
  sandbox_needs_no_login: [usage, 'The sandbox needs no login.'],
  sandbox_has_no_login: [usage, 'The sandbox has no login, so there is no token to print.'],
  keyring_unusable: [
    access,
    'The keyring cannot be used.',
    'Unlock the keyring. Or set ESIGN_CREDENTIAL_STORE=file to store the login in a file that only you can read, and log in again.',
  ],
  login_unreadable: [access, 'The file of a login cannot be read.', 'Log in again with `esign login`.'],

  // ── profiles and settings ───────────────────────────────────────────────────────────────────────────────────────
  profile_unknown: [
    usage,
    'The profile does not exist.',
    'List the profiles with `esign profile list`, or create one with `esign profile create`.',
  ],
  profile_missing: [usage, 'No profile is in use, or its name is used for another URL.'],
  profile_name_invalid: [usage, 'The name of the profile is not valid.'],
  profile_conflict: [usage, 'The command names two profiles.'],
  profile_exists: [usage, 'The profile exists already.'],
  profile_is_own: [usage, 'The sandbox profile cannot be deleted.'],
  key_unknown: [usage, 'The setting does not exist.'],
  key_is_secret: [usage, 'The setting looks like a secret. The configuration stores no secrets.'],
  key_not_set: [notFound, 'The setting is not set.'],
  key_not_of_sandbox: [usage, 'The setting cannot be set for the sandbox.'],
  key_of_sandbox_only: [usage, 'The setting applies only to the sandbox.'],
  route_invalid: [usage, 'A route is not a method and a path, or has a value that its operation lacks.'],
  config_unreadable: [usage, 'The configuration file cannot be read.', 'Check the permissions of the file.'],
  config_invalid: [
    usage,
    'The configuration file contains an invalid value.',
    'Correct the file, or remove it.',
  ],
  config_unwritable: [
    usage,
    'The configuration file cannot be written.',
    'Check the permissions of its directory.',
  ],
  project_file_invalid: [
    usage,
    'The project file (esign.config.json) contains an invalid value.',
    'Correct the file, or remove it.',
  ],
  service_missing: [
    usage,
    'Credentials are set, or a profile is selected, but the URL of the service is not set.',
    'Set ESIGN_BASE_URL, or select a profile with --profile. To use the sandbox, add --sandbox.',
  ],
  address_invalid: [
    usage,
    'A value is not a valid URL of a service.',
    'Use https://HOST[/PATH]. For this machine (127.0.0.1, [::1], localhost), http:// is accepted too.',
  ],
  secret_unreadable: [
    usage,
    'A file that contains a secret cannot be read.',
    'Check the path and the permissions of the file.',
  ],
  variable_empty: [
    usage,
    'An environment variable is set, but empty.',
    'Set a value, or unset the variable.',
  ],
  not_trusted: [
    usage,
    'Another user could have written a file or directory that esign stores settings or data in, or it came with a repository.',
    'Set ESIGN_HOME to a directory that only you can change. `esign doctor` lists what is not used.',
  ],

  // ── servers, and seeds of a sandbox ─────────────────────────────────────────────────────────────────────────────
  port_in_use: [usage, 'The address and port of a server are already in use.'],
  port_not_allowed: [usage, 'The port of a server cannot be used: permission denied.'],
  address_not_available: [usage, 'The address of a server is not one of this machine.'],
  serve_checks_failed: [unexpected, 'The server was not started, because checks failed.'],
  worker_not_started: [unexpected, 'The server was not started, because one of its processes ended.'],
  company_unknown: [usage, 'The company does not exist, but one with a similar name. No user was added.'],
  user_known: [conflict, 'A user with the email address exists already.'],
  user_unknown: [notFound, 'No user has the email address.'],
  seed_invalid: [
    usage,
    'The seed of a sandbox is not valid. The sentence begins with the place in the file.',
  ],

  // ── stored data ─────────────────────────────────────────────────────────────────────────────────────────────────
  store_newer: [
    unexpected,
    'The data that esign stores was written by a newer version of esign.',
    'Update esign.',
  ],
  store_unreleased: [
    unexpected,
    'The data that esign stores was written by a clone of esign from before the first release.',
    'Begin with an empty directory or database. Of backups and exports, use those of released versions.',
  ],
  storage_damaged: [
    unexpected,
    'A part of the data that esign stores is damaged or missing.',
    'Restore the file or directory from a backup, or move it away to start empty.',
  ],
  storage_unusable: [
    usage,
    'A file or directory that esign stores data in cannot be used.',
    'Check its permissions, or set ESIGN_HOME to another directory. `esign config path` prints the paths in use.',
  ],
  storage_unavailable: [
    network,
    'The database does not respond, or too many changes are being made at the same time.',
    'Try again in a moment. If it happens again, check that the database server is running and can be reached.',
  ],
  storage_full: [network, 'The disk is full.', 'Free some space on that disk, then try again.'],
  blobs_unusable: [
    network,
    'The bucket for the files of a team server cannot be used.',
    'Check --blobs, --s3-endpoint, --s3-region and the keys.',
  ],
  locked: [
    network,
    'Another esign process has been using the same data for too long.',
    'Wait until the other esign command has ended, or end it, then try again.',
  ],
  installation_foreign: [
    usage,
    'The database is empty or belongs to another installation than the one that this node was told.',
    'Check --database and ESIGN_SERVE_INSTALLATION.',
  ],
  key_mismatch: [
    usage,
    'The key is not the one that the installation was made with.',
    'Set ESIGN_SERVE_KEY_FILE to the file with the key of this installation.',
  ],
  key_missing: [
    usage,
    'The key of a store is needed to restore or copy it.',
    'Set --key-file, ESIGN_SERVE_KEY_FILE or ESIGN_SERVE_KEY.',
  ],
  migrations_missing: [
    usage,
    'The database lacks changes to its tables that this version of esign needs.',
    'Run `esign serve migrate`, or start a node without --no-migrate. While nodes of an older version of esign serve, use that version for other commands.',
  ],
  copy_unfinished: [
    usage,
    'The stored data is a copy that was interrupted.',
    'Run the same `esign store copy` or `esign store restore` again, which finishes it.',
  ],
  store_not_empty: [
    usage,
    'The target of a copy is not empty.',
    'Use an empty database, or a directory that does not exist.',
  ],
  backup_damaged: [usage, 'The file is not a backup of esign, or it is damaged.', 'Use another backup.'],
  export_damaged: [
    usage,
    'The file is not an export of a sandbox, or it is damaged.',
    'Use another file of `esign sandbox export`.',
  ],

  // ── the network ───────────────────────────────────────────────────────────────────────────────────────────────────
  connection_failed: [
    network,
    'The connection to the service failed.',
    'Check the URL of the service and the network, then try again.',
  ],
  answer_timeout: [
    network,
    'The service did not respond in time.',
    'ESIGN_TIMEOUT sets the number of seconds to wait for a response.',
  ],
  certificate_refused: [
    network,
    'The certificate of the service is not trusted.',
    'If your network has its own certificate authority, set ESIGN_CA_CERT to a file with its certificate in PEM format.',
  ],
  tls_failed: [
    network,
    'A TLS connection to the service cannot be established.',
    'Check that the service accepts https at this host and port. A service without TLS needs http://, which is accepted only for this machine.',
  ],
  proxy_failed: [
    network,
    'The proxy failed.',
    'Check HTTPS_PROXY (http://NAME:PASSWORD@HOST:PORT). List hosts to reach without the proxy in NO_PROXY.',
  ],
  answer_too_large: [network, 'The response of the service is too large.', 'Check the URL of the service.'],
  answer_unreadable: [
    network,
    'The response is not HTTP.',
    'Check the URL of the service: https or http, host and port.',
  ],

  // ── the program itself ────────────────────────────────────────────────────────────────────────────────────────────
  program_replaced: [
    unexpected,
    'The files of esign were replaced by another version while it was running, so that no document can be opened.',
    'Run the command again. Restart a program that keeps running, such as `esign mcp`.',
  ],
  output_failed: [OUTPUT_FAILED.exit, 'The output cannot be written.', OUTPUT_FAILED.hint],
  unexpected: [
    unexpected,
    'An unexpected error.',
    'This is a bug in esign. Run again with --debug, and report it with `esign doctor --report FILE`.',
  ],
} as const satisfies Record<string, CodeRow> & Record<CodeBelow, Required<CodeRow>>;

/** Codes of layers that say what is wrong, and not what to do. Errors with the excluded ones bring a hint for their value. */
type CodeBelow =
  | Exclude<ConfigErrorCode, 'value_invalid' | 'variable_invalid' | 'profile_conflict'>
  | CredentialsErrorCode
  | DatabaseErrorCode
  | UntrustedError['code']
  | (typeof CODE_OF_FAILURE)[keyof typeof CODE_OF_FAILURE];

export type ErrorCode = keyof typeof ERROR_CODES;

/** After an error with one of these codes, the same command may succeed. */
export const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'calls_too_many',
  'plan_in_use',
  'download_damaged',
  'application_unknown',
  'login_timeout',
  'storage_unavailable',
  'storage_full',
  'locked',
  'connection_failed',
  'answer_timeout',
]);
