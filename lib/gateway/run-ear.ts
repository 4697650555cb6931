import type { TaskEvent } from '../protocol/a2a/core/events';
import type { StoredEvent } from './store/records';

/** What whoever began a run hears of it, without reading the task. */
export class RunEar {
  private word: TaskEvent | null | undefined;
  /** All that the run wrote when it carried its turn to the end; null when it did not, or when that is too much to keep. */
  private story: StoredEvent[] | null | undefined;
  private wake: (() => void)[] = [];

  /** Said by the run: the agent says something, maybe not on disk yet. */
  hear(event: TaskEvent): void {
    if (this.word !== undefined) return;
    this.word = event;
    this.ring();
  }

  /** Said by the run: it is over. */
  end(story: StoredEvent[] | null): void {
    this.word ??= null;
    this.story = story;
    this.ring();
  }

  /** The first thing the agent says, maybe before it is on disk; null when it says nothing. */
  async firstWord(): Promise<TaskEvent | null> {
    while (this.word === undefined) await this.rung();
    return this.word;
  }

  /** The run's whole story once it is over; null when there is none, or when it goes on after `waitMs` milliseconds. */
  wholeStory(waitMs: number): Promise<StoredEvent[] | null> {
    return new Promise((resolve) => {
      if (this.story !== undefined) return resolve(this.story);
      const timer = setTimeout(resolve, waitMs, null);
      const wake = (): void => {
        if (this.story === undefined) return void this.wake.push(wake);
        clearTimeout(timer);
        resolve(this.story);
      };
      this.wake.push(wake);
    });
  }

  private rung(): Promise<void> {
    return new Promise((resolve) => this.wake.push(resolve));
  }

  private ring(): void {
    const rung = this.wake;
    this.wake = [];
    for (const wake of rung) wake();
  }
}
