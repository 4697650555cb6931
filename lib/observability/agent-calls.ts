import { type Counter, metrics } from '@opentelemetry/api';
import { errorFields, log } from '../platform/log';
import { processSingleton } from '../platform/singleton';
import { type AgentCall, insertAgentCalls } from './store/agent-calls';

interface CallBuffer {
  calls: AgentCall[];
  /** How many of an agent's calls wait, good ones and failed ones apart. */
  counts: Map<string, number>;
  timer: NodeJS.Timeout | null;
  dropped: Counter;
}

const flushIntervalMs = 1_000;
/** Calls of one agent that are written in one round, good ones and failed ones each; and those of all agents. */
const maxPerAgent = 200;
const maxBuffered = 2_000;

function callBuffer(): CallBuffer {
  return processSingleton('agent-calls', () => {
    const description = 'Calls of agents that are missing in their log because too many came at once';
    const dropped = metrics.getMeter('parley').createCounter('agent_log.dropped', { description });
    return { calls: [], counts: new Map(), timer: null, dropped };
  });
}

/**
 * Notes a call of an agent for its owner. Costs the call nothing: it is written with others within a second, and left out
 * (and counted as such) when there are more than an owner could read.
 */
export function recordAgentCall(call: AgentCall): void {
  const buffer = callBuffer();
  const { agentId, requestId, failure } = call;
  if (failure) log.warn('agent.call_failed', { agentId, requestId, code: failure.code, message: failure.message });
  const kind = `${agentId} ${failure ? 'failed' : 'good'}`;
  const count = buffer.counts.get(kind) ?? 0;
  if (count >= maxPerAgent || buffer.calls.length >= maxBuffered) {
    buffer.dropped.add(1);
    return;
  }
  buffer.counts.set(kind, count + 1);
  buffer.calls.push(call);
  buffer.timer ??= setTimeout(() => void flushAgentCalls(), flushIntervalMs).unref();
}

/** Writes what waits. Never throws: watching must not break what is watched. */
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
