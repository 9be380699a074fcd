// Written by `npm run generate` from the files of commands/. Do not edit.
import type { Leaf } from './command/tree.ts';

export const COMMANDS: Readonly<Record<string, Leaf>> = {
  "api": {
    summary: "Make an authenticated API request",
    load: async () => (await import('./commands/api.ts')).command,
  },
  "api routes": {
    summary: "List the API operations and their paths",
    load: async () => (await import('./commands/api.ts')).commands.routes,
  },
  "commands": {
    summary: "List all commands",
    load: async () => (await import('./commands/commands.ts')).command,
  },
  "completion": {
    summary: "Generate shell completion scripts",
    load: async () => (await import('./commands/completion.ts')).command,
  },
  "config get": {
    summary: "Print a setting",
    load: async () => (await import('./commands/config.ts')).commands.get,
  },
  "config list": {
    summary: "List all settings",
    load: async () => (await import('./commands/config.ts')).commands.list,
  },
  "config path": {
    summary: "Print the location of the configuration file",
    load: async () => (await import('./commands/config.ts')).commands.path,
  },
  "config set": {
    summary: "Change a setting",
    load: async () => (await import('./commands/config.ts')).commands.set,
  },
  "config unset": {
    summary: "Remove a setting",
    load: async () => (await import('./commands/config.ts')).commands.unset,
  },
  "doctor": {
    summary: "Check this machine, profile and connection for problems",
    load: async () => (await import('./commands/doctor.ts')).command,
  },
  "events list": {
    summary: "List events, newest first",
    load: async () => (await import('./commands/events/list.ts')).command,
  },
  "events listen": {
    summary: "Print events as they happen, and optionally forward them to a URL",
    load: async () => (await import('./commands/events/listen.ts')).command,
  },
  "events replay": {
    summary: "Send events again",
    load: async () => (await import('./commands/events/replay.ts')).command,
  },
  "events show": {
    summary: "Show an event and its delivery attempts",
    load: async () => (await import('./commands/events/show.ts')).command,
  },
  "events trigger": {
    summary: "Trigger an event in the sandbox",
    load: async () => (await import('./commands/events/trigger.ts')).command,
  },
  "help": {
    summary: "Show help for a command or topic",
    load: async () => (await import('./commands/help.ts')).command,
  },
  "login": {
    summary: "Log in to a signature service",
    load: async () => (await import('./commands/login.ts')).command,
  },
  "logout": {
    summary: "Log out of a signature service",
    load: async () => (await import('./commands/logout.ts')).command,
  },
  "mcp": {
    summary: "Serve the Model Context Protocol to a program with a language model",
    load: async () => (await import('./commands/mcp.ts')).command,
  },
  "profile create": {
    summary: "Create a connection profile",
    load: async () => (await import('./commands/profile.ts')).commands.create,
  },
  "profile delete": {
    summary: "Delete a profile and its stored login",
    load: async () => (await import('./commands/profile.ts')).commands.delete,
  },
  "profile list": {
    summary: "List connection profiles",
    load: async () => (await import('./commands/profile.ts')).commands.list,
  },
  "profile use": {
    summary: "Switch the active profile",
    load: async () => (await import('./commands/profile.ts')).commands.use,
  },
  "sandbox apps create": {
    summary: "Register an OAuth application",
    load: async () => (await import('./commands/sandbox/apps.ts')).commands.create,
  },
  "sandbox apps delete": {
    summary: "Delete an OAuth application",
    load: async () => (await import('./commands/sandbox/apps.ts')).commands.delete,
  },
  "sandbox apps list": {
    summary: "List the OAuth applications",
    load: async () => (await import('./commands/sandbox/apps.ts')).commands.list,
  },
  "sandbox apps rotate": {
    summary: "Replace the secret that signs the notifications of an OAuth application",
    load: async () => (await import('./commands/sandbox/apps.ts')).commands.rotate,
  },
  "sandbox ca export": {
    summary: "Export the root certificate of sealed documents",
    load: async () => (await import('./commands/sandbox/ca.ts')).commands.export,
  },
  "sandbox ca issue": {
    summary: "Issue a TLS certificate for a server on this machine",
    load: async () => (await import('./commands/sandbox/ca.ts')).commands.issue,
  },
  "sandbox clock advance": {
    summary: "Advance the clock of the sandbox, and do what becomes due",
    load: async () => (await import('./commands/sandbox/clock.ts')).commands.advance,
  },
  "sandbox clock pause": {
    summary: "Stop the clock of the sandbox",
    load: async () => (await import('./commands/sandbox/clock.ts')).commands.pause,
  },
  "sandbox clock reset": {
    summary: "Set the clock of the sandbox to real time",
    load: async () => (await import('./commands/sandbox/clock.ts')).commands.reset,
  },
  "sandbox clock resume": {
    summary: "Let the clock of the sandbox run again",
    load: async () => (await import('./commands/sandbox/clock.ts')).commands.resume,
  },
  "sandbox clock set": {
    summary: "Set the clock of the sandbox, forward or back",
    load: async () => (await import('./commands/sandbox/clock.ts')).commands.set,
  },
  "sandbox clock show": {
    summary: "Show the time by the clock of the sandbox",
    load: async () => (await import('./commands/sandbox/clock.ts')).commands.show,
  },
  "sandbox exec": {
    summary: "Run a command with a new sandbox that is served for it",
    load: async () => (await import('./commands/sandbox/exec.ts')).command,
  },
  "sandbox expire": {
    summary: "Make a started transaction of the sandbox expire now",
    load: async () => (await import('./commands/sandbox.ts')).commands.expire,
  },
  "sandbox export": {
    summary: "Export the sandbox to a file",
    load: async () => (await import('./commands/sandbox/export.ts')).command,
  },
  "sandbox faults add": {
    summary: "Make requests or deliveries of the sandbox fail",
    load: async () => (await import('./commands/sandbox/faults.ts')).commands.add,
  },
  "sandbox faults clear": {
    summary: "Remove all faults of the sandbox",
    load: async () => (await import('./commands/sandbox/faults.ts')).commands.clear,
  },
  "sandbox faults list": {
    summary: "List the faults of the sandbox",
    load: async () => (await import('./commands/sandbox/faults.ts')).commands.list,
  },
  "sandbox import": {
    summary: "Import an exported sandbox",
    load: async () => (await import('./commands/sandbox/import.ts')).command,
  },
  "sandbox mailbox list": {
    summary: "List the emails of the sandbox, newest first",
    load: async () => (await import('./commands/sandbox/mailbox.ts')).commands.list,
  },
  "sandbox mailbox open": {
    summary: "Open the mailbox, or one of its emails, in the browser",
    load: async () => (await import('./commands/sandbox/mailbox.ts')).commands.open,
  },
  "sandbox mailbox show": {
    summary: "Show an email",
    load: async () => (await import('./commands/sandbox/mailbox.ts')).commands.show,
  },
  "sandbox open": {
    summary: "Open the dashboard of the sandbox in the browser",
    load: async () => (await import('./commands/sandbox.ts')).commands.open,
  },
  "sandbox reject": {
    summary: "Reject as the current recipient in the sandbox",
    load: async () => (await import('./commands/sandbox.ts')).commands.reject,
  },
  "sandbox reset": {
    summary: "Delete all data in the sandbox",
    load: async () => (await import('./commands/sandbox/reset.ts')).command,
  },
  "sandbox seed": {
    summary: "Create what a file describes in the sandbox",
    load: async () => (await import('./commands/sandbox.ts')).commands.seed,
  },
  "sandbox serve": {
    summary: "Serve the sandbox over HTTP until stopped",
    load: async () => (await import('./commands/sandbox/serve.ts')).command,
  },
  "sandbox sign": {
    summary: "Sign as the current recipient in the sandbox",
    load: async () => (await import('./commands/sandbox.ts')).commands.sign,
  },
  "sandbox snapshot delete": {
    summary: "Delete a snapshot of the sandbox",
    load: async () => (await import('./commands/sandbox/snapshot.ts')).commands.delete,
  },
  "sandbox snapshot list": {
    summary: "List the snapshots of the sandbox",
    load: async () => (await import('./commands/sandbox/snapshot.ts')).commands.list,
  },
  "sandbox snapshot restore": {
    summary: "Restore a saved state of the sandbox",
    load: async () => (await import('./commands/sandbox/snapshot.ts')).commands.restore,
  },
  "sandbox snapshot save": {
    summary: "Save the state of the sandbox",
    load: async () => (await import('./commands/sandbox/snapshot.ts')).commands.save,
  },
  "sandbox status": {
    summary: "Show the URL of the sandbox and what it contains",
    load: async () => (await import('./commands/sandbox.ts')).commands.status,
  },
  "sandbox template save": {
    summary: "Save a transaction as a template",
    load: async () => (await import('./commands/sandbox/template.ts')).commands.save,
  },
  "sandbox token": {
    summary: "Create access tokens and authorization codes",
    load: async () => (await import('./commands/sandbox/token.ts')).command,
  },
  "sandbox users add": {
    summary: "Add a user to the sandbox",
    load: async () => (await import('./commands/sandbox/users.ts')).commands.add,
  },
  "sandbox users list": {
    summary: "List the users of the sandbox",
    load: async () => (await import('./commands/sandbox/users.ts')).commands.list,
  },
  "sandbox users password": {
    summary: "Set a user's dashboard password",
    load: async () => (await import('./commands/sandbox/users.ts')).commands.password,
  },
  "sandbox users verify": {
    summary: "Verify a user who registered, so that their emails are sent",
    load: async () => (await import('./commands/sandbox/users.ts')).commands.verify,
  },
  "serve": {
    summary: "Serve a team from PostgreSQL",
    load: async () => (await import('./commands/serve.ts')).command,
  },
  "serve ca": {
    summary: "Print the root certificate of a team server",
    load: async () => (await import('./commands/serve.ts')).commands.ca,
  },
  "serve migrate": {
    summary: "Update the tables of a team server",
    load: async () => (await import('./commands/serve.ts')).commands.migrate,
  },
  "serve user add": {
    summary: "Add a user to a team server",
    load: async () => (await import('./commands/serve/user.ts')).commands.add,
  },
  "serve user disable": {
    summary: "Disable a user of a team server, and end all access",
    load: async () => (await import('./commands/serve/user.ts')).commands.disable,
  },
  "serve user list": {
    summary: "List the users of a team server",
    load: async () => (await import('./commands/serve/user.ts')).commands.list,
  },
  "serve user password": {
    summary: "Set the password of a user of a team server",
    load: async () => (await import('./commands/serve/user.ts')).commands.password,
  },
  "store backup": {
    summary: "Back up a sandbox or a team server to a file",
    load: async () => (await import('./commands/store.ts')).commands.backup,
  },
  "store copy": {
    summary: "Copy a sandbox or a team server to another place",
    load: async () => (await import('./commands/store.ts')).commands.copy,
  },
  "store restore": {
    summary: "Restore a backup to an empty place",
    load: async () => (await import('./commands/store.ts')).commands.restore,
  },
  "templates list": {
    summary: "List templates, newest first",
    load: async () => (await import('./commands/templates.ts')).commands.list,
  },
  "templates show": {
    summary: "Show a template and its fields",
    load: async () => (await import('./commands/templates.ts')).commands.show,
  },
  "token": {
    summary: "Print an access token or refresh token of the login",
    load: async () => (await import('./commands/token.ts')).command,
  },
  "tx cancel": {
    summary: "Cancel a started transaction",
    load: async () => (await import('./commands/tx/cancel.ts')).command,
  },
  "tx create": {
    summary: "Create an empty draft",
    load: async () => (await import('./commands/tx/create.ts')).command,
  },
  "tx download": {
    summary: "Download the sealed documents of a transaction",
    load: async () => (await import('./commands/tx/download.ts')).command,
  },
  "tx fields": {
    summary: "Show the fields of a transaction, or set those of a draft",
    load: async () => (await import('./commands/tx/fields.ts')).command,
  },
  "tx list": {
    summary: "List the transactions that this machine has seen",
    load: async () => (await import('./commands/tx/list.ts')).command,
  },
  "tx open": {
    summary: "Open the signing page in the browser",
    load: async () => (await import('./commands/tx/open.ts')).command,
  },
  "tx preview": {
    summary: "Render pages with their fields as images",
    load: async () => (await import('./commands/tx/preview.ts')).command,
  },
  "tx remind": {
    summary: "Send a reminder to the current recipient",
    load: async () => (await import('./commands/tx/remind.ts')).command,
  },
  "tx send": {
    summary: "Send documents for signature",
    load: async () => (await import('./commands/tx/send.ts')).command,
  },
  "tx show": {
    summary: "Show a transaction",
    load: async () => (await import('./commands/tx/show.ts')).command,
  },
  "tx start": {
    summary: "Start a draft",
    load: async () => (await import('./commands/tx/start.ts')).command,
  },
  "tx text": {
    summary: "Print the words of a document with their positions",
    load: async () => (await import('./commands/tx/text.ts')).command,
  },
  "tx update": {
    summary: "Change the properties, recipients or documents of a draft",
    load: async () => (await import('./commands/tx/update.ts')).command,
  },
  "tx upload": {
    summary: "Upload files and add them to a draft",
    load: async () => (await import('./commands/tx/upload.ts')).command,
  },
  "tx use-template": {
    summary: "Add the content of templates to a draft",
    load: async () => (await import('./commands/tx/use-template.ts')).command,
  },
  "tx wait": {
    summary: "Wait until a transaction reaches a status",
    load: async () => (await import('./commands/tx/wait.ts')).command,
  },
  "verify": {
    summary: "Verify the signatures of PDF files",
    load: async () => (await import('./commands/verify/verify.ts')).command,
  },
  "webhooks create": {
    summary: "Create a webhook",
    load: async () => (await import('./commands/webhooks.ts')).commands.create,
  },
  "webhooks delete": {
    summary: "Delete a webhook",
    load: async () => (await import('./commands/webhooks.ts')).commands.delete,
  },
  "webhooks disable": {
    summary: "Disable a webhook",
    load: async () => (await import('./commands/webhooks.ts')).commands.disable,
  },
  "webhooks enable": {
    summary: "Enable a disabled webhook",
    load: async () => (await import('./commands/webhooks.ts')).commands.enable,
  },
  "webhooks list": {
    summary: "List webhooks, newest first",
    load: async () => (await import('./commands/webhooks.ts')).commands.list,
  },
  "webhooks ping": {
    summary: "Send a test event to a webhook",
    load: async () => (await import('./commands/webhooks.ts')).commands.ping,
  },
  "webhooks rotate": {
    summary: "Replace the secret of a webhook",
    load: async () => (await import('./commands/webhooks.ts')).commands.rotate,
  },
  "webhooks show": {
    summary: "Show a webhook and its recent deliveries",
    load: async () => (await import('./commands/webhooks.ts')).commands.show,
  },
  "whoami": {
    summary: "Show the active profile, account and credentials",
    load: async () => (await import('./commands/whoami.ts')).command,
  },
};
