import type fc from 'fast-check';

/** A run of a model, which checks its invariants. */
interface ModelRun {
  check(): Promise<void>;
}

/** An action that may happen at any time, in any order, any number of times. The run is checked after each. */
export class Happening<Run extends ModelRun> implements fc.AsyncCommand<object, Run> {
  constructor(
    private readonly name: string,
    private readonly happen: (run: Run) => unknown,
  ) {}

  check(): boolean {
    return true;
  }

  async run(_: object, run: Run): Promise<void> {
    await this.happen(run);
    await run.check();
  }

  toString(): string {
    return this.name;
  }
}
