/** `limit` names the limit that a file passes before a library sees it; without it only time and memory stop the work. */
export type HostileFile = {
  readonly name: string;
  readonly fileName: string;
  readonly kind: 'pdf' | 'png' | 'jpeg';
  readonly limit: string | undefined;
  readonly bytes: Buffer;
};

export declare const HOSTILE: readonly HostileFile[];
