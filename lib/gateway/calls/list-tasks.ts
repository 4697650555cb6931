import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import type { Task } from '../../protocol/a2a/core/model';
import type { ListFilter } from '../../protocol/a2a/core/requests';
import { ownerOf, requireCaller } from '../policy';
import { findTaskPage } from '../store/find-tasks';
import { loadTask } from '../store/read-events';
import type { TaskRecord } from '../store/records';
import { limitHistory } from './limit-history';

interface TaskPage {
  tasks: Task[];
  /** Empty on the last page. */
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

/**
 * The caller's tasks at this agent, latest change first (A2A 1.0 §3.1.4).
 * @throws {ParleyError} `invalid_params` for a page token that is not ours
 */
export async function listTasks({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { agent: AgentRecord; filter: ListFilter };
}): Promise<TaskPage> {
  const caller = requireCaller(ctx, input.agent);
  const { contextId, state, pageSize, pageToken, historyLength, statusTimestampAfter } = input.filter;
  const { records, total } = await findTaskPage(ownerOf(caller), {
    contextId,
    state,
    stateAtFrom: statusTimestampAfter ? new Date(statusTimestampAfter) : undefined,
    before: pageToken ? decodePageToken(pageToken) : undefined,
    limit: pageSize + 1,
  });
  const page = records.slice(0, pageSize);
  const last = page.at(-1);
  const tasks = await Promise.all(
    page.map(async (record) => limitHistory((await loadTask(record)).task, historyLength)),
  );
  return {
    tasks,
    nextPageToken: records.length > pageSize && last ? encodePageToken(last) : '',
    pageSize,
    totalSize: total,
  };
}

function encodePageToken({ stateAt, id }: TaskRecord): string {
  return Buffer.from(`${stateAt.getTime()} ${id}`).toString('base64url');
}

function decodePageToken(token: string): { stateAt: Date; id: string } {
  const [time, id] = Buffer.from(token, 'base64url').toString('utf8').split(' ');
  if (time && id && /^\d{1,15}$/.test(time) && isUuid(id)) return { stateAt: new Date(Number(time)), id };
  throw new ParleyError('invalid_params', 'pageToken: not one that was answered here; leave it out to begin anew.');
}
