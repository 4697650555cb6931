import { backfillSkeletons, recheckOwnerships, refreshCards, refreshIcons } from '../catalog';
import { eraseDeletedConversations, indexIdleConversations } from '../chat';
import { startConcierge } from '../concierge';
import { computeRankings, runSavedSearches, translateToEnglish } from '../discovery';
import { advanceModels, prepareIndexes, startFilling, stopFilling } from '../embeddings';
import {
  cancelRunsOfSuspendedAgents,
  compactFinishedTasks,
  deleteOutdated,
  drainRuns,
  endTimedTails,
  expireHubRuns,
  gatewayAgentCalls,
  gatewayRunSource,
  lookForMissedNotices,
  onPaymentEvents,
  pollInterruptedTasks,
  releaseAllRuns,
  replayPaymentEvents,
  resumeOrphanedRuns,
  resumeStalledRuns,
  sendOnBehalfOf,
  setTaskOrderReader,
  startPushWorker,
  stopPushWorker,
  streamTaskEvents,
  syncBreakers,
} from '../gateway';
import { deleteOldTranscripts } from '../hosts';
import { closeHub, disconnectAll, drainHub, setAgentCalls, setRunSource, startHub } from '../hub';
import { pruneLimits } from '../limits';
import { sendDecisionEmails } from '../moderation';
import { flushAgentCalls, pruneAgentCalls, startTelemetry, syncTestedAgents } from '../observability';
import {
  deliverMandates,
  expireOrders,
  findOrdersOfTasks,
  notifyParties,
  onAgentMessage,
  type PaymentPorts,
  prunePayments,
  reconcileStripeEvents,
  sendDigests,
  setTaskEventReader,
  startPayments,
  stopPayments,
} from '../payments';
import { canSeePeers, isListening, onConnectionGap, startBus, stopBus } from '../platform/bus';
import { logConnectionBudget } from '../platform/connection-budget';
import { errorFields, log } from '../platform/log';
import { joinPeers, leavePeers, peerError } from '../platform/peers';
import { closePipeline } from '../platform/pipelined-statements';
import { addReadinessCheck } from '../platform/readiness';
import { requireSessions } from '../platform/require-sessions';
import { loadRootSecret } from '../platform/root-secret';
import { processSingleton } from '../platform/singleton';
import { closePool } from '../platform/sql';
import { probeAgents, pruneProbes, reconcileSchedules, runSyntheticChecks } from '../probes';
import { recordStatus } from '../status';
import { ensureSigningKeys, findKeyError } from '../tokens';
import { jobScheduler } from './jobs';
import {
  AUTH_REQUIRED_POLL_MS,
  CARD_POLL_MS,
  COMPACTION_INTERVAL_MS,
  DIGEST_POLL_MS,
  EMBEDDING_INDEX_POLL_MS,
  EMBEDDING_MODEL_POLL_MS,
  EMBEDDINGS_START_DELAY_MS,
  HUB_RUN_POLL_MS,
  KEY_ROTATION_INTERVAL_MS,
  MODERATION_POLL_MS,
  ORDER_POLL_MS,
  ORPHANED_RUN_POLL_MS,
  PEER_POLL_MS,
  PROBE_POLL_MS,
  PRUNE_INTERVAL_MS,
  RETENTION_INTERVAL_MS,
  SAVED_SEARCH_POLL_MS,
  SCHEDULE_RECONCILE_INTERVAL_MS,
  SEARCH_INDEX_INTERVAL_MS,
  SKELETON_BACKFILL_INTERVAL_MS,
  STALLED_AFTER_GAP_MS,
  STALLED_RUN_POLL_MS,
  STATUS_INTERVAL_MS,
  STRIPE_RECONCILE_INTERVAL_MS,
} from './limits';
import { addNodeGauges } from './node-gauges';
import { statusChecks } from './site/status';
import { joinAtStart, prepareKeys, skipIfDatabaseUnavailable } from './start-checks';

interface Node {
  started: Promise<void>;
  timers: NodeJS.Timeout[];
  /** Aborts the rounds in progress. */
  stop: AbortController;
}

/**
 * Makes this process a node: it listens for notifications, holds its lock, has signing keys and resumes orphaned runs.
 * Once per process, for `server.ts` and Next's instrumentation alike.
 */
export function startNode(): Promise<void> {
  return node().started;
}

/** Stops all background work and waits up to `withinMs` for the runs of this node. */
export async function drainNode(withinMs: number): Promise<void> {
  for (const timer of node().timers) clearInterval(timer);
  drainHub();
  await drainRuns(withinMs);
}

/** Releases the remaining runs to another node or the next start. Waiting callers get the task in its current state. */
export async function releaseNodeRuns(): Promise<void> {
  endTimedTails();
  closeHub();
  await releaseAllRuns();
}

/** Stops everything that {@link startNode} started. */
export async function stopNode(): Promise<void> {
  const { timers, stop } = node();
  for (const timer of timers) clearInterval(timer);
  stop.abort();
  await releaseAllRuns();
  await stopPushWorker();
  await stopFilling();
  await stopPayments();
  await flushAgentCalls();
  await disconnectAll().catch((error) => log.debug('hub.leave_failed', errorFields(error)));
  await leavePeers().catch((error) => log.debug('peers.leave_failed', errorFields(error)));
  await stopBus();
  await Promise.all([closePipeline(), closePool()]);
  await (await startTelemetry())();
}

function node(): Node {
  return processSingleton('node', () => {
    const stop = new AbortController();
    const scheduleEvery = jobScheduler(stop.signal);
    const timers = [
      scheduleEvery(KEY_ROTATION_INTERVAL_MS, 'keys.rotation_failed', () => ensureSigningKeys(new Date())),
      scheduleEvery(
        ORPHANED_RUN_POLL_MS,
        'runs.orphaned_resume_failed',
        async () => canSeePeers() && resumeOrphanedRuns(),
      ),
      scheduleEvery(
        STALLED_RUN_POLL_MS,
        'runs.stalled_resume_failed',
        async () => isListening() && resumeStalledRuns(STALLED_RUN_POLL_MS),
      ),
      scheduleEvery(PEER_POLL_MS, 'keys.root_failed', async () => !(await loadRootSecret())),
      scheduleEvery(PEER_POLL_MS, 'peers.join_failed', async () => isListening() && joinPeers(new Date())),
      scheduleEvery(HUB_RUN_POLL_MS, 'runs.expiry_failed', async () => isListening() && expireHubRuns()),
      scheduleEvery(AUTH_REQUIRED_POLL_MS, 'interrupted_tasks.poll_failed', () =>
        pollInterruptedTasks({ now: new Date(), signal: stop.signal }),
      ),
      scheduleEvery(COMPACTION_INTERVAL_MS, 'tasks.compaction_failed', () => compactFinishedTasks(new Date())),
      scheduleEvery(SEARCH_INDEX_INTERVAL_MS, 'texts.indexing_failed', () => indexIdleConversations(new Date())),
      scheduleEvery(PRUNE_INTERVAL_MS, 'limits.prune_failed', pruneLimits),
      scheduleEvery(RETENTION_INTERVAL_MS, 'retention.deletion_failed', () => deleteOutdated(new Date())),
      scheduleEvery(RETENTION_INTERVAL_MS, 'conversations.erasure_failed', () => eraseDeletedConversations(new Date())),
      scheduleEvery(PRUNE_INTERVAL_MS, 'calls.prune_failed', () => pruneAgentCalls(new Date())),
      scheduleEvery(ORDER_POLL_MS, 'payments.expiry_failed', () => expireOrders(new Date())),
      scheduleEvery(STRIPE_RECONCILE_INTERVAL_MS, 'payments.reconciliation_failed', () =>
        reconcileStripeEvents(new Date()),
      ),
      scheduleEvery(DIGEST_POLL_MS, 'payments.digest_failed', () => sendDigests(new Date())),
      scheduleEvery(RETENTION_INTERVAL_MS, 'payments.prune_failed', () => prunePayments(new Date())),
      scheduleEvery(STATUS_INTERVAL_MS, 'status.record_failed', () => recordStatus(statusChecks(), new Date())),
      scheduleEvery(CARD_POLL_MS, 'cards.refresh_failed', () => refreshCards({ now: new Date(), signal: stop.signal })),
      scheduleEvery(PROBE_POLL_MS, 'probes.reach_failed', () => probeAgents({ now: new Date(), signal: stop.signal })),
      scheduleEvery(PROBE_POLL_MS, 'probes.run_failed', () =>
        runSyntheticChecks({ now: new Date(), signal: stop.signal }),
      ),
      scheduleEvery(SCHEDULE_RECONCILE_INTERVAL_MS, 'probes.scheduling_failed', () => reconcileSchedules(new Date())),
      scheduleEvery(PROBE_POLL_MS, 'rankings.computation_failed', () => computeRankings(new Date())),
      scheduleEvery(EMBEDDING_MODEL_POLL_MS, 'embeddings.check_failed', () => advanceModels(new Date())),
      scheduleEvery(SAVED_SEARCH_POLL_MS, 'saved_searches.run_failed', () => runSavedSearches(new Date())),
      scheduleEvery(EMBEDDING_INDEX_POLL_MS, 'embeddings.index_failed', prepareIndexes),
      scheduleEvery(RETENTION_INTERVAL_MS, 'transcripts.prune_failed', () => deleteOldTranscripts(new Date())),
      scheduleEvery(RETENTION_INTERVAL_MS, 'probes.prune_failed', () => pruneProbes(new Date())),
      scheduleEvery(SKELETON_BACKFILL_INTERVAL_MS, 'skeletons.backfill_failed', backfillSkeletons),
      scheduleEvery(CARD_POLL_MS, 'icons.refresh_failed', () => refreshIcons({ now: new Date(), signal: stop.signal })),
      scheduleEvery(MODERATION_POLL_MS, 'moderation.emails_failed', () => sendDecisionEmails(new Date())),
      scheduleEvery(MODERATION_POLL_MS, 'moderation.cancellation_failed', () =>
        cancelRunsOfSuspendedAgents({ now: new Date(), signal: stop.signal }),
      ),
      scheduleEvery(CARD_POLL_MS, 'ownerships.check_failed', () =>
        recheckOwnerships({ now: new Date(), signal: stop.signal }),
      ),
    ];
    return { started: start(), timers, stop };
  });
}

async function start(): Promise<void> {
  await startTelemetry();
  addNodeGauges();
  addReadinessCheck({
    name: 'keys',
    check: async () => (await loadRootSecret()) ?? findKeyError(new Date()),
    needsDatabase: true,
  });
  addReadinessCheck({ name: 'release', check: async () => peerError() });
  await skipIfDatabaseUnavailable(requireSessions);
  await startBus();
  await skipIfDatabaseUnavailable(joinAtStart);
  await skipIfDatabaseUnavailable(logConnectionBudget);
  await skipIfDatabaseUnavailable(prepareKeys);
  onPaymentEvents((event) => onAgentMessage(event, new Date()));
  setTaskEventReader(streamTaskEvents);
  setTaskOrderReader(findOrdersOfTasks);
  setRunSource(gatewayRunSource);
  setAgentCalls(gatewayAgentCalls);
  startHub();
  await skipIfDatabaseUnavailable(() => startConcierge(new Date()));
  await skipIfDatabaseUnavailable(resumeOrphanedRuns);
  onConnectionGap(() => {
    if (isListening())
      resumeStalledRuns(STALLED_AFTER_GAP_MS).catch((error) =>
        log.warn('runs.stalled_resume_failed', errorFields(error)),
      );
  });
  syncBreakers();
  syncTestedAgents();
  startPushWorker();
  lookForMissedNotices(node().stop.signal);
  setTimeout(startEmbeddings, EMBEDDINGS_START_DELAY_MS).unref();
  startPayments(paymentPorts);
  reconcileStripeEvents(new Date()).catch((error) => log.warn('payments.reconciliation_failed', errorFields(error)));
}

/** What payments need of the gateway. */
const paymentPorts: PaymentPorts = {
  deliver: (order, { now, signal }) =>
    deliverMandates(order, {
      now,
      signal,
      send: sendOnBehalfOf,
      replayPaymentEvents: ({ userId, contextId }) => replayPaymentEvents({ userId, contextId }),
    }),
  notify: (order, announcement, { now, signal }) =>
    notifyParties(order, announcement, { now, signal, send: sendOnBehalfOf }),
};

function startEmbeddings(): void {
  if (node().stop.signal.aborted) return;
  startFilling(translateToEnglish);
  prepareIndexes().catch((error) => log.warn('embeddings.index_failed', errorFields(error)));
}
