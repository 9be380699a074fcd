// The tree of commands: their names, one line about each, and the file of each, whose path is that of the command. A command
// is loaded when it is named.
import type { Command } from './command/command.ts';
import type { Leaf, Tree } from './command/tree.ts';

const leaf = (summary: string, load: () => Promise<{ command: Command }>): Leaf => ({
  summary,
  load: async () => (await load()).command,
});

/** Headings of the main help, in their order. The help fits on 24 lines, so commands that are not core share lines. */
const CORE = { group: 'CORE COMMANDS' };
const OTHER = 'OTHER COMMANDS';
const SERVICE = { ...CORE, row: 'Run the service: offline, or for a team' };
const ACCOUNT = { group: OTHER, row: 'Log in to a service, and print credentials' };
const SETUP = { group: OTHER, row: 'Manage settings, and set up completion' };
const TOOLS = { group: OTHER, row: 'Find problems, send API requests, and get help' };

/** Headings of `esign tx --help`. */
const SENDING = 'SEND AND TRACK';
const DRAFTS = 'WORK WITH DRAFTS';

export const TREE: Tree = {
  tx: {
    ...CORE,
    summary: 'Send documents for signature and track them',
    details:
      'A transaction is one or more documents sent to one or more recipients for signature. Recipients sign ' +
      'one after another; the current recipient is the one who is asked to sign now. A draft is a ' +
      'transaction that has not been started yet.',
    children: {
      send: {
        group: SENDING,
        ...leaf('Send documents for signature', () => import('./commands/tx/send/send.ts')),
      },
      list: {
        group: SENDING,
        ...leaf(
          'List the transactions that this machine has seen',
          () => import('./commands/tx/list/list.ts'),
        ),
      },
      show: { group: SENDING, ...leaf('Show a transaction', () => import('./commands/tx/show/show.ts')) },
      wait: {
        group: SENDING,
        ...leaf('Wait until a transaction reaches a status', () => import('./commands/tx/wait.ts')),
      },
      open: {
        group: SENDING,
        ...leaf('Open the signing page in the browser', () => import('./commands/tx/open.ts')),
      },
      remind: {
        group: SENDING,
        ...leaf('Send a reminder to the current recipient', () => import('./commands/tx/remind.ts')),
      },
      cancel: {
        group: SENDING,
        ...leaf('Cancel a started transaction', () => import('./commands/tx/cancel.ts')),
      },
      download: {
        group: SENDING,
        ...leaf(
          'Download the sealed documents of a transaction',
          () => import('./commands/tx/download/download.ts'),
        ),
      },
      create: { group: DRAFTS, ...leaf('Create an empty draft', () => import('./commands/tx/create.ts')) },
      update: {
        group: DRAFTS,
        ...leaf(
          'Change the properties, recipients or documents of a draft',
          () => import('./commands/tx/update/update.ts'),
        ),
      },
      upload: {
        group: DRAFTS,
        ...leaf('Upload files and add them to a draft', () => import('./commands/tx/upload/upload.ts')),
      },
      'use-template': {
        group: DRAFTS,
        ...leaf('Add the content of templates to a draft', () => import('./commands/tx/use-template.ts')),
      },
      fields: {
        group: DRAFTS,
        ...leaf(
          'Show the fields of a transaction, or set those of a draft',
          () => import('./commands/tx/fields/fields.ts'),
        ),
      },
      preview: {
        group: DRAFTS,
        ...leaf('Render pages with their fields as images', () => import('./commands/tx/preview/preview.ts')),
      },
      text: {
        group: DRAFTS,
        ...leaf(
          'Print the words of a document with their positions',
          () => import('./commands/tx/text/text.ts'),
        ),
      },
      start: { group: DRAFTS, ...leaf('Start a draft', () => import('./commands/tx/start/start.ts')) },
    },
  },
  templates: {
    ...CORE,
    summary: 'List and view templates',
    details:
      'A template is the documents, recipients and fields of a transaction, to be sent again with `esign tx send --template`. A transaction is ' +
      'saved as a template on its page in the dashboard, or in the sandbox with `esign sandbox template save`.',
    children: {
      list: leaf('List templates, newest first', () => import('./commands/templates/list.ts')),
      show: leaf('Show a template and its fields', () => import('./commands/templates/show.ts')),
    },
  },
  webhooks: {
    ...CORE,
    summary: 'Manage webhooks',
    children: {
      create: leaf('Create a webhook', () => import('./commands/webhooks/create.ts')),
      list: leaf('List webhooks, newest first', () => import('./commands/webhooks/list.ts')),
      show: leaf('Show a webhook and its recent deliveries', () => import('./commands/webhooks/show.ts')),
      enable: leaf('Enable a disabled webhook', () => import('./commands/webhooks/enable.ts')),
      disable: leaf('Disable a webhook', () => import('./commands/webhooks/disable.ts')),
      rotate: leaf('Replace the secret of a webhook', () => import('./commands/webhooks/rotate.ts')),
      ping: leaf('Send a test event to a webhook', () => import('./commands/webhooks/ping.ts')),
      delete: leaf('Delete a webhook', () => import('./commands/webhooks/delete.ts')),
    },
  },
  events: {
    ...CORE,
    summary: 'View, forward and replay events',
    children: {
      listen: leaf(
        'Print events as they happen, and optionally forward them to a URL',
        () => import('./commands/events/listen/listen.ts'),
      ),
      trigger: leaf('Trigger an event in the sandbox', () => import('./commands/events/trigger/trigger.ts')),
      list: leaf('List events, newest first', () => import('./commands/events/list.ts')),
      show: leaf('Show an event and its delivery attempts', () => import('./commands/events/show.ts')),
      replay: leaf('Send events again', () => import('./commands/events/replay.ts')),
    },
  },
  verify: {
    ...CORE,
    ...leaf('Verify the signatures of PDF files', () => import('./commands/verify/verify.ts')),
  },
  login: {
    ...ACCOUNT,
    ...leaf('Log in to a signature service', () => import('./commands/login/login.ts')),
  },
  logout: {
    ...ACCOUNT,
    ...leaf('Log out of a signature service', () => import('./commands/logout/logout.ts')),
  },
  whoami: {
    ...ACCOUNT,
    ...leaf('Show the active profile, account and credentials', () => import('./commands/whoami/whoami.ts')),
  },
  token: {
    ...ACCOUNT,
    ...leaf('Print an access token or refresh token of the login', () => import('./commands/token/token.ts')),
  },
  profile: {
    ...SETUP,
    summary: 'Manage connection profiles',
    children: {
      list: leaf('List connection profiles', () => import('./commands/profile/list.ts')),
      create: leaf('Create a connection profile', () => import('./commands/profile/create.ts')),
      use: leaf('Switch the active profile', () => import('./commands/profile/use.ts')),
      delete: leaf('Delete a profile and its stored login', () => import('./commands/profile/delete.ts')),
    },
  },
  config: {
    ...SETUP,
    summary: 'Manage settings and aliases',
    children: {
      get: leaf('Print a setting', () => import('./commands/config/get.ts')),
      set: leaf('Change a setting', () => import('./commands/config/set.ts')),
      unset: leaf('Remove a setting', () => import('./commands/config/unset.ts')),
      list: leaf('List all settings', () => import('./commands/config/list.ts')),
      path: leaf('Print the location of the configuration file', () => import('./commands/config/path.ts')),
    },
  },
  doctor: {
    ...TOOLS,
    ...leaf(
      'Check this machine, profile and connection for problems',
      () => import('./commands/doctor/doctor.ts'),
    ),
  },
  sandbox: {
    ...SERVICE,
    summary: 'Run and control the offline sandbox',
    children: {
      serve: leaf(
        'Serve the sandbox over HTTP until stopped',
        () => import('./commands/sandbox/serve/serve.ts'),
      ),
      exec: leaf(
        'Run a command with a new sandbox that is served for it',
        () => import('./commands/sandbox/exec/exec.ts'),
      ),
      open: leaf(
        'Open the dashboard of the sandbox in the browser',
        () => import('./commands/sandbox/open.ts'),
      ),
      status: leaf(
        'Show the URL of the sandbox and what it contains',
        () => import('./commands/sandbox/status.ts'),
      ),
      seed: leaf('Create what a file describes in the sandbox', () => import('./commands/sandbox/seed.ts')),
      reset: leaf('Delete all data in the sandbox', () => import('./commands/sandbox/reset.ts')),
      export: leaf('Export the sandbox to a file', () => import('./commands/sandbox/export.ts')),
      import: leaf('Import an exported sandbox', () => import('./commands/sandbox/import.ts')),
      sign: leaf('Sign as the current recipient in the sandbox', () => import('./commands/sandbox/sign.ts')),
      reject: leaf(
        'Reject as the current recipient in the sandbox',
        () => import('./commands/sandbox/reject.ts'),
      ),
      expire: leaf(
        'Make a started transaction of the sandbox expire now',
        () => import('./commands/sandbox/expire.ts'),
      ),
      clock: {
        summary: 'Show and control the clock of the sandbox',
        children: {
          show: leaf(
            'Show the time by the clock of the sandbox',
            () => import('./commands/sandbox/clock/show.ts'),
          ),
          set: leaf(
            'Set the clock of the sandbox, forward or back',
            () => import('./commands/sandbox/clock/set.ts'),
          ),
          advance: leaf(
            'Advance the clock of the sandbox, and do what becomes due',
            () => import('./commands/sandbox/clock/advance.ts'),
          ),
          pause: leaf('Stop the clock of the sandbox', () => import('./commands/sandbox/clock/pause.ts')),
          resume: leaf(
            'Let the clock of the sandbox run again',
            () => import('./commands/sandbox/clock/resume.ts'),
          ),
          reset: leaf(
            'Set the clock of the sandbox to real time',
            () => import('./commands/sandbox/clock/reset.ts'),
          ),
        },
      },
      faults: {
        summary: 'Make requests and deliveries of the sandbox fail',
        children: {
          add: leaf(
            'Make requests or deliveries of the sandbox fail',
            () => import('./commands/sandbox/faults/add.ts'),
          ),
          list: leaf('List the faults of the sandbox', () => import('./commands/sandbox/faults/list.ts')),
          clear: leaf('Remove all faults of the sandbox', () => import('./commands/sandbox/faults/clear.ts')),
        },
      },
      snapshot: {
        summary: 'Save and restore states of the sandbox',
        children: {
          save: leaf('Save the state of the sandbox', () => import('./commands/sandbox/snapshot/save.ts')),
          restore: leaf(
            'Restore a saved state of the sandbox',
            () => import('./commands/sandbox/snapshot/restore.ts'),
          ),
          list: leaf(
            'List the snapshots of the sandbox',
            () => import('./commands/sandbox/snapshot/list.ts'),
          ),
          delete: leaf(
            'Delete a snapshot of the sandbox',
            () => import('./commands/sandbox/snapshot/delete.ts'),
          ),
        },
      },
      token: leaf(
        'Create access tokens and authorization codes',
        () => import('./commands/sandbox/token/token.ts'),
      ),
      users: {
        summary: 'Manage users of the sandbox',
        children: {
          add: leaf('Add a user to the sandbox', () => import('./commands/sandbox/users/add.ts')),
          list: leaf('List the users of the sandbox', () => import('./commands/sandbox/users/list.ts')),
          verify: leaf(
            'Verify a user who registered, so that their emails are sent',
            () => import('./commands/sandbox/users/verify.ts'),
          ),
          password: leaf(
            "Set a user's dashboard password",
            () => import('./commands/sandbox/users/password.ts'),
          ),
        },
      },
      apps: {
        summary: 'Manage OAuth applications of the sandbox',
        children: {
          create: leaf('Register an OAuth application', () => import('./commands/sandbox/apps/create.ts')),
          list: leaf('List the OAuth applications', () => import('./commands/sandbox/apps/list.ts')),
          rotate: leaf(
            'Replace the secret that signs the notifications of an OAuth application',
            () => import('./commands/sandbox/apps/rotate.ts'),
          ),
          delete: leaf('Delete an OAuth application', () => import('./commands/sandbox/apps/delete.ts')),
        },
      },
      mailbox: {
        summary: 'Read the emails of the sandbox',
        children: {
          list: leaf(
            'List the emails of the sandbox, newest first',
            () => import('./commands/sandbox/mailbox/list.ts'),
          ),
          show: leaf('Show an email', () => import('./commands/sandbox/mailbox/show.ts')),
          open: leaf(
            'Open the mailbox, or one of its emails, in the browser',
            () => import('./commands/sandbox/mailbox/open.ts'),
          ),
        },
      },
      ca: {
        summary: 'Issue and export certificates',
        children: {
          issue: leaf(
            'Issue a TLS certificate for a server on this machine',
            () => import('./commands/sandbox/ca/issue.ts'),
          ),
          export: leaf(
            'Export the root certificate of sealed documents',
            () => import('./commands/sandbox/ca/export.ts'),
          ),
        },
      },
      template: {
        summary: 'Save templates in the sandbox',
        children: {
          save: leaf('Save a transaction as a template', () => import('./commands/sandbox/template/save.ts')),
        },
      },
    },
  },
  serve: {
    ...SERVICE,
    ...leaf('Serve a team from PostgreSQL', () => import('./commands/serve/serve.ts')),
    children: {
      migrate: leaf('Update the tables of a team server', () => import('./commands/serve/migrate.ts')),
      ca: leaf('Print the root certificate of a team server', () => import('./commands/serve/ca.ts')),
      user: {
        summary: 'Manage the users of a team server',
        children: {
          add: leaf('Add a user to a team server', () => import('./commands/serve/user/add.ts')),
          list: leaf('List the users of a team server', () => import('./commands/serve/user/list.ts')),
          password: leaf(
            'Set the password of a user of a team server',
            () => import('./commands/serve/user/password.ts'),
          ),
          disable: leaf(
            'Disable a user of a team server, and end all access',
            () => import('./commands/serve/user/disable.ts'),
          ),
        },
      },
    },
  },
  store: {
    ...SERVICE,
    summary: 'Copy, back up and restore everything that is stored',
    children: {
      copy: leaf(
        'Copy a sandbox or a team server to another place',
        () => import('./commands/store/copy.ts'),
      ),
      backup: leaf(
        'Back up a sandbox or a team server to a file',
        () => import('./commands/store/backup.ts'),
      ),
      restore: leaf('Restore a backup to an empty place', () => import('./commands/store/restore.ts')),
    },
  },
  api: {
    ...TOOLS,
    ...leaf('Make an authenticated API request', () => import('./commands/api/api.ts')),
    children: {
      routes: leaf('List the API operations and their paths', () => import('./commands/api/routes.ts')),
    },
  },
  completion: {
    ...SETUP,
    ...leaf('Generate shell completion scripts', () => import('./commands/completion/completion.ts')),
  },
  commands: { ...TOOLS, ...leaf('List all commands', () => import('./commands/commands.ts')) },
  help: {
    ...TOOLS,
    ...leaf('Show help for a command or topic', () => import('./commands/help.ts')),
  },
};
