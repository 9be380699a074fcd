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
  blobs: {
    value: 's3://BUCKET',
    summary:
      'Bucket for files, with a prefix if wanted; without it, they are in the database (ESIGN_SERVE_BLOBS)',
  },
  's3-endpoint': {
    value: 'URL',
    summary: "URL of the server of the bucket, where it is not Amazon's (ESIGN_SERVE_S3_ENDPOINT)",
  },
  's3-region': { value: 'REGION', summary: 'Region of the bucket (ESIGN_SERVE_S3_REGION)' },
  's3-path-style': {
    summary: 'Send the bucket in the path of URLs instead of the host name (ESIGN_SERVE_S3_PATH_STYLE)',
  },
  'data-dir': {
    value: 'DIR',
    completes: 'file',
    summary: 'Directory for copies of documents of this node (ESIGN_SERVE_DATA_DIR)',
  },
} as const;
