import path from 'node:path';
import { readJsonFile, writePrivateFile } from './config-folder.js';

/** Where the last message to an agent left off. */
export interface Place {
  contextId: string;
  /** Set while that task waits for an answer. */
  taskId?: string;
}

/** The conversation that goes on with the next message to an agent, one for each agent of each Parley. */
export class Conversations {
  private readonly file: string;

  constructor(
    folder: string,
    private readonly origin: string,
  ) {
    this.file = path.join(folder, 'conversations.json');
  }

  find(agent: string): Place | null {
    const { contextId, taskId } = { ...this.read()[this.keyOf(agent)] };
    if (typeof contextId !== 'string') return null;
    return typeof taskId === 'string' ? { contextId, taskId } : { contextId };
  }

  keep(agent: string, place: Place): void {
    writePrivateFile(this.file, { ...this.read(), [this.keyOf(agent)]: place });
  }

  private keyOf(agent: string): string {
    return `${this.origin}/agents/${agent}`;
  }

  private read(): Record<string, { contextId?: unknown; taskId?: unknown }> {
    return (readJsonFile(this.file) ?? {}) as Record<string, { contextId?: unknown; taskId?: unknown }>;
  }
}
