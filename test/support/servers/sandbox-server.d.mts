// Types of sandbox-server.mjs, which the benches share and which is therefore plain JavaScript.
export type Answer = { status: number; body: { code?: string; detail?: string; id?: string } & Buffer };
export type Detail = { id: string; template: { documents: { pages: { file: { id: string } }[] }[] } };
export type SandboxServer = {
  url: string;
  token: string;
  pid: number;
  ofCompany(name: string): SandboxServer;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<number | NodeJS.Signals>;
  close(): Promise<void>;
};
export declare function startSandboxServer(): Promise<SandboxServer>;
export declare function draftWith(
  served: SandboxServer,
  name: string,
  bytes: Uint8Array,
): Promise<
  { refused: Answer; path?: never; detail?: never } | { refused?: never; path: string; detail: Detail }
>;
export declare function uploadAndShow(
  served: SandboxServer,
  file: { fileName: string; bytes: Uint8Array },
): Promise<{ status: number; code?: string; detail?: string; tookMs: number }>;
export declare function pictureOf(served: SandboxServer, detail: Detail): Promise<Answer>;
export declare function askAgainAndAgain(served: SandboxServer, path: string): { stop(): Promise<number[]> };
export declare function watchMemory(pid: number): { stop(): number };
export declare function enginesOf(pid: number): number[];
export declare function isRunning(pid: number): boolean;
