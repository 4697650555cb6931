import type { Clock } from '@/packages/sdk/src/serve/clock';

/** A clock that a test advances. `random` returns the given values in turn, then the last one. */
export class ManualClock implements Clock {
  private time = 1_800_000_000_000;
  private timers: { at: number; callback: () => void }[] = [];
  private readonly values: number[];

  constructor(...values: number[]) {
    this.values = values.length > 0 ? values : [0];
  }

  now = (): number => this.time;

  random = (): number => (this.values.length > 1 ? this.values.shift() : this.values[0]) ?? 0;

  setTimer(callback: () => void, ms: number): () => void {
    const timer = { at: this.time + ms, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** The delays of the timers that run, shortest first, milliseconds. */
  get delays(): number[] {
    return this.timers.map(({ at }) => at - this.time).sort((a, b) => a - b);
  }

  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.time = Math.max(this.time, next.at);
      this.timers = this.timers.filter((timer) => timer !== next);
      next.callback();
    }
    this.time = end;
  }
}
