import { publish, subscribe } from '../../../platform/bus';
import type { Ctx } from '../../../platform/context';
import { type AbortSignalLike, LightAbortController } from '../../../platform/runtime/abort';
import { sha256 } from '../../../platform/secrets/crypto';
import type { McpRequest, RequestId } from '../../../protocol/mcp/messages';

/** The caller of a request. Hosts number the requests of each user separately. */
interface Caller {
  ctx: Ctx;
  /** Hash of the end user that the host states; empty without one. */
  endUser: string;
}

/** The key of a call for the bus: its caller and its request id. Ids of different types are different ids. */
function keyOf({ ctx: { actor }, endUser }: Caller, requestId: RequestId): string {
  const credential = actor.kind === 'user' ? actor.credential.id : '';
  return sha256(JSON.stringify([credential, endUser, requestId]));
}

/**
 * Runs a call with a signal that aborts when its client cancels it: by a notification, or since 2026-07-28 by closing
 * the response, which in earlier revisions is only a lost connection.
 */
export async function runCancelable<Result>(
  message: McpRequest,
  caller: Caller,
  run: (canceled: AbortSignalLike) => Promise<Result>,
): Promise<Result> {
  const { ctx } = caller;
  const controller = new LightAbortController();
  const abort = (): void => controller.abort();
  const unsubscribe = message.isModern ? undefined : subscribe('mcp-cancel', keyOf(caller, message.id), abort);
  if (message.isModern) ctx.signal.addEventListener('abort', abort, { once: true });
  try {
    return await run(controller);
  } finally {
    unsubscribe?.();
    if (message.isModern) ctx.signal.removeEventListener('abort', abort);
  }
}

/** Cancels running calls of the same caller with this id, on any node. */
export async function cancelCall(caller: Caller, requestId: RequestId): Promise<void> {
  await publish('mcp-cancel', keyOf(caller, requestId));
}
