/** Limits of a test. Times are in milliseconds. */
export interface TestLimits {
  /** From a request to the agent's card, an error or the first event of a stream. */
  firstByteMs: number;
  /** From a message to the end of the agent's work on it. */
  answerMs: number;
  /** From the last event of a stream to its end, and from a cancellation to the end of the task. */
  settleMs: number;
  /** Of all checks together. Those that remain are skipped. */
  totalMs: number;
  /** Largest response to one request, and largest event of a stream, in bytes. */
  maxResponseBytes: number;
  maxEventBytes: number;
  /** Size of all responses of a test together, in bytes. The checks that remain are skipped. */
  maxTotalBytes: number;
  /** Number of skill examples that are sent. */
  maxExamples: number;
  /** Number of requests of a test. The checks that remain are skipped. */
  maxRequests: number;
}

/** The limits of `testAgent` unless others are given. */
export const TEST_LIMITS: TestLimits = {
  firstByteMs: 10_000,
  answerMs: 60_000,
  settleMs: 5_000,
  totalMs: 600_000,
  maxResponseBytes: 16 * 1_048_576,
  maxEventBytes: 1_048_576,
  maxTotalBytes: 128 * 1_048_576,
  maxExamples: 40,
  maxRequests: 400,
};

/** Returns these limits with the others' defaults. No part of an answer may take longer than the answer. */
export function limitsOf(given: Partial<TestLimits> = {}): TestLimits {
  const limits = { ...TEST_LIMITS, ...given };
  const { answerMs, firstByteMs, settleMs } = limits;
  return { ...limits, firstByteMs: Math.min(firstByteMs, answerMs), settleMs: Math.min(settleMs, answerMs) };
}
