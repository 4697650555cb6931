import { findAgentById } from '../../catalog';
import { consume, type TokenBucketRule } from '../../limits';
import { publish } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { refreshForReader } from '../runs/refresh-interrupted-task';
import { findInterruptedTask } from '../store/interrupted-tasks';
import { isPushSecret } from './agent-push';

/** Pushes that an agent may send for one task. */
const agentPushRateLimit: TokenBucketRule = {
  name: 'agent pushes',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};

/**
 * An agent says that a task has changed: whoever runs it asks for the task at once; one that waits for its caller is asked for
 * here. What else is in the push is not read; the agent's own answer counts.
 * @throws {ParleyError} `invalid_token`, for a wrong secret and for a task that does not exist alike; `rate_limited`
 */
export async function receiveAgentPush({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now' | 'requestId'>;
  input: { taskId: string; secret: string };
}): Promise<void> {
  const { taskId, secret } = input;
  if (!isPushSecret(taskId, secret))
    throw new ParleyError('invalid_token', 'Expected the secret of this task in X-A2A-Notification-Token.');
  await consume(agentPushRateLimit, taskId, ctx.now);
  await publish('push', taskId);
  const record = await findInterruptedTask(taskId);
  const agent = record && (await findAgentById(record.agentId));
  if (record && agent) await refreshForReader({ record, agent, minAgeMs: 0 }, ctx);
}
