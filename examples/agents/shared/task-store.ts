import { deserialize, serialize } from 'node:v8';
import type { ListTasksRequest, ListTasksResponse, Task } from '@a2a-js/sdk';
import { InMemoryTaskStore, type ServerCallContext, type TaskStore } from '@a2a-js/sdk/server';
import { LRUCache } from 'lru-cache';

interface StoredTask {
  owner: string;
  bytes: Buffer;
}

/**
 * Stores tasks in memory, each visible only to its caller, with a limit on their total size: the least recently used
 * tasks are dropped first. A real agent would use a database; these tasks end with the process.
 */
export class CappedTaskStore implements TaskStore {
  private readonly tasks: LRUCache<string, StoredTask>;

  constructor(maxBytes: number) {
    this.tasks = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes.length });
  }

  async save(task: Task, context: ServerCallContext): Promise<void> {
    // Serialized, so that no holder of the object can change it, and to determine its size.
    const bytes = serialize(task);
    this.tasks.set(key(task.id, context), { owner: ownerOf(context), bytes });
  }

  async load(taskId: string, context: ServerCallContext): Promise<Task | undefined> {
    const stored = this.tasks.get(key(taskId, context));
    return stored && deserialize(stored.bytes);
  }

  /** The SDK implements filtering and pagination. */
  async list(params: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    const mine = new InMemoryTaskStore();
    for (const stored of this.tasks.rvalues()) {
      if (stored?.owner === ownerOf(context)) await mine.save(deserialize(stored.bytes), context);
    }
    return mine.list(params, context);
  }
}

function ownerOf(context: ServerCallContext): string {
  return JSON.stringify([context.tenant ?? '', context.user?.userName ?? '']);
}

function key(taskId: string, context: ServerCallContext): string {
  return `${ownerOf(context)} ${taskId}`;
}
