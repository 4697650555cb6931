import { LEGACY_SEND_WAIT_MS, SOCIETY_SEND_WAIT_MS } from '../../../limits';
/** The legacy systems at whose paths Parley responds, each with its variant of A2A 0.1. */
export type LegacySystem = 'society' | 'societyai' | 'orloj' | 'agentos';

/** The output format of a variant of A2A 0.1. All variants are decoded alike. */
export interface Variant {
  key: '0.1' | LegacySystem;
  canceled: 'canceled' | 'cancelled';
  /** Supports the state `rejected`; otherwise it is written as `failed`. */
  hasRejected: boolean;
  /** Supports `input-required`; otherwise the question is the answer of a completed task. */
  hasQuestions: boolean;
  statusMessage: 'message' | 'text';
  transcript: 'history' | 'messages';
  /** Where callers read the output; `unchanged` adds nothing. */
  output: 'unchanged' | 'both' | 'artifacts' | 'status';
  parts: 'all' | 'any-data' | 'inline-files' | 'text-only';
  metadata: 'any' | 'strings' | 'none';
  hasSession: boolean;
  /** Timestamps: none, of the status, or also of the task's creation. */
  times: 'none' | 'status' | 'all';
  /** The content of a stream event: an update in a JSON-RPC response, or the bare task. */
  frames: 'updates' | 'tasks';
  /** Generates a task id for a send without one; otherwise it is rejected. */
  makesIds: boolean;
  /** The default wait of a send for the end of the turn, milliseconds. */
  waitMs: number;
}

const plain: Variant = {
  key: '0.1',
  canceled: 'canceled',
  hasRejected: false,
  hasQuestions: true,
  statusMessage: 'message',
  transcript: 'history',
  output: 'unchanged',
  parts: 'all',
  metadata: 'any',
  hasSession: true,
  times: 'status',
  frames: 'updates',
  makesIds: false,
  waitMs: LEGACY_SEND_WAIT_MS,
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
    waitMs: SOCIETY_SEND_WAIT_MS,
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
