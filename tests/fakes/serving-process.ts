import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { waitFor } from '../support/wait-for';

interface Line {
  state?: string;
  started?: string;
  attempt?: number;
  outcome?: string;
}

/** A worker that the SDK connects, in a process of its own. It answers "begun;", and "done;" once it may proceed. */
export class ServingProcess {
  readonly lines: Line[] = [];

  private constructor(private readonly child: ChildProcess) {
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => this.lines.push(JSON.parse(line)));
  }

  /** Starts a worker and waits until it is online. */
  static async start(options: {
    url: string;
    agent: string;
    token: string;
    redelivery?: 'never' | 'safe';
  }): Promise<ServingProcess> {
    const file = new URL('held-worker.mjs', import.meta.url).pathname;
    const env = { NODE_ENV: 'production' as const, PATH: process.env.PATH };
    const child = spawn(process.execPath, [file, JSON.stringify({ capacity: 1, ...options })], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const worker = new ServingProcess(child);
    await waitFor(() => worker.lines.some(({ state }) => state === 'online'), { what: 'the worker to be online' });
    return worker;
  }

  /** The attempts that its handler began. */
  get attempts(): number[] {
    return this.lines.flatMap(({ attempt = [] }) => attempt);
  }

  get outcomes(): string[] {
    return this.lines.flatMap(({ outcome = [] }) => outcome);
  }

  /** Lets the handler say the rest. */
  proceed(): void {
    this.child.stdin?.write('\n');
  }

  /** SIGSTOP: it neither reads nor sends, and its connection stays open. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  wake(): void {
    this.child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}
