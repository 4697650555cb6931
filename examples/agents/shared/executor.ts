import { randomUUID } from 'node:crypto';
import { TaskState } from '@a2a-js/sdk';
import type { AgentExecutor } from '@a2a-js/sdk/server';
import { Turn } from './turn';

/** The SDK's executor with additions for the server. */
export interface TurnExecutor extends AgentExecutor {
  /** Returns true while a message of this caller on this task is being processed. */
  isRunning(taskId: string, subject: string): boolean;
  /** Fails every running turn, before the process exits. */
  stopAll(): void;
}

/**
 * Creates an executor that runs one function per incoming message. Canceling a task stops its turn immediately; an
 * error of the function fails the task and exposes only a log reference to the caller.
 */
export function createExecutor(takeTurn: (turn: Turn) => Promise<void>): TurnExecutor {
  const running = new Map<string, Turn>();

  return {
    isRunning: (taskId, subject) => running.get(taskId)?.caller.subject === subject,

    stopAll() {
      for (const turn of running.values())
        turn.stop('The agent was stopped. Send your message again later.', TaskState.TASK_STATE_FAILED);
    },

    async execute(request, bus) {
      const turn = new Turn(request, bus);
      running.set(turn.taskId, turn);
      try {
        await takeTurn(turn);
      } catch (error) {
        if (!turn.signal.aborted) reportFailure(turn, error);
      } finally {
        running.delete(turn.taskId);
      }
    },

    async cancelTask(taskId) {
      running.get(taskId)?.stop('Stopped, as you asked.', TaskState.TASK_STATE_CANCELED);
    },
  };
}

function reportFailure(turn: Turn, error: unknown): void {
  const reference = randomUUID().slice(0, 8);
  console.error(`turn failed, reference ${reference}, task ${turn.taskId}:`, error);
  turn.fail(
    `Something went wrong on this agent's side, not because of your message. Its operator can find the error in the log as ${reference}.`,
  );
}
