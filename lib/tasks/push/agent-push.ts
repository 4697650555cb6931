import type { AgentRecord } from '../../catalog';
import { onNoticeGap, subscribe } from '../../platform/bus';
import { isUuid } from '../../platform/ids';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import { env } from '../../platform/runtime/env';
import { constantTimeEqual, hmac } from '../../platform/secrets/crypto';
import type { PushTarget } from '../../protocol/a2a/core/model';

/**
 * Returns the push target for an agent that supports push notifications but not streaming; undefined for other agents.
 * The token is derived from the task id and is therefore not stored.
 */
export function agentPushTarget(agent: AgentRecord, taskId: string): PushTarget | undefined {
  if (agent.card.capabilities.streaming || !agent.card.capabilities.pushNotifications) return undefined;
  return { id: taskId, url: `${env().APP_URL}/api/push/${taskId}`, token: secretOf(taskId) };
}

/** Returns true if the token is the one that the agent received for this task. */
export function isPushSecret(taskId: string, secret: string): boolean {
  return isUuid(taskId) && constantTimeEqual(secret, secretOf(taskId));
}

/**
 * Waits until the agent pushes the task, or a push may have been missed, for at most `ms` milliseconds.
 * @throws the signal's reason if it aborts
 */
export async function waitForPush(taskId: string, ms: number, signal: AbortSignalLike): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resume, ms);
    const unsubscribes = [subscribe('push', taskId, resume), onNoticeGap(resume)];
    signal.addEventListener('abort', resume);
    function resume(): void {
      clearTimeout(timer);
      for (const unsubscribe of unsubscribes) unsubscribe();
      signal.removeEventListener('abort', resume);
      resolve();
    }
  });
  signal.throwIfAborted();
}

function secretOf(taskId: string): string {
  return hmac('agent-push', taskId);
}
