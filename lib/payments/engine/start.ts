import { onGap, subscribe } from '../../platform/bus';
import { errorFields, log } from '../../platform/log';
import { shared } from '../../platform/registry';
import type { PaymentPorts } from '../ports';
import type { Tools } from './job';
import { runOutbox } from './run-outbox';

/** How often a node looks for work that it may not have heard of. */
const pollMs = 2_000;

interface Engine {
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | null;
  /** Something was heard while work was under way: look once more. */
  again: boolean;
  stop: AbortController;
  silence: (() => void)[];
}

function engine(): Engine {
  return shared('payments-engine', () => ({
    timer: undefined,
    running: null,
    again: false,
    stop: new AbortController(),
    silence: [],
  }));
}

/**
 * Does what orders need outside of the database from now on, on this node among others: as soon as a step asks for it, when
 * its time comes, and whatever a node that is gone has left.
 */
export function startPayments(ports: PaymentPorts): void {
  const { stop, silence } = engine();
  const tools: Tools = { ports, now: () => new Date(), signal: stop.signal };
  const wake = (): void => look(tools);
  silence.push(subscribe('order', '*', wake), onGap(wake));
  wake();
}

/** Ends what {@link startPayments} began, once the steps under way are over. */
export async function stopPayments(): Promise<void> {
  const { stop, silence, timer, running } = engine();
  stop.abort();
  clearTimeout(timer);
  for (const leave of silence) leave();
  await running;
}

function look(tools: Tools): void {
  const state = engine();
  state.again = true;
  if (state.running || state.stop.signal.aborted) return;
  clearTimeout(state.timer);
  state.running = work(tools).finally(() => {
    state.running = null;
    if (state.again) look(tools);
  });
}

async function work(tools: Tools): Promise<void> {
  const state = engine();
  let next: Date | null = null;
  while (state.again && !state.stop.signal.aborted) {
    state.again = false;
    try {
      next = await runOutbox(tools);
    } catch (error) {
      if (!state.stop.signal.aborted) log.error('payments.engine_failed', errorFields(error));
    }
  }
  const wait = next ? Math.max(next.getTime() - tools.now().getTime(), 0) : pollMs;
  if (!state.stop.signal.aborted) state.timer = setTimeout(() => look(tools), Math.min(wait, pollMs)).unref();
}
