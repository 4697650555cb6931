import { z } from 'zod';
import type { AgentRecord } from '../../catalog';
import type { CallerActor, Ctx } from '../../platform/context';
import { cursorText, defineCursor } from '../../platform/db/cursor';
import { hasCode, ParleyError } from '../../platform/errors';
import { checkExternalUrl } from '../../platform/http-client/external-urls';
import { newUuid } from '../../platform/ids';
import { isTerminal, type PushConfig, type PushDialect, type PushTarget } from '../../protocol/a2a/core/model';
import { MAX_ID_LENGTH } from '../../protocol/limits';
import { ownerOf, requireTask } from '../authorization';
import { MAX_PUSH_CONFIGS } from '../limits';
import {
  deletePushConfigRow,
  findPushConfig,
  findPushConfigs,
  openSecrets,
  type PushConfigRecord,
  type PushOwner,
  sealSecrets,
  upsertPushConfig,
} from '../store/push/push-config-rows';
import type { TaskRecord } from '../store/records';
import { settleSegments } from '../store/stream/settle-segments';
import { schedulePush } from './push-worker';

const configCursor = defineCursor({ list: 'pushes', position: z.object({ id: cursorText(MAX_ID_LENGTH) }) });

interface TaskRef {
  agent: AgentRecord;
  taskId: string;
}

/**
 * Adds a push notification configuration to a task, or replaces the one with the same id (A2A 1.0 §3.1.7).
 * @throws {ParleyError} `task_not_found`; `invalid_params` for an invalid target or above the maximum number
 */
export async function setPushConfig({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: TaskRef & { target: PushTarget; dialect: PushDialect };
}): Promise<PushConfig> {
  const { record, caller } = await requireTask(ctx, input);
  checkPushTarget(input.target);
  // Pushes begin after the last event that a reader may have received, and are sent from PostgreSQL.
  await settleSegments([record]);
  const { record: settled } = record.streamKey === null ? { record } : await requireTask(ctx, input);
  return savePushConfig(settled, { target: input.target, dialect: input.dialect, caller, now: ctx.now });
}

/**
 * Reads one push notification configuration of a task.
 * @throws {ParleyError} `task_not_found`, for the task and for the configuration
 */
export async function getPushConfig({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: TaskRef & { configId: string };
}): Promise<PushConfig> {
  const { owner, taskId } = await requirePushOwner(ctx, input);
  const found = await findPushConfig(owner, input.configId);
  if (found) return toConfig(found);
  throw new ParleyError('task_not_found', 'Push notification configuration not found on this task.', {
    data: { task_id: taskId },
  });
}

/**
 * Returns a page of a task's push notification configurations, by id. An invalid page token is ignored.
 * @throws {ParleyError} `task_not_found`
 */
export async function listPushConfigs({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: TaskRef & { pageSize: number; pageToken?: string };
}): Promise<{ configs: PushConfig[]; nextPageToken: string }> {
  const { owner } = await requirePushOwner(ctx, input);
  const after = configCursor.find(input.pageToken ?? '')?.id ?? '';
  const found = await findPushConfigs(owner, { after, limit: input.pageSize + 1 });
  const { rows, nextCursor } = configCursor.pageOf(found, input.pageSize);
  return { configs: rows.map(toConfig), nextPageToken: nextCursor ?? '' };
}

/**
 * Deletes a configuration. Idempotent (A2A 1.0 §3.1.10).
 * @throws {ParleyError} `task_not_found`
 */
export async function deletePushConfig({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: TaskRef & { configId: string };
}): Promise<void> {
  const { owner } = await requirePushOwner(ctx, input);
  await deletePushConfigRow(owner, input.configId);
}

async function requirePushOwner(ctx: Ctx, input: TaskRef): Promise<{ owner: PushOwner; taskId: string }> {
  const { record, caller } = await requireTask(ctx, input);
  const { principal, delegation } = ownerOf(caller);
  return { owner: { principal, delegation, taskId: record.id }, taskId: record.id };
}

function toConfig({ id, taskId, url, secrets }: PushConfigRecord): PushConfig {
  return { id, taskId, url, ...openSecrets(secrets) };
}

/**
 * Rejects a target to which no push can be delivered. Its DNS resolution is checked at every delivery.
 * @throws {ParleyError} `invalid_params`
 */
export function checkPushTarget({ url }: PushTarget): void {
  try {
    checkExternalUrl(url);
  } catch (error) {
    if (!hasCode(error, 'url_refused')) throw error;
    throw new ParleyError('invalid_params', `url: ${error.message}`, { cause: error });
  }
}

/**
 * Stores a checked target for a task of the caller. Pushes start with the event after `record.lastSeq`.
 * @throws {ParleyError} `invalid_params` if the task has too many, or if the id is not accessible with this delegated
 *   token
 */
export async function savePushConfig(
  record: Pick<TaskRecord, 'principal' | 'id' | 'lastSeq' | 'state'>,
  { target, dialect, caller, now }: { target: PushTarget; dialect: PushDialect; caller: CallerActor; now: Date },
): Promise<PushConfig> {
  // A2A 0.3 uses the task id for a configuration without an id; 1.0 leaves the choice to the server.
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
    MAX_PUSH_CONFIGS,
  );
  if (!saved) {
    const text = `The task cannot have another push notification configuration with this ID: it already has ${MAX_PUSH_CONFIGS}, or the ID is in use. Delete one first, replace an existing one by using its ID, or choose another ID.`;
    throw new ParleyError('invalid_params', text);
  }
  await settleSegments([record]);
  schedulePush(record.id);
  return config;
}
