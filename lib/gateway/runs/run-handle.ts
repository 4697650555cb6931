import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { StoredEvent } from '../store/records';

/** What whoever began a run hears of it, without reading the task. */
export class RunHandle {
  private first: TaskEvent | null | undefined;
  /** All that the run wrote when it carried its turn to the end; null when it did not, or when that is too much to keep. */
  private events: StoredEvent[] | null | undefined;
  private waiters: (() => void)[] = [];

  /** Said by the run: the agent says something, maybe not on disk yet. */
  emit(event: TaskEvent): void {
    if (this.first !== undefined) return;
    this.first = event;
    this.wakeAll();
  }

  /** Said by the run: it is over. */
  complete(events: StoredEvent[] | null): void {
    this.first ??= null;
    this.events = events;
    this.wakeAll();
  }

  /** The first thing the agent says, maybe before it is on disk; null when it says nothing. */
  async firstEvent(): Promise<TaskEvent | null> {
    while (this.first === undefined) await this.nextChange();
    return this.first;
  }

  /** The run's whole story once it is over; null when there is none, or when it goes on after `waitMs` milliseconds. */
  completion(timeoutMs: number): Promise<StoredEvent[] | null> {
    return new Promise((resolve) => {
      if (this.events !== undefined) return resolve(this.events);
      const timer = setTimeout(resolve, timeoutMs, null);
      const check = (): void => {
        if (this.events === undefined) return void this.waiters.push(check);
        clearTimeout(timer);
        resolve(this.events);
      };
      this.waiters.push(check);
    });
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  private wakeAll(): void {
    const pendingWaiters = this.waiters;
    this.waiters = [];
    for (const waiter of pendingWaiters) waiter();
  }
}
