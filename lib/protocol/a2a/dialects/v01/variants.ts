/** The systems whose own paths Parley answers on, each with its variation of A2A 0.1. */
export type LegacySystem = 'society' | 'societyai' | 'orloj' | 'agentos';

/** What sets one variation of A2A 0.1 apart from the others. All are read alike; they differ in what they write. */
export interface Variant {
  key: '0.1' | LegacySystem;
  canceled: 'canceled' | 'cancelled';
  /** It has the state `rejected`; where it is missing the task reads as `failed`. */
  hasRejected: boolean;
  /** It has `input-required`; where it is missing the question is the answer of a completed task. */
  hasQuestions: boolean;
  statusMessage: 'message' | 'text';
  transcript: 'history' | 'messages';
  /** Where its callers look for the agent's last word: both places, or the one that is named. */
  output: 'as-told' | 'both' | 'artifacts' | 'status';
  parts: 'all' | 'any-data' | 'inline-files' | 'text-only';
  metadata: 'any' | 'strings' | 'none';
  hasSession: boolean;
  /** Which times it writes: none, that of the status, that of the task's creation as well. */
  times: 'none' | 'status' | 'all';
  /** What an event of a stream holds: a change in a JSON-RPC answer, or the whole bare task. */
  frames: 'updates' | 'tasks';
  /** A send without a task id gets one from us; elsewhere it is refused. */
  makesIds: boolean;
  /** The longest a send waits for the end of the turn unless the caller says otherwise, milliseconds. */
  waitMs: number;
}

const plain: Variant = {
  key: '0.1',
  canceled: 'canceled',
  hasRejected: false,
  hasQuestions: true,
  statusMessage: 'message',
  transcript: 'history',
  output: 'as-told',
  parts: 'all',
  metadata: 'any',
  hasSession: true,
  times: 'status',
  frames: 'updates',
  makesIds: false,
  waitMs: 60_000,
};

/** A2A 0.1 as its specification has it, and what the four systems made of it. */
export const variants: Record<Variant['key'], Variant> = {
  '0.1': plain,
  society: {
    ...plain,
    key: 'society',
    canceled: 'cancelled',
    hasQuestions: false,
    statusMessage: 'text',
    transcript: 'messages',
    output: 'artifacts',
    parts: 'text-only',
    metadata: 'none',
    hasSession: false,
    times: 'none',
    waitMs: 30_000,
  },
  societyai: { ...plain, key: 'societyai', output: 'both', times: 'none' },
  orloj: {
    ...plain,
    key: 'orloj',
    hasRejected: true,
    output: 'both',
    parts: 'any-data',
    metadata: 'strings',
    hasSession: false,
    times: 'none',
    frames: 'tasks',
  },
  agentos: {
    ...plain,
    key: 'agentos',
    canceled: 'cancelled',
    output: 'status',
    parts: 'inline-files',
    times: 'all',
    makesIds: true,
  },
};
