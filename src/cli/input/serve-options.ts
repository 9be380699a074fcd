// The options by which every command of a team server finds its installation.
export const DATABASE_OPTIONS = {
  database: {
    value: 'URL',
    summary: 'PostgreSQL database, such as postgres://USER:PASSWORD@HOST/DATABASE (ESIGN_SERVE_DATABASE)',
  },
  'key-file': {
    value: 'FILE',
    completes: 'file',
    summary: 'File with the key of the installation, 64 hexadecimal digits (ESIGN_SERVE_KEY_FILE)',
  },
  'data-dir': {
    value: 'DIR',
    completes: 'file',
    summary: 'Directory for copies of documents of this node (ESIGN_SERVE_DATA_DIR)',
  },
  'no-migrate': { summary: 'Reject tables of an older version instead of updating them' },
} as const;
