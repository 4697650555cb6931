import { LEGACY_SEND_WAIT_MS, SOCIETY_SEND_WAIT_MS } from '../../../limits';
import { type EncodedError, type ErrorToEncode, toOrlojError, toSocietyError, toV01Error } from '../encode-errors';

/** The legacy systems for which Parley provides paths, each with its variant of A2A 0.1. */
export type LegacySystem = 'society' | 'societyai' | 'orloj' | 'agentos';

/** The behavior of calls in a variant of A2A 0.1, apart from their format. */
export interface CallTraits {
  /** True if a task id identifies a thread: another send with the same id starts its next turn (Society). */
  threads: boolean;
  /** True if the history is returned only when the agent's card has `stateTransitionHistory`. */
  historyNeedsCard: boolean;
  /** True if `metadata.task_id` contains Parley's task id. */
  publishesTaskId: boolean;
  /** True if a stream stays open while the agent waits for input. */
  followsQuestions: boolean;
  /** Default time for which a send waits for the end of the turn, milliseconds. */
  waitMs: number;
}

/** The output format of a variant of A2A 0.1, and the behavior of its calls. All variants are decoded the same way. */
export interface Variant {
  key: '0.1' | LegacySystem;
  canceled: 'canceled' | 'cancelled';
  /** True if it supports the state `rejected`, which is otherwise written as `failed`. */
  hasRejected: boolean;
  /** True if it supports `input-required`. Otherwise, the question is the answer of a completed task. */
  hasQuestions: boolean;
  statusMessage: 'message' | 'text';
  transcript: 'history' | 'messages';
  /** True if an empty history is omitted. */
  omitsEmptyHistory: boolean;
  /** The members from which callers read the output. `unchanged` adds none. */
  output: 'unchanged' | 'both' | 'artifacts' | 'status';
  parts: 'all' | 'any-data' | 'inline-files' | 'text-only';
  metadata: 'any' | 'strings' | 'none';
  /** True if a task without metadata has an empty object as metadata. */
  hasEmptyMetadata: boolean;
  hasSession: boolean;
  /** The timestamps in the output: none, those of the status, or also that of the task's creation. */
  times: 'none' | 'status' | 'all';
  /** The content of a stream event: an update in a JSON-RPC response, or the bare task. */
  frames: 'updates' | 'tasks';
  /** True if a task id is generated for a send without one, which is otherwise rejected. */
  makesIds: boolean;
  toError: (error: ErrorToEncode) => EncodedError;
  /** Codes of errors that have HTTP status 200, in contrast to later versions. */
  errorsWithStatus200: readonly ErrorToEncode['code'][];
  /** True if a request without an id is executed as a notification. Otherwise, it is rejected. */
  hasNotifications: boolean;
  calls: CallTraits;
}

const plainCalls: CallTraits = {
  threads: false,
  historyNeedsCard: false,
  publishesTaskId: false,
  followsQuestions: false,
  waitMs: LEGACY_SEND_WAIT_MS,
};

const plain: Variant = {
  key: '0.1',
  canceled: 'canceled',
  hasRejected: false,
  hasQuestions: true,
  statusMessage: 'message',
  transcript: 'history',
  omitsEmptyHistory: false,
  output: 'unchanged',
  parts: 'all',
  metadata: 'any',
  hasEmptyMetadata: false,
  hasSession: true,
  times: 'status',
  frames: 'updates',
  makesIds: false,
  toError: toV01Error,
  errorsWithStatus200: ['agent_not_found'],
  hasNotifications: true,
  calls: plainCalls,
};

/** A2A 0.1 as specified, and the variants of the four legacy systems. */
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
    toError: toSocietyError,
    errorsWithStatus200: ['agent_not_found', 'payload_too_large'],
    hasNotifications: false,
    calls: {
      ...plainCalls,
      threads: true,
      waitMs: SOCIETY_SEND_WAIT_MS,
    },
  },
  societyai: { ...plain, key: 'societyai', output: 'both', times: 'none' },
  orloj: {
    ...plain,
    key: 'orloj',
    hasRejected: true,
    omitsEmptyHistory: true,
    output: 'both',
    parts: 'any-data',
    metadata: 'strings',
    hasSession: false,
    times: 'none',
    frames: 'tasks',
    toError: toOrlojError,
    calls: { ...plainCalls, historyNeedsCard: true, publishesTaskId: true, followsQuestions: true },
  },
  agentos: {
    ...plain,
    key: 'agentos',
    canceled: 'cancelled',
    output: 'status',
    parts: 'inline-files',
    hasEmptyMetadata: true,
    times: 'all',
    makesIds: true,
  },
};
