import { onConnectionGap, subscribe } from '../../platform/bus';
import { errorFields, log } from '../../platform/log';
import { processSingleton } from '../../platform/singleton';
import type { PaymentPorts } from '../ports';
import type { JobDeps } from './job';
import { runOutbox } from './run-outbox';

/** How often a node looks for work that it may not have heard of. */
const pollMs = 2_000;

interface WorkerState {
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | null;
  /** Something was heard while work was under way: look once more. */
  pollAgain: boolean;
  controller: AbortController;
  unsubscribers: (() => void)[];
}

function workerState(): WorkerState {
  return processSingleton('payments-engine', () => ({
    timer: undefined,
    running: null,
    pollAgain: false,
    controller: new AbortController(),
    unsubscribers: [],
  }));
}

/**
 * Does what orders need outside of the database from now on, on this node among others: as soon as a step asks for it, when
 * its time comes, and whatever a node that is gone has left.
 */
export function startPayments(ports: PaymentPorts): void {
  const { controller: stop, unsubscribers: silence } = workerState();
  const deps: JobDeps = { ports, now: () => new Date(), signal: stop.signal };
  const wake = (): void => poll(deps);
  silence.push(subscribe('order', '*', wake), onConnectionGap(wake));
  wake();
}

/** Ends what {@link startPayments} began, once the steps under way are over. */
export async function stopPayments(): Promise<void> {
  const { controller: stop, unsubscribers: silence, timer, running } = workerState();
  stop.abort();
  clearTimeout(timer);
  for (const unsubscribe of silence) unsubscribe();
  await running;
}

function poll(deps: JobDeps): void {
  const state = workerState();
  state.pollAgain = true;
  if (state.running || state.controller.signal.aborted) return;
  clearTimeout(state.timer);
  state.running = work(deps).finally(() => {
    state.running = null;
    if (state.pollAgain) poll(deps);
  });
}

async function work(deps: JobDeps): Promise<void> {
  const state = workerState();
  let next: Date | null = null;
  while (state.pollAgain && !state.controller.signal.aborted) {
    state.pollAgain = false;
    try {
      next = await runOutbox(deps);
    } catch (error) {
      if (!state.controller.signal.aborted) log.error('payments.engine_failed', errorFields(error));
    }
  }
  const wait = next ? Math.max(next.getTime() - deps.now().getTime(), 0) : pollMs;
  if (!state.controller.signal.aborted) state.timer = setTimeout(() => poll(deps), Math.min(wait, pollMs)).unref();
}
