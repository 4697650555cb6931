import { type AbortSignalLike, LightAbortController } from '../../platform/abort';
import { publish, subscribe } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { sha256 } from '../../platform/crypto';
import type { McpRequest, RequestId } from '../../protocol/mcp/request';

/** The key of a call for the bus: its credential and its request id. Ids of different types are different ids. */
function keyOf({ actor }: Ctx, requestId: RequestId): string {
  const credential = actor.kind === 'user' ? actor.credential.id : '';
  return sha256(JSON.stringify([credential, requestId]));
}

/**
 * Runs a call with a signal that aborts when its client cancels it: by a notification, or since 2026-07-28 by closing
 * the response, which in earlier revisions is only a lost connection.
 */
export async function runCancelable<Result>(
  message: McpRequest,
  ctx: Ctx,
  run: (canceled: AbortSignalLike) => Promise<Result>,
): Promise<Result> {
  const controller = new LightAbortController();
  const abort = (): void => controller.abort();
  const unsubscribe = message.isModern ? undefined : subscribe('mcp-cancel', keyOf(ctx, message.id), abort);
  if (message.isModern) ctx.signal.addEventListener('abort', abort, { once: true });
  try {
    return await run(controller);
  } finally {
    unsubscribe?.();
    if (message.isModern) ctx.signal.removeEventListener('abort', abort);
  }
}

/** Cancels running calls of the same credential with this id, on any node. */
export async function cancelCall(ctx: Ctx, requestId: RequestId): Promise<void> {
  await publish('mcp-cancel', keyOf(ctx, requestId));
}
