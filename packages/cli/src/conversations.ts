import path from 'node:path';
import { readJsonFile, writePrivateFile } from './config-folder.js';

/** The context and task of the last message to an agent. */
export interface Position {
  contextId: string;
  /** Set while that task waits for an answer. */
  taskId?: string;
}

/** Stores the conversation that the next message to an agent continues, one per agent and Parley. */
export class Conversations {
  private readonly file: string;

  constructor(
    folder: string,
    private readonly origin: string,
  ) {
    this.file = path.join(folder, 'conversations.json');
  }

  find(agent: string): Position | null {
    const { contextId, taskId } = { ...this.read()[this.keyOf(agent)] };
    if (typeof contextId !== 'string') return null;
    return typeof taskId === 'string' ? { contextId, taskId } : { contextId };
  }

  save(agent: string, position: Position): void {
    writePrivateFile(this.file, { ...this.read(), [this.keyOf(agent)]: position });
  }

  private keyOf(agent: string): string {
    return `${this.origin}/agents/${agent}`;
  }

  private read(): Record<string, { contextId?: unknown; taskId?: unknown }> {
    return (readJsonFile(this.file) ?? {}) as Record<string, { contextId?: unknown; taskId?: unknown }>;
  }
}
