import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pty, { type IPty } from '@lydell/node-pty';
import { waitFor } from './wait-for';

const CLI = path.resolve('packages/cli/bin/parley.mjs');

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
}

interface Given {
  stdin?: string;
  env?: Record<string, string>;
  /** Returns everything written to stderr so far. */
  onStderr?: (text: string) => void;
}

/** One user's command line: a private settings folder and one Parley. */
export class CommandLine {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'parley-cli-'));

  constructor(private readonly variables: Record<string, string>) {}

  /** Runs a command without a terminal until it exits. */
  async run(args: string[], given: Given = {}): Promise<CliRun> {
    const child = spawn(process.execPath, [CLI, ...args], { env: this.environment(given.env) });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      given.onStderr?.(stderr);
    });
    child.stdin.end(given.stdin ?? '');
    const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? -1)));
    return { code, stdout, stderr };
  }

  /** Starts a command in a terminal, in the user's folder. */
  open(args: string[], env: Record<string, string> = {}): TerminalRun {
    return new TerminalRun(args, { env: this.environment(env), cwd: this.folder });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
    return {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      HOME: this.folder,
      PARLEY_CONFIG_DIR: path.join(this.folder, 'config'),
      TERM: 'xterm-256color',
      ...this.variables,
      ...extra,
    };
  }
}

/** A command in a pseudo-terminal: its screen, and key presses. */
export class TerminalRun {
  private shown = '';
  private readonly pty: IPty;
  private ended: number | null = null;

  constructor(args: string[], options: { env: NodeJS.ProcessEnv; cwd: string }) {
    this.pty = pty.spawn(process.execPath, [CLI, ...args], { cols: 200, rows: 40, ...options });
    this.pty.onData((data) => {
      this.shown += data;
    });
    this.pty.onExit(({ exitCode }) => {
      this.ended = exitCode;
    });
  }

  /** All output so far, including escape sequences. */
  get screen(): string {
    return this.shown;
  }

  press(keys: string): void {
    this.pty.write(keys);
  }

  /** Waits until the screen contains `text`. */
  async sees(text: string | RegExp): Promise<void> {
    const isThere = () => (typeof text === 'string' ? this.shown.includes(text) : text.test(this.shown));
    await waitFor(isThere, { what: `${text} on a screen` }).catch((error: Error) => {
      throw new Error(`${error.message}; it shows:\n${this.shown}`);
    });
  }

  /** Waits for the command to exit; returns its exit code. */
  async end(): Promise<number> {
    await waitFor(() => this.ended !== null, { what: `the end of a command, which shows:\n${this.shown}` });
    return this.ended ?? -1;
  }
}
