import { type AbortSignalLike, LightAbortController } from '../../platform/abort';
import type { Ctx } from '../../platform/context';
import { processSingleton } from '../../platform/singleton';
import type { McpRequest } from '../../protocol/mcp/read-message';

/** Calls of this node that their clients may still cancel, by caller and request id. */
function runningCalls(): Map<string, LightAbortController> {
  return processSingleton('mcp-calls', () => new Map<string, LightAbortController>());
}

/** Ids of different types are different ids. */
function keyOf({ actor }: Ctx, requestId: McpRequest['id']): string {
  const credential = actor.kind === 'user' ? actor.credential.id : '';
  return JSON.stringify([credential, requestId]);
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
  const key = keyOf(ctx, message.id);
  runningCalls().set(key, controller);
  const onClose = (): void => controller.abort();
  if (message.isModern) ctx.signal.addEventListener('abort', onClose, { once: true });
  try {
    return await run(controller);
  } finally {
    if (message.isModern) ctx.signal.removeEventListener('abort', onClose);
    if (runningCalls().get(key) === controller) runningCalls().delete(key);
  }
}

/** Cancels a running call of the same credential; one of another node, or one that has ended, is not affected. */
export function cancelCall(ctx: Ctx, requestId: McpRequest['id']): void {
  runningCalls().get(keyOf(ctx, requestId))?.abort();
}
