import { type Counter, type Histogram, metrics } from '@opentelemetry/api';
import { errorFields, log } from '../platform/log';
import { processSingleton } from '../platform/singleton';
import { CALL_LOG_FLUSH_MS, MAX_BUFFERED_CALLS, MAX_BUFFERED_PER_AGENT } from './limits';
import { type AgentCall, insertAgentCalls } from './store/agent-call-log';

interface CallBuffer {
  calls: AgentCall[];
  /** Buffered calls per agent and outcome. */
  counts: Map<string, number>;
  timer: NodeJS.Timeout | null;
  dropped: Counter;
  duration: Histogram;
}

function callBuffer(): CallBuffer {
  return processSingleton('agent-calls', () => {
    const description = 'Agent calls missing from the log because too many arrived at the same time';
    const meter = metrics.getMeter('parley');
    const dropped = meter.createCounter('a2a.call_log.dropped', { description });
    const duration = meter.createHistogram('agent.call.duration', {
      description: 'Time of a call to an agent until the end of its response',
      unit: 's',
    });
    return { calls: [], counts: new Map(), timer: null, dropped, duration };
  });
}

/**
 * Logs a call to an agent for its owner, asynchronously: calls are buffered and inserted in batches. Calls beyond the
 * buffer's capacity are dropped and counted.
 */
export function recordAgentCall(call: AgentCall): void {
  const buffer = callBuffer();
  const { agentId, requestId, failure } = call;
  buffer.duration.record(call.ms / 1000, { outcome: failure?.code ?? 'ok' });
  if (failure) log.warn('agent.call_failed', { agentId, requestId, code: failure.code, message: failure.message });
  const kind = `${agentId} ${failure ? 'failed' : 'good'}`;
  const count = buffer.counts.get(kind) ?? 0;
  if (count >= MAX_BUFFERED_PER_AGENT || buffer.calls.length >= MAX_BUFFERED_CALLS) {
    buffer.dropped.add(1);
    return;
  }
  buffer.counts.set(kind, count + 1);
  buffer.calls.push(call);
  buffer.timer ??= setTimeout(() => void flushAgentCalls(), CALL_LOG_FLUSH_MS).unref();
}

/** Inserts all buffered calls. Never throws: logging must not fail the call. */
export async function flushAgentCalls(): Promise<void> {
  const buffer = callBuffer();
  if (buffer.timer) clearTimeout(buffer.timer);
  const { calls } = buffer;
  Object.assign(buffer, { calls: [], counts: new Map(), timer: null });
  if (calls.length === 0) return;
  try {
    await insertAgentCalls(calls);
  } catch (error) {
    buffer.dropped.add(calls.length);
    log.error('observability.write_failed', errorFields(error));
  }
}
