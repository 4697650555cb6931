import type { CallerActor } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import { newUuid } from '../../platform/ids';
import { checkExternalUrl } from '../../platform/safe-fetch';
import { isTerminal } from '../../protocol/a2a/core/model';
import type { PushConfig, PushDialect, PushTarget } from '../../protocol/a2a/core/push';
import { ownerOf } from '../policy';
import { upsertPushConfig } from '../store/push-configs';
import type { TaskRecord } from '../store/records';
import { sealSecrets } from './push-secrets';
import { schedulePush } from './push-worker';

/** Configurations that a task may have. */
const maxPerTask = 10;

/**
 * Refuses a target that could never be delivered to (SSRF-1). What its name resolves to is checked at every delivery.
 * @throws {ParleyError} `invalid_params`
 */
export function checkPushTarget({ url }: PushTarget): void {
  try {
    checkExternalUrl(url);
  } catch (error) {
    if (!hasCode(error, 'url_refused') || !(error instanceof Error)) throw error;
    throw new ParleyError('invalid_params', `url: ${error.message}`, { cause: error });
  }
}

/**
 * Keeps a checked target for a task of the caller's. Pushes begin with the event after `record.lastSeq`.
 * @throws {ParleyError} `invalid_params` when the task has too many, or the id is one that this delegated token does not reach
 */
export async function savePushConfig(
  record: Pick<TaskRecord, 'id' | 'lastSeq' | 'state'>,
  { target, dialect, caller, now }: { target: PushTarget; dialect: PushDialect; caller: CallerActor; now: Date },
): Promise<PushConfig> {
  // A2A 0.3 names the one configuration that has no name after its task; 1.0 leaves the name to the server.
  const id = target.id ?? (dialect === '0.3' ? record.id : newUuid());
  const config = { ...target, id, taskId: record.id };
  const saved = await upsertPushConfig(
    {
      taskId: record.id,
      id,
      ...ownerOf(caller),
      credentialId: caller.credentialId,
      dialect,
      url: target.url,
      secrets: sealSecrets(target),
      sentSeq: record.lastSeq,
      ended: isTerminal(record.state),
      createdAt: now,
    },
    maxPerTask,
  );
  if (!saved) {
    const text = `The task takes no other push notification configuration under this id: it has ${maxPerTask}, or the id is in use. Delete one first, replace one of yours by its id, or choose another id.`;
    throw new ParleyError('invalid_params', text);
  }
  schedulePush(record.id);
  return config;
}
