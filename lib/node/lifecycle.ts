import { startConcierge } from '../concierge';
import { translateToEnglish } from '../discovery';
import { prepareIndexes, startFilling, stopFilling } from '../embeddings';
import { closeHub, disconnectAll, drainHub, hubPort, startHub } from '../hub';
import { startWebPush, stopWebPush } from '../notifications';
import { flushAgentCalls, startTelemetry, syncTestedAgents } from '../observability';
import {
  authorizeCharge,
  deliverMandates,
  findOrdersOfTasks,
  limitCallers,
  notifyParties,
  onAgentMessage,
  payablePlan,
  payByX402,
  paymentsPort,
  reconcileStripeEvents,
  startPayments,
  stopPayments,
} from '../payments';
import {
  isListening,
  onConnectionGap,
  startBus,
  startTaskListeners,
  stopBus,
  stopTaskListeners,
  subscribe,
} from '../platform/bus';
import { logConnectionBudget, requireSessions } from '../platform/db/connections';
import { isDatabaseUnavailable } from '../platform/db/database-errors';
import { ReleaseError } from '../platform/db/database-readiness';
import { closePipeline } from '../platform/db/pipelined-statements';
import { startReplicas, stopReplicas } from '../platform/db/replicas/read-from-replica';
import { closePool } from '../platform/db/sql';
import { findMissingDatabase } from '../platform/db/task-databases/inspect-databases';
import { closeTaskPools } from '../platform/db/task-databases/task-databases';
import { eventStream } from '../platform/event-stream/event-stream';
import { allowRest, markActive } from '../platform/runtime/activity';
import { EnvError } from '../platform/runtime/env';
import { errorFields, log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { joinPeers, leavePeers, peerError } from '../platform/runtime/peers';
import { requirePorts } from '../platform/runtime/port';
import { addReadinessCheck } from '../platform/runtime/readiness';
import { findNodesWithOtherKeys, loadRootSecret } from '../platform/secrets/stored-secrets';
import { probeAfterFailures } from '../probes';
import {
  countRuns,
  drainRuns,
  endTimedTails,
  hubAgentCalls,
  hubRuns,
  lookForMissedNotices,
  releaseAllRuns,
  replayPaymentEvents,
  resumeOrphanedRuns,
  resumeStalledRuns,
  sendOnBehalfOf,
  startPushWorker,
  stopPushWorker,
  streamTaskEvents,
  syncBreakers,
  tasksPort,
} from '../tasks';
import { ensureSigningKeys, findKeyError, findSealedKeyError } from '../tokens';
import { EMBEDDINGS_START_DELAY_MS, STALLED_AFTER_GAP_MS } from './limits';
import { addNodeGauges } from './node-gauges';
import { startJobs } from './node-jobs';

interface Node {
  started: Promise<void>;
  timers: NodeJS.Timeout[];
  /** Aborts the rounds in progress. */
  stop: AbortController;
}

/**
 * Makes this process a node, which listens for notifications, holds its own lock, has signing keys and resumes orphaned
 * runs. Must be called once per process.
 */
export function startNode(): Promise<void> {
  return node().started;
}

/**
 * Makes periodic work run only when it is due while the node is idle. For a server that reports its requests ({@link
 * markActive}).
 */
export function letNodeRest(): void {
  allowRest(() => countRuns() > 0);
}

/** Stops all background work and waits for the runs of this node for at most `withinMs` milliseconds. */
export async function drainNode(withinMs: number): Promise<void> {
  for (const timer of node().timers) clearInterval(timer);
  drainHub();
  await drainRuns(withinMs);
}

/**
 * Releases the remaining runs, which another node or the next start resumes. Waiting callers receive the task in its
 * current state.
 */
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
  await stopWebPush();
  await flushAgentCalls();
  await disconnectAll().catch((error) => log.debug('hub.leave_failed', errorFields(error)));
  await leavePeers().catch((error) => log.debug('peers.leave_failed', errorFields(error)));
  await eventStream()?.stop();
  await stopTaskListeners();
  await stopBus();
  stopReplicas();
  await Promise.all([closePipeline(), closePool(), closeTaskPools()]);
  await (await startTelemetry())();
}

const node = once((): Node => {
  const stop = new AbortController();
  const timers = startJobs(stop.signal);
  return { started: start(), timers, stop };
});

async function start(): Promise<void> {
  connectPorts();
  await startTelemetry();
  addNodeGauges();
  addReadinessCheck({
    name: 'keys',
    check: async () => (await loadRootSecret()) ?? findKeyError(new Date()),
    needsDatabase: true,
  });
  addReadinessCheck({ name: 'release', check: async () => peerError() });
  addReadinessCheck({ name: 'task databases', check: findMissingDatabase, needsDatabase: true });
  await skipIfDatabaseUnavailable(requireSessions);
  await skipIfDatabaseUnavailable(requireTaskDatabases);
  startReplicas();
  await eventStream()?.start();
  await startBus();
  await startTaskListeners();
  await skipIfDatabaseUnavailable(joinAtStart);
  await skipIfDatabaseUnavailable(logConnectionBudget);
  await skipIfDatabaseUnavailable(prepareKeys);
  startHub();
  await skipIfDatabaseUnavailable(() => startConcierge(new Date()));
  await skipIfDatabaseUnavailable(resumeOrphanedRuns);
  onConnectionGap(() => {
    if (isListening())
      resumeStalledRuns(STALLED_AFTER_GAP_MS).catch((error) =>
        log.warn('runs.stalled_resume_failed', errorFields(error)),
      );
  });
  // A changed card or status causes work for searches, probes, icons and running tasks.
  subscribe('agent', '*', markActive);
  syncBreakers();
  probeAfterFailures();
  syncTestedAgents();
  startPushWorker();
  lookForMissedNotices(node().stop.signal);
  setTimeout(startEmbeddings, EMBEDDINGS_START_DELAY_MS).unref();
  startPayments();
  startWebPush();
  reconcileStripeEvents(new Date()).catch((error) => log.warn('payments.reconciliation_failed', errorFields(error)));
}

function startEmbeddings(): void {
  if (node().stop.signal.aborted) return;
  startFilling(translateToEnglish);
  prepareIndexes().catch((error) => log.warn('embeddings.index_failed', errorFields(error)));
}

/** Makes the start fail if this release is not compatible with the database or the other nodes. */
async function joinAtStart(): Promise<void> {
  const refusal = await joinPeers(new Date());
  if (refusal) throw new ReleaseError(refusal);
}

/** Makes the start fail if this node would look for the rows of owners in the wrong database. */
async function requireTaskDatabases(): Promise<void> {
  const error = await findMissingDatabase();
  if (error) throw new EnvError(error);
}

/** Makes the start fail if the sealing key does not match the database, because every call would fail. */
async function prepareKeys(): Promise<void> {
  const keyError = (await findSealedKeyError()) ?? (await loadRootSecret());
  if (keyError) throw new EnvError(keyError);
  const others = await findNodesWithOtherKeys('decrypt');
  if (others.length > 0) {
    throw new EnvError(
      `KEY_ENCRYPTION_KEY: found running nodes that cannot decrypt what it encrypts: ${others.join(', ')}; ` +
        'expected all nodes to have it, first as KEY_DECRYPTION_KEY',
    );
  }
  await ensureSigningKeys(new Date());
}

/**
 * Runs `work` and ignores an unavailable database. A node may start without one: it is then not ready, and the periodic
 * work catches up later.
 */
async function skipIfDatabaseUnavailable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    log.warn('node.started_without_database', errorFields(error));
  }
}

/**
 * Gives each domain the operations of higher ones that it calls.
 * @throws {Error} if a domain declares a port that nothing connects
 */
function connectPorts(): void {
  hubPort.connect({ runs: hubRuns, agents: hubAgentCalls });
  tasksPort.connect({
    onPaymentEvent: (event) => onAgentMessage(event, new Date()),
    findOrders: findOrdersOfTasks,
    authorizeCharge,
    acceptsX402: ({ pricePlans }) => payablePlan(pricePlans) !== null,
    limitCallers,
    payByX402,
  });
  paymentsPort.connect({
    deliver: (order, options) => deliverMandates(order, { ...options, send: sendOnBehalfOf, replayPaymentEvents }),
    notify: (order, announcement, options) => notifyParties(order, announcement, { ...options, send: sendOnBehalfOf }),
    readTaskEvents: streamTaskEvents,
  });
  requirePorts();
}
