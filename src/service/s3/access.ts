// How a server of S3 is reached, and with which keys.
export type S3Keys = {
  accessKeyId: string;
  /** A secret, as the token is. Must not be printed. */
  secretAccessKey: string;
  sessionToken: string | undefined;
};

export type S3Access = {
  /** The URL of the server; undefined for Amazon's own. */
  endpoint: string | undefined;
  region: string;
  /** Whether the bucket is in the path of each URL instead of its host name. */
  isPathStyle: boolean;
  /** Reads the keys again; undefined where they cannot change. */
  readKeys?: (() => Promise<S3Keys>) | undefined;
} & S3Keys;
