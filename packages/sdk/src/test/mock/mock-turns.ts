import { sleep, systemClock } from '../../serve/clock.js';
import { type Handler, type Turn, TurnError, type TurnOutput } from '../../serve/turn.js';
import type { Message, Part, StreamEvent } from '../../wire.js';
import type { MockFault } from './mock-faults.js';

/** One step of a scripted answer, in order. */
export type MockStep =
  /** A piece of the answer: text, or a part of A2A 1.0. */
  | string
  | Part
  /** An event of A2A 1.0; its ids are replaced. */
  | StreamEvent
  /** A status text, such as "Reading the file". */
  | { status: string }
  /** Ends the turn with a question. */
  | { ask: string }
  /** Ends the turn as failed. */
  | { fail: string }
  /** Answers with a message instead of a task; only as the first step. */
  | { say: string }
  /** Waits, in milliseconds, or until the task is canceled. */
  | { delayMs: number };

/** A message that a turn may match. */
export interface Asked {
  text: string;
  message: Message;
  /** True if it answers a question. */
  isReply: boolean;
}

/** A scripted answer to the messages that it matches. */
export interface MockTurn {
  /** The text of the message, a pattern, or a function; every message by default. */
  when?: string | RegExp | ((asked: Asked) => boolean);
  reply: MockStep[] | ((turn: Turn) => MockStep[]);
  /** Breaks the response in one way. */
  fault?: MockFault;
}

/** Returns the first turn that matches a message. */
export function findTurn(turns: MockTurn[], message: Message): MockTurn | null {
  const text = message.parts.flatMap((part) => part.text ?? []).join('\n');
  const asked = { text, message, isReply: Boolean(message.taskId) };
  const matches = ({ when }: MockTurn): boolean => {
    if (when === undefined) return true;
    if (typeof when === 'string') return when === text;
    return when instanceof RegExp ? when.test(text) : when(asked);
  };
  return turns.find(matches) ?? null;
}

/** Returns a handler that plays scripted turns. Messages that none matches are sent back part by part. */
export function handlerOf(turns: MockTurn[]): Handler {
  return async function* play(turn: Turn): AsyncGenerator<TurnOutput, void, undefined> {
    const reply = findTurn(turns, turn.message)?.reply;
    const steps = typeof reply === 'function' ? reply(turn) : reply;
    if (!steps) return yield turn.artifact({ artifactId: 'echo', parts: turn.message.parts });
    for (const step of steps) {
      if (typeof step === 'object' && 'delayMs' in step) await sleep(systemClock, step.delayMs, turn.signal);
      else yield outputOf(step, turn);
    }
  };
}

function outputOf(step: Exclude<MockStep, { delayMs: number }>, turn: Turn): TurnOutput {
  if (typeof step === 'string') return step;
  if ('ask' in step) return turn.ask(step.ask);
  if ('fail' in step) throw new TurnError(step.fail);
  if ('say' in step) {
    return { message: { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts: [{ text: step.say }] } };
  }
  if ('status' in step) return turn.status(step.status);
  return step;
}
