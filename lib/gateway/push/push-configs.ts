import type { AgentRecord } from '../../catalog';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import type { PushConfig, PushDialect, PushTarget } from '../../protocol/a2a/core/push';
import { taskNotFound } from '../errors';
import { ownerOf, requireCaller } from '../policy';
import { findTask } from '../store/find-tasks';
import {
  deletePushConfigRow,
  findPushConfig,
  findPushConfigs,
  type PushConfigRecord,
  type PushOwner,
} from '../store/push-configs';
import type { TaskRecord } from '../store/records';
import { openSecrets } from './push-secrets';
import { checkPushTarget, savePushConfig } from './save-push-config';

interface TaskRef {
  agent: AgentRecord;
  taskId: string;
}

/**
 * Adds a push notification configuration to a task, or replaces the one of the same id (A2A 1.0 §3.1.7).
 * @throws {ParleyError} `task_not_found`; `invalid_params` for a target that cannot be used, or one too many
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
  return savePushConfig(record, { target: input.target, dialect: input.dialect, caller, now: ctx.now });
}

/** @throws {ParleyError} `task_not_found`, for the task and for the configuration */
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
  throw new ParleyError('task_not_found', 'The task has no such push notification configuration.', {
    data: { task_id: taskId },
  });
}

/** @throws {ParleyError} `task_not_found` */
export async function listPushConfigs({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: TaskRef & { pageSize: number; pageToken?: string };
}): Promise<{ configs: PushConfig[]; nextPageToken: string }> {
  const { owner } = await requirePushOwner(ctx, input);
  const after = Buffer.from(input.pageToken ?? '', 'base64url')
    .toString('utf8')
    .replaceAll('\0', '');
  const found = await findPushConfigs(owner, { after, limit: input.pageSize + 1 });
  const page = found.slice(0, input.pageSize);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return { configs: page.map(toConfig), nextPageToken: last ? Buffer.from(last.id).toString('base64url') : '' };
}

/**
 * Ends the pushes of a configuration; deleting it twice is a success (A2A 1.0 §3.1.10).
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

async function requireTask(ctx: Ctx, { agent, taskId }: TaskRef): Promise<{ record: TaskRecord; caller: CallerActor }> {
  const caller = requireCaller(ctx, agent);
  const record = await findTask(ownerOf(caller), taskId);
  if (!record) throw taskNotFound(taskId);
  return { record, caller };
}

function toConfig({ id, taskId, url, secrets }: PushConfigRecord): PushConfig {
  return { id, taskId, url, ...openSecrets(secrets) };
}
