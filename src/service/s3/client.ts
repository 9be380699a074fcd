// Stores, reads and removes objects of one bucket. Each request is signed (Signature Version 4), has a time limit, and is sent again with
// growing pauses where the server or the connection failed: all of them may be repeated without harm.
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { Instant } from '../../common/instant.ts';
import { sha256Of } from '../../common/sha256.ts';
import { type HttpResponse, sendRequest } from '../../http/send-request.ts';
import { explainFailure, isAboutKeys, isTemporary, type S3Access, type S3Keys } from './failures.ts';

export type S3Facts = { now: () => Instant; random: (bytes: number) => Uint8Array };

type S3Body = {
  /** In hex. The server refuses other bytes. */
  sha256: string;
  sizeBytes: number;
  /** Called for each try. */
  read(): AsyncIterable<Uint8Array>;
};

export type S3Client = {
  /** `s3://BUCKET/PREFIX`, for messages. */
  location: string;
  /** Stores an object durably; one with this name is replaced. */
  put(name: string, body: S3Body): Promise<void>;
  /** Reads an object, some megabytes at a time; nothing comes of one that is missing. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** Removes an object, if it is there. */
  remove(name: string): Promise<void>;
};

/** How long a client waits for a server, and how often. */
export type S3Limits = {
  /** How often a request is sent at most. */
  tries: number;
  /** How often a request that is not answered in time is sent at most: a try takes long, and a client of the service waits meanwhile. */
  lateTries: number;
  /** For a try, and for each megabyte of its body in addition. */
  timeoutMs: number;
  msPerMegabyte: number;
};

/** A file of 10 MB takes two minutes at most, which is less than proxies in front of a node wait. */
const USUAL_LIMITS: S3Limits = { tries: 4, lateTries: 2, timeoutMs: 10_000, msPerMegabyte: 5000 };

/** Doubled with each try, and shortened by up to a half, so that nodes do not come back at the same moment. */
const FIRST_PAUSE_MS = 250;

/**
 * A sweep removes objects within a commit, so that no node names one of them again meanwhile. All tries have to be over before the database ends
 * a connection that does nothing (30 s): otherwise a try could remove what was stored anew, and uploads of the same file would wait.
 */
const REMOVING: S3Limits = { tries: 2, lateTries: 1, timeoutMs: 4000, msPerMegabyte: 0 };

/** For a try. All tries together stay below the hour after which a sweep may remove what was begun. */
const LONGEST_MS = 10 * 60_000;

/** Read with one request: this much of an object is in memory. */
const RANGE_BYTES = 4 * 1024 * 1024;

const MEGABYTE = 1024 * 1024;

/** An error is a short text of XML. */
const ERROR_BYTES = 64 * 1024;

type Request = {
  method: 'GET' | 'PUT' | 'DELETE';
  name: string;
  headers?: Record<string, string>;
  body?: S3Body;
  /** Statuses beside 200 to 299 that are an answer. */
  expected?: readonly number[];
};

/** @throws StoreError, UnavailableError from each of its functions */
export function createS3Client(
  location: string,
  access: S3Access,
  facts: S3Facts,
  limits: S3Limits = USUAL_LIMITS,
): S3Client {
  const send = createSender(location, access, facts, limits);
  return {
    location,
    async put(name, body) {
      const checksum = Buffer.from(body.sha256, 'hex').toString('base64');
      await send({ method: 'PUT', name, body, headers: { 'x-amz-checksum-sha256': checksum } });
    },
    async *read(name) {
      for (let start = 0; ; start += RANGE_BYTES) {
        const range = `bytes=${start}-${start + RANGE_BYTES - 1}`;
        // 416: it ends before this range.
        const { status, body } = await send({
          method: 'GET',
          name,
          headers: { range },
          expected: [404, 416],
        });
        if (status === 404 && isMissingBucket(body))
          throw explainFailure({ status, body }, { location, access });
        if (status === 404 || status === 416) return;
        yield new Uint8Array(body);
        if (status === 200 || body.length < RANGE_BYTES) return;
      }
    },
    async remove(name) {
      await send({ method: 'DELETE', name, expected: [404] });
    },
  };
}

/** Keys in files may have been written anew. @returns those in use where there are no others */
async function readNewKeys({ readKeys }: S3Access, used: S3Keys): Promise<S3Keys> {
  // A file that cannot be read at this moment is read again with the next refusal.
  const read = (await readKeys?.().catch(() => undefined)) ?? used;
  const isSame =
    read.accessKeyId === used.accessKeyId &&
    read.secretAccessKey === used.secretAccessKey &&
    read.sessionToken === used.sessionToken;
  return isSame ? used : read;
}

type Sender = (request: Request) => Promise<HttpResponse>;

/** Sends signed requests, again where that may help. @throws StoreError, UnavailableError for an answer that is not expected */
function createSender(location: string, access: S3Access, facts: S3Facts, limits: S3Limits): Sender {
  const urlOf = createAddresses(location, access);

  const limitsOf = ({ method }: Request): S3Limits =>
    method === 'DELETE' ? { ...REMOVING, timeoutMs: Math.min(REMOVING.timeoutMs, limits.timeoutMs) } : limits;

  let keys: S3Keys = access;

  async function sendOnce(request: Request): Promise<HttpResponse> {
    const { method, name, headers, body } = request;
    const { timeoutMs, msPerMegabyte } = limitsOf(request);
    const sha256 = body?.sha256 ?? EMPTY_SHA256;
    const signed = await new AwsV4Signer({
      ...keys,
      region: access.region,
      method,
      url: urlOf(name),
      service: 's3',
      datetime: facts.now().replace(/[:-]|\.\d{3}/g, ''),
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      sessionToken: keys.sessionToken ?? '',
    }).sign();
    return sendRequest({
      method,
      url: signed.url,
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(body && { 'content-length': `${body.sizeBytes}` }),
      },
      body: body && Readable.from(body.read(), { objectMode: false }),
      timeoutMs: Math.min(
        LONGEST_MS,
        timeoutMs + Math.ceil((body?.sizeBytes ?? RANGE_BYTES) / MEGABYTE) * msPerMegabyte,
      ),
      maxBytes: (status) => (isSuccess(status) ? RANGE_BYTES : ERROR_BYTES),
    });
  }

  async function send(request: Request): Promise<HttpResponse> {
    const { tries, lateTries } = limitsOf(request);
    let [late, isRenewed] = [0, false];
    for (let tried = 1; ; tried += 1) {
      const used = keys;
      const response = await sendOnce(request);
      const { status } = response;
      const isAnswered = status !== null && !response.error && !response.isLate && !response.isTooLarge;
      if (isAnswered && (isSuccess(status) || request.expected?.includes(status))) return response;
      if (!isRenewed && isAboutKeys(response)) {
        isRenewed = true;
        keys = await readNewKeys(access, keys);
        if (keys !== used) continue;
      }
      if (response.isLate) late += 1;
      if (tried >= tries || late >= lateTries || !isTemporary(response))
        throw explainFailure(response, { location, access });
      const [dice = 0] = facts.random(1);
      await pause(FIRST_PAUSE_MS * 2 ** (tried - 1) * (1 - dice / 512));
    }
  }

  return send;
}

const EMPTY_SHA256 = sha256Of(new Uint8Array());

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const isMissingBucket = (body: Uint8Array): boolean =>
  new TextDecoder().decode(body).includes('<Code>NoSuchBucket<');

/** @returns the URL of an object. The bucket is the host, or the beginning of the path. */
function createAddresses(
  location: string,
  { endpoint, region, isPathStyle }: S3Access,
): (name: string) => string {
  const { hostname: bucket, pathname } = new URL(location);
  const server = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const root = isPathStyle ? `${server.origin}/${bucket}` : `${server.protocol}//${bucket}.${server.host}`;
  return (name) => `${root}${pathname.replace(/\/$/, '')}/${name}`;
}
