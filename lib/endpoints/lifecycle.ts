import { backfillSkeletons, recheckOwnerships, refreshCards, refreshIcons } from '../catalog';
import { indexIdleConversations } from '../chat';
import { computeRankings } from '../discovery';
import {
  cancelRunsOfSuspendedAgents,
  compactFinishedTasks,
  countRuns,
  deleteOldHttpExchanges,
  drainRuns,
  endTimedTails,
  onPaymentEvents,
  pollInterruptedTasks,
  releaseAllRuns,
  resumeOrphanedRuns,
  resumeStalledRuns,
  startPushWorker,
  stopPushWorker,
  streamTaskEvents,
  syncBreakers,
} from '../gateway';
import { countStreams } from '../http/sse/send-stream';
import { pruneLimits } from '../limits';
import { sendDecisionEmails } from '../moderation';
import { addGauge, flushAgentCalls, pruneAgentCalls, startTelemetry, syncTestedAgents } from '../observability';
import {
  expireOrders,
  onAgentMessage,
  prunePayments,
  reconcileStripeEvents,
  setTaskEventReader,
  startPayments,
  stopPayments,
} from '../payments';
import { isListening, onConnectionGap, startBus, stopBus } from '../platform/bus';
import { isDatabaseUnavailable } from '../platform/database-errors';
import { EnvError } from '../platform/env';
import { errorFields, log } from '../platform/log';
import { closePipeline } from '../platform/pipelined-connection';
import { addReadinessCheck } from '../platform/readiness';
import { processSingleton } from '../platform/singleton';
import { closePool } from '../platform/sql';
import { probeAgents, pruneProbes, reconcileSchedules, runSyntheticChecks } from '../probes';
import { recordStatus } from '../status';
import { ensureSigningKeys, findKeyFault, findSealedKeyFault } from '../tokens';
import { paymentPorts } from './payment-ports';
import { statusChecks } from './status-checks';

const hourMs = 3_600_000;
/** How often conversations that have come to rest are taken into the search. */
const searchIndexIntervalMs = 5_000;
const compactionIntervalMs = 300_000;
const pruneIntervalMs = 300_000;
/** How often this node looks for waiting tasks whose agent is due to be asked. */
const authRequiredPollMs = 2_000;
/** How often a node looks for runs whose node is gone: they must go on within 3 s. */
const orphanedRunPollMs = 500;
/** How often this node looks for runs of its own that it lost, and how long such a run has said nothing. */
const stalledRunPollMs = 60_000;
/** How long a run has said nothing that is lost when the database was away. */
const stalledAfterGapMs = 10_000;
/** How often this node looks whether the card of some agent is due. */
const cardPollMs = 10_000;
/** How often this node looks whether some agent's probe is due, or its standing. */
const probePollMs = 1_000;
/** How often this node looks for agents that are to be probed and are not, or the other way round. */
const reconcileIntervalMs = 15_000;
/** How often this node looks for orders whose time has come. */
const orderPollMs = 5_000;
/** How often this node looks for what moderation has left to do. */
const moderationPollMs = 2_000;
/** How often this node looks at every part for the status page. */
const statusIntervalMs = 60_000;
/** How often notices of the card processor are looked for that did not come. */
const stripeReconcileIntervalMs = 300_000;

interface Node {
  started: Promise<void>;
  timers: NodeJS.Timeout[];
  /** Ends what a round has under way. */
  stop: AbortController;
}

/**
 * Makes this process a node: it hears notices, holds its lock, has signing keys and takes up runs whose node is gone. Once
 * per process, whether `server.ts` or Next's instrumentation comes first.
 */
export function startNode(): Promise<void> {
  return node().started;
}

/** Takes up nothing by itself any more, and gives the runs of this node `withinMs` milliseconds to end. */
export async function drainNode(withinMs: number): Promise<void> {
  for (const timer of node().timers) clearInterval(timer);
  await drainRuns(withinMs);
}

/** Leaves the runs that remain to another node or the next start; whoever waits for one is answered with the task as it stands. */
export async function releaseNodeRuns(): Promise<void> {
  endTimedTails();
  await releaseAllRuns();
}

/** Ends what {@link startNode} began. */
export async function stopNode(): Promise<void> {
  const { timers, stop } = node();
  for (const timer of timers) clearInterval(timer);
  stop.abort();
  await releaseAllRuns();
  await stopPushWorker();
  await stopPayments();
  await flushAgentCalls();
  await stopBus();
  await Promise.all([closePipeline(), closePool()]);
  await (await startTelemetry())();
}

function node(): Node {
  return processSingleton('node', () => {
    const stop = new AbortController();
    const timers = [
      scheduleEvery(hourMs, 'keys.rotation_failed', () => ensureSigningKeys(new Date())),
      scheduleEvery(orphanedRunPollMs, 'runs.take_over_failed', async () => isListening() && resumeOrphanedRuns()),
      scheduleEvery(
        stalledRunPollMs,
        'runs.readopt_failed',
        async () => isListening() && resumeStalledRuns(stalledRunPollMs),
      ),
      scheduleEvery(authRequiredPollMs, 'waiting_tasks.poll_failed', () =>
        pollInterruptedTasks({ now: new Date(), signal: stop.signal }),
      ),
      scheduleEvery(compactionIntervalMs, 'tasks.packing_failed', () => compactFinishedTasks(new Date())),
      scheduleEvery(searchIndexIntervalMs, 'texts.indexing_failed', () => indexIdleConversations(new Date())),
      scheduleEvery(pruneIntervalMs, 'limits.tidy_failed', pruneLimits),
      scheduleEvery(hourMs, 'wires.tidy_failed', () => deleteOldHttpExchanges(new Date())),
      scheduleEvery(pruneIntervalMs, 'calls.tidy_failed', () => pruneAgentCalls(new Date())),
      scheduleEvery(orderPollMs, 'payments.tending_failed', () => expireOrders(new Date())),
      scheduleEvery(stripeReconcileIntervalMs, 'payments.catch_up_failed', () => reconcileStripeEvents(new Date())),
      scheduleEvery(hourMs, 'payments.tidy_failed', () => prunePayments(new Date())),
      scheduleEvery(statusIntervalMs, 'status.record_failed', () => recordStatus(statusChecks(), new Date())),
      scheduleEvery(cardPollMs, 'cards.refresh_failed', () => refreshCards({ now: new Date(), signal: stop.signal })),
      scheduleEvery(probePollMs, 'probes.reach_failed', () => probeAgents({ now: new Date(), signal: stop.signal })),
      scheduleEvery(probePollMs, 'probes.run_failed', () =>
        runSyntheticChecks({ now: new Date(), signal: stop.signal }),
      ),
      scheduleEvery(reconcileIntervalMs, 'probes.watches_failed', () => reconcileSchedules(new Date())),
      scheduleEvery(probePollMs, 'standings.failed', () => computeRankings(new Date())),
      scheduleEvery(hourMs, 'probes.tidy_failed', () => pruneProbes(new Date())),
      scheduleEvery(hourMs, 'looks.completing_failed', backfillSkeletons),
      scheduleEvery(cardPollMs, 'icons.refresh_failed', () => refreshIcons({ now: new Date(), signal: stop.signal })),
      scheduleEvery(moderationPollMs, 'moderation.mails_failed', () => sendDecisionEmails(new Date())),
      scheduleEvery(moderationPollMs, 'moderation.ending_failed', () =>
        cancelRunsOfSuspendedAgents({ now: new Date(), signal: stop.signal }),
      ),
      scheduleEvery(cardPollMs, 'ownerships.check_failed', () =>
        recheckOwnerships({ now: new Date(), signal: stop.signal }),
      ),
    ];
    return { started: start(), timers, stop };
  });
}

/** Rounds never overlap: one that takes long only delays the next. */
function scheduleEvery(ms: number, errorEvent: string, work: () => Promise<unknown>): NodeJS.Timeout {
  let running = false;
  async function tick(): Promise<void> {
    if (running) return;
    running = true;
    try {
      await work();
    } catch (error) {
      if (!node().stop.signal.aborted) log.error(errorEvent, errorFields(error));
    } finally {
      running = false;
    }
  }
  return setInterval(() => void tick(), ms).unref();
}

async function start(): Promise<void> {
  await startTelemetry();
  addGauge('a2a.runs', 'Runs that this process carries', countRuns);
  addGauge('streams.open', 'Streams that are being read', countStreams);
  addReadinessCheck({ name: 'keys', check: () => findKeyFault(new Date()) });
  await startBus();
  await skipIfDatabaseUnavailable(prepareKeys);
  onPaymentEvents((event) => onAgentMessage(event, new Date()));
  setTaskEventReader(streamTaskEvents);
  await skipIfDatabaseUnavailable(resumeOrphanedRuns);
  onConnectionGap(() => {
    if (isListening())
      resumeStalledRuns(stalledAfterGapMs).catch((error) => log.warn('runs.readopt_failed', errorFields(error)));
  });
  syncBreakers();
  syncTestedAgents();
  startPushWorker();
  startPayments(paymentPorts);
  reconcileStripeEvents(new Date()).catch((error) => log.warn('payments.catch_up_failed', errorFields(error)));
}

/** A key that does not open what the database holds would fail each call by itself; the process says so at once and ends. */
async function prepareKeys(): Promise<void> {
  const fault = await findSealedKeyFault();
  if (fault) throw new EnvError(fault);
  await ensureSigningKeys(new Date());
}

/** A node may start while the database is away or read-only: it is not ready then, and does this later by itself. */
async function skipIfDatabaseUnavailable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    log.warn('node.started_without_database', errorFields(error));
  }
}
