import type { Task } from '../../protocol/a2a/core/model';
import type { StoredEvent } from '../store/records';

/** What a stream carries: the task as it stands, then its events; each with the sequence number it brings the reader to. */
export type StreamItem = { seq: number; task: Task } | StoredEvent;

/** A reader's stream of one task. Leaving it does not touch the task. */
export interface TaskStream {
  taskId: string;
  contextId: string;
  /** The task as it stood before the first item, for dialects that tell it whole; absent when the first item is the task. */
  before?: () => Task;
  batches: AsyncGenerator<StreamItem[]>;
}
