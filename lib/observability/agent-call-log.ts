import { type Counter, type Histogram, metrics } from '@opentelemetry/api';
import { isDatabaseUnavailable } from '../platform/db/database-errors';
import { chooseReplicaAgain } from '../platform/db/replicas/read-from-replica';
import { errorFields, log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { CallBuffer } from './call-buffer';
import { CALL_LOG_FLUSH_MS, MAX_CALL_LOG_ATTEMPTS } from './limits';
import { type AgentCall, type CallBatch, insertAgentCalls } from './store/agent-call-rows';

interface CallLogWriter {
  buffer: CallBuffer;
  /** Batches that have been removed from the buffer and are not stored yet. */
  batches: CallBatch[];
  /** The number of times the database rejected the first batch. */
  attempts: number;
  timer: NodeJS.Timeout | null;
  writing: Promise<void> | null;
  /** The flush after the current one. */
  next: Promise<void> | null;
  missing: Counter;
  retries: Counter;
  duration: Histogram;
}

const callLogWriter = once((): CallLogWriter => {
  const meter = metrics.getMeter('parley');
  return {
    buffer: new CallBuffer(),
    batches: [],
    attempts: 0,
    timer: null,
    writing: null,
    next: null,
    missing: meter.createCounter('a2a.call_log.dropped', {
      description: 'Agent calls missing from the log: too many arrived at the same time, or it could not be written',
    }),
    retries: meter.createCounter('a2a.call_log.retries', { description: 'Failed writes of the log of agent calls' }),
    duration: meter.createHistogram('agent.call.duration', {
      description: 'Time of a call to an agent until the end of its response',
      unit: 's',
    }),
  };
});

/**
 * Logs a call to an agent for its owner, asynchronously. Calls are buffered and inserted in batches. All calls are
 * counted; if there are more than the log's maximum, a sample is logged.
 */
export function recordAgentCall(call: AgentCall): void {
  const writer = callLogWriter();
  const { agentId, requestId, failure } = call;
  writer.duration.record(call.ms / 1000, { outcome: failure?.code ?? 'ok' });
  if (failure) log.warn('agent.call_failed', { agentId, requestId, code: failure.code, message: failure.message });
  writer.buffer.add(call);
  scheduleFlush(writer);
}

function scheduleFlush(writer: CallLogWriter): void {
  writer.timer ??= setTimeout(() => void flush(), CALL_LOG_FLUSH_MS).unref();
}

/** Inserts all calls recorded so far, which the caller then reads. Never throws: a failed write is retried later. */
export async function flushAgentCalls(): Promise<void> {
  await flush();
  await chooseReplicaAgain();
}

function flush(): Promise<void> {
  const writer = callLogWriter();
  if (writer.writing) {
    writer.next ??= writer.writing.then(() => {
      writer.next = null;
      return flush();
    });
    return writer.next;
  }
  writer.writing = write(writer).finally(() => {
    writer.writing = null;
  });
  return writer.writing;
}

async function write(writer: CallLogWriter): Promise<void> {
  if (writer.timer) clearTimeout(writer.timer);
  writer.timer = null;
  // Failed batches are written first; in the meantime, the buffer keeps a sample.
  if (!(await writeBatches(writer))) return;
  const { batches, missing } = writer.buffer.take();
  if (missing > 0) writer.missing.add(missing);
  writer.batches = batches;
  await writeBatches(writer);
}

/**
 * Writes the batches. Returns false if the database failed, in which case the remaining calls are kept for a later
 * attempt.
 */
async function writeBatches(writer: CallLogWriter): Promise<boolean> {
  for (let batch = writer.batches[0]; batch; batch = writer.batches[0]) {
    try {
      await insertAgentCalls(batch);
    } catch (error) {
      if (isToBeRetried(writer, error)) return false;
      writer.missing.add(batch.calls.length);
    }
    writer.batches.shift();
    writer.attempts = 0;
  }
  return true;
}

/** Returns true during an outage. A batch that the database rejects repeatedly is dropped. */
function isToBeRetried(writer: CallLogWriter, error: unknown): boolean {
  if (writer.attempts === 0) log.error('observability.write_failed', errorFields(error));
  if (isDatabaseUnavailable(error)) writer.attempts = Math.max(1, writer.attempts);
  else writer.attempts += 1;
  if (writer.attempts >= MAX_CALL_LOG_ATTEMPTS) return false;
  writer.retries.add(1);
  scheduleFlush(writer);
  return true;
}
