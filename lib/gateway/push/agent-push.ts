import type { AgentRecord } from '../../catalog';
import { type BucketRule, consume } from '../../limits';
import type { StopSignal } from '../../platform/abort';
import { publish, subscribe } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { equalInConstantTime, hmac } from '../../platform/crypto';
import { env } from '../../platform/env';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import type { PushTarget } from '../../protocol/a2a/core/push';

/** Pushes that an agent may send for one task. */
const rule: BucketRule = { name: 'agent pushes', burst: 60, perMinute: 120, whenAway: 'count-here' };

/**
 * Where an agent may push a task's updates: only one that says it pushes and cannot stream. The secret is the task's own
 * and follows from it, so that nothing has to be kept.
 */
export function agentPushTarget(agent: AgentRecord, taskId: string): PushTarget | undefined {
  if (agent.card.capabilities.streaming || !agent.card.capabilities.pushNotifications) return undefined;
  return { id: taskId, url: `${env().APP_URL}/api/push/${taskId}`, token: secretOf(taskId) };
}

/**
 * An agent says that a task has changed: whoever runs it asks for the task at once. What else is in the push is not read;
 * the agent's own answer counts.
 * @throws {ParleyError} `invalid_token`, for a wrong secret and for a task that does not exist alike; `rate_limited`
 */
export async function receiveAgentPush({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now'>;
  input: { taskId: string; secret: string };
}): Promise<void> {
  const { taskId, secret } = input;
  if (!isUuid(taskId) || !equalInConstantTime(secret, secretOf(taskId)))
    throw new ParleyError('invalid_token', 'Expected the secret of this task in X-A2A-Notification-Token.');
  await consume(rule, taskId, ctx.now);
  await publish('push', taskId);
}

/** Waits `ms` milliseconds, or until the agent pushes the task; throws the signal's reason when it aborts. */
export async function pauseUntilPushed(taskId: string, ms: number, signal: StopSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resume, ms);
    const leave = subscribe('push', taskId, resume);
    signal.addEventListener('abort', resume);
    function resume(): void {
      clearTimeout(timer);
      leave();
      signal.removeEventListener('abort', resume);
      resolve();
    }
  });
  signal.throwIfAborted();
}

function secretOf(taskId: string): string {
  return hmac('agent-push', taskId);
}
