// The tree of commands: names, one line each, and where a command is loaded from. The path of a command is the path
// of its file. Nothing is loaded until a command is named.
import type { Command } from './command/command.ts';
import type { Leaf, Tree } from './command/tree.ts';

const leaf = (summary: string, load: () => Promise<{ command: Command }>): Leaf => ({
  summary,
  load: async () => (await load()).command,
});

export const TREE: Tree = {
  login: leaf('link an account of a service', () => import('./commands/login/login.ts')),
  logout: leaf('forget a login', () => import('./commands/logout/logout.ts')),
  whoami: leaf('say as whom and where commands run', () => import('./commands/whoami/whoami.ts')),
  tx: {
    summary: 'send documents for signature and follow them',
    children: {
      send: leaf('send files for signature', () => import('./commands/tx/send/send.ts')),
      create: leaf('create an empty draft', () => import('./commands/tx/create.ts')),
      update: leaf('change what is named of a draft', () => import('./commands/tx/update/update.ts')),
      upload: leaf('upload files and add them to a draft', () => import('./commands/tx/upload/upload.ts')),
      fields: leaf('show or set what recipients fill in', () => import('./commands/tx/fields/fields.ts')),
      start: leaf('start a draft', () => import('./commands/tx/start/start.ts')),
      cancel: leaf('cancel what was started', () => import('./commands/tx/cancel.ts')),
      list: leaf(
        'list the transactions this machine has touched',
        () => import('./commands/tx/list/list.ts'),
      ),
      wait: leaf('wait until everybody has signed', () => import('./commands/tx/wait.ts')),
      show: leaf('show a transaction', () => import('./commands/tx/show/show.ts')),
      download: leaf(
        'download the sealed documents of a completed transaction',
        () => import('./commands/tx/download/download.ts'),
      ),
      preview: leaf('draw the pages with their fields', () => import('./commands/tx/preview/preview.ts')),
      open: leaf('open the signing page in the browser', () => import('./commands/tx/open.ts')),
      'use-template': leaf(
        'add the content of templates to a draft',
        () => import('./commands/tx/use-template.ts'),
      ),
    },
  },
  verify: leaf('verify the signatures of PDF files', () => import('./commands/verify/verify.ts')),
  templates: {
    summary: 'read templates',
    children: {
      list: leaf('list templates', () => import('./commands/templates/list.ts')),
      show: leaf('show a template and its fields', () => import('./commands/templates/show.ts')),
    },
  },
  webhooks: {
    summary: 'have events sent to an address',
    children: {
      create: leaf('create a webhook', () => import('./commands/webhooks/create.ts')),
      list: leaf('list webhooks', () => import('./commands/webhooks/list.ts')),
      delete: leaf('delete a webhook', () => import('./commands/webhooks/delete.ts')),
    },
  },
  sandbox: {
    summary: 'the service inside: serve it, act in it',
    children: {
      serve: leaf(
        'answer at the address of the sandbox until stopped',
        () => import('./commands/sandbox/serve/serve.ts'),
      ),
      status: leaf('count what is in the sandbox', () => import('./commands/sandbox/status.ts')),
      reset: leaf('empty the sandbox', () => import('./commands/sandbox/reset.ts')),
      sign: leaf('sign as the recipient whose turn it is', () => import('./commands/sandbox/sign.ts')),
      reject: leaf('reject as the recipient whose turn it is', () => import('./commands/sandbox/reject.ts')),
      token: leaf(
        'issue an access token without a browser',
        () => import('./commands/sandbox/token/token.ts'),
      ),
      users: {
        summary: 'users of the sandbox',
        children: {
          add: leaf('add a user', () => import('./commands/sandbox/users/add.ts')),
          list: leaf('list the users', () => import('./commands/sandbox/users/list.ts')),
          password: leaf(
            'give a user a password for the dashboard',
            () => import('./commands/sandbox/users/password.ts'),
          ),
        },
      },
      apps: {
        summary: 'client applications of the sandbox',
        children: {
          create: leaf('register a client application', () => import('./commands/sandbox/apps/create.ts')),
          list: leaf('list the client applications', () => import('./commands/sandbox/apps/list.ts')),
          delete: leaf('delete a client application', () => import('./commands/sandbox/apps/delete.ts')),
        },
      },
      ca: {
        summary: 'the authority of the sandbox, which documents are sealed with',
        children: {
          export: leaf(
            'write the root certificate that the sandbox seals documents with',
            () => import('./commands/sandbox/ca/export.ts'),
          ),
        },
      },
      template: {
        summary: 'templates of the sandbox',
        children: {
          save: leaf(
            'save a transaction as a reusable template',
            () => import('./commands/sandbox/template/save.ts'),
          ),
        },
      },
    },
  },
  profile: {
    summary: 'services that this machine knows',
    children: {
      list: leaf('list the profiles', () => import('./commands/profile/list.ts')),
      create: leaf('make a profile of a service', () => import('./commands/profile/create.ts')),
      use: leaf('use a profile from now on', () => import('./commands/profile/use.ts')),
      delete: leaf('delete a profile and its login', () => import('./commands/profile/delete.ts')),
    },
  },
  config: {
    summary: 'settings of profiles',
    children: {
      get: leaf('print a setting', () => import('./commands/config/get.ts')),
      set: leaf('change a setting', () => import('./commands/config/set.ts')),
      unset: leaf('remove a setting', () => import('./commands/config/unset.ts')),
      list: leaf('list what is set', () => import('./commands/config/list.ts')),
      path: leaf('print where settings are stored', () => import('./commands/config/path.ts')),
    },
  },
  completion: leaf(
    'print what makes TAB work in a shell',
    () => import('./commands/completion/completion.ts'),
  ),
  api: {
    ...leaf('call an operation of the service', () => import('./commands/api/api.ts')),
    children: {
      routes: leaf('list the operations and their addresses', () => import('./commands/api/routes.ts')),
    },
  },
  doctor: leaf('look for what is wrong here', () => import('./commands/doctor/doctor.ts')),
  help: leaf('help on a command or a topic', () => import('./commands/help.ts')),
  commands: leaf('list every command', () => import('./commands/commands.ts')),
};
