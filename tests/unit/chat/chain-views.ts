import type { ChainApprovalView, ChainTaskView, ChainView, SentPart } from '@/lib/tasks/schema-chains';
import { taskId } from './thread-events';

const planner = { slug: 'planner', name: 'Planner' };
export const desk = { slug: 'desk', name: 'Air Desk', iconUrl: null };

/** A delegated task, 12 s after it was created. */
export function delegated(id: string, changes: Partial<ChainTaskView> = {}): ChainTaskView {
  return {
    taskId: id,
    parentTaskId: taskId,
    depth: 1,
    from: planner,
    agent: desk,
    state: 'working',
    createdAt: '2026-11-20T12:00:00.000Z',
    updatedAt: '2026-11-20T12:00:12.000Z',
    text: 'Two seats to Rome',
    cost: [],
    interrupt: null,
    ...changes,
  };
}

export function approval(changes: Partial<ChainApprovalView> = {}): ChainApprovalView {
  return {
    id: 'apr_1',
    reasons: ['hire'],
    from: planner,
    to: { slug: 'desk', name: 'Air Desk' },
    parts: [sentText('Two seats to Rome')],
    contentHash: 'hash',
    createdAt: '2026-11-20T12:00:00.000Z',
    ...changes,
  };
}

/** A text that an agent wants to send. */
export function sentText(text: string): SentPart {
  return { kind: 'text', text, name: null, mediaType: null, bytes: Buffer.byteLength(text) };
}

export function chainOf(tasks: ChainTaskView[], changes: Partial<ChainView> = {}): ChainView {
  return {
    readAt: '2026-11-20T12:00:00.000Z',
    rootTaskId: taskId,
    state: 'running',
    calls: tasks.length,
    maxCalls: 25,
    maxOpen: 4,
    endsAt: '2026-11-20T13:00:00.000Z',
    cost: [],
    approvals: [],
    tasks,
    ...changes,
  };
}
