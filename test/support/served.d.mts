export type Answer = { status: number; body: { code?: string; detail?: string; id?: string } & Buffer };
export type Detail = { id: string; template: { documents: { pages: { file: { id: string } }[] }[] } };
export type Served = {
  url: string;
  token: string;
  pid: number;
  ofCompany(name: string): Served;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<number | NodeJS.Signals>;
  close(): Promise<void>;
};
export declare function startServed(): Promise<Served>;
export declare function draftWith(
  served: Served,
  name: string,
  bytes: Uint8Array,
): Promise<
  { refused: Answer; path?: never; detail?: never } | { refused?: never; path: string; detail: Detail }
>;
export declare function uploadAndShow(
  served: Served,
  file: { fileName: string; bytes: Uint8Array },
): Promise<{ status: number; code?: string; detail?: string; tookMs: number }>;
export declare function pictureOf(served: Served, detail: Detail): Promise<Answer>;
export declare function askAgainAndAgain(served: Served, path: string): { stop(): Promise<number[]> };
export declare function watchMemory(pid: number): { stop(): number };
export declare function enginesOf(pid: number): number[];
export declare function isRunning(pid: number): boolean;
