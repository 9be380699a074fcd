// Calls the handler of an operation, with the context of this one request.
import type { ReadCache } from '../../database/database.ts';
import type { RequestContext, Result, Upload } from '../context.ts';
import { handlerOf } from '../operations/handlers.ts';
import type { Tables } from '../store/schema.ts';
import { commitOf } from './idempotency.ts';
import type { Caller, HandlerResult, PipelineOptions, RoutedRequest } from './request.ts';
import { PlainContext } from './request-context.ts';

export async function handle(
  asked: RoutedRequest,
  cache: ReadCache<Tables>,
  options: PipelineOptions,
): Promise<HandlerResult> {
  const handler = await handlerOf(asked.id);
  const context = new CallContext(asked, cache, options);
  const answered: Result<unknown> = await handler(context, asked.sent);
  return answered.ok && context.isReplayed ? { ...answered, isReplayed: true } : answered;
}

/** What an operation is given beside what every request is. */
class CallContext extends PlainContext {
  readonly upload: Upload | undefined;
  readonly user: Caller['user'];
  readonly client_id: Caller['client_id'];
  readonly scopes: Caller['scopes'];
  override readonly cached: RequestContext['cached'];
  override readonly commit: RequestContext['commit'];
  isReplayed = false;

  constructor(asked: RoutedRequest, cache: ReadCache<Tables>, options: PipelineOptions) {
    super(asked.call, options);
    const { sent, caller } = asked;
    this.upload = sent.upload;
    this.user = caller.user;
    this.client_id = caller.client_id;
    this.scopes = caller.scopes;
    this.cached = cache.cached;
    this.commit = commitOf(asked, options.store, this.now, () => {
      this.isReplayed = true;
    });
  }
}
