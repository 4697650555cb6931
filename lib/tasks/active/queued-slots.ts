import { keepInterest, subscribe } from '../../platform/bus';
import { once } from '../../platform/runtime/once';

/** The task slots of sends on this node whose runs no worker of this node has begun. */
const queuedSlots = once((): Map<string, Release> => {
  const slots = new Map<string, Release>();
  // Another node runs or has ended the task.
  subscribe('task', '*', (taskId, from) => {
    if (from === 'elsewhere') releaseSlotsOf(taskId)?.();
  });
  return slots;
});

/** The slots of one send, until its run begins here or another node reports progress. */
export class QueuedSlots {
  private taskId: string | null = null;
  private endInterest = (): void => undefined;

  constructor(private readonly release: Release) {}

  /** Call before the task is created, because its run may begin immediately. */
  holdFor(taskId: string): void {
    this.taskId = taskId;
    const endInterest = keepInterest('task', taskId);
    this.endInterest = endInterest;
    queuedSlots().set(taskId, () => {
      endInterest();
      this.release();
    });
  }

  /** Call if the send did not start a run. */
  cancel(): void {
    if (this.taskId === null) return;
    this.endInterest();
    queuedSlots().delete(this.taskId);
  }
}

/** The tasks of these sends. */
export function queuedTaskIds(): string[] {
  return [...queuedSlots().keys()];
}

/** The release function of a send's slots, which the caller takes over; undefined if this node holds none. */
export function releaseSlotsOf(taskId: string): Release | undefined {
  const slots = queuedSlots();
  const release = slots.get(taskId);
  slots.delete(taskId);
  return release;
}

export type Release = () => void;
