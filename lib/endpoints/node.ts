import { completeLooks, recheckOwnerships, refreshCards, refreshIcons } from '../catalog';
import { indexSettledTexts } from '../chat';
import { computeStandings } from '../discovery';
import {
  cancelRunsOfSuspended,
  countRuns,
  dropOldWires,
  endWaits,
  finishRuns,
  onOffers,
  packFinishedTasks,
  pollWaiting,
  readoptRuns,
  readStory,
  reattachRuns,
  releaseAllRuns,
  startPushes,
  stopPushes,
  watchBreakers,
} from '../gateway';
import { countStreams } from '../http/send-stream';
import { tidyLimits } from '../limits';
import { tellPeople } from '../moderation';
import { addGauge, dropOldAgentCalls, startTelemetry, watchTests, writeAgentCalls } from '../observability';
import {
  catchUpOnEvents,
  hearAgent,
  setTaskEventReader,
  startPayments,
  stopPayments,
  tendOrders,
  tidyPayments,
} from '../payments';
import { isListening, onGap, startBus, stopBus } from '../platform/bus';
import { isDatabaseAway } from '../platform/database-away';
import { EnvError } from '../platform/env';
import { errorFields, log } from '../platform/log';
import { addReadinessCheck } from '../platform/readiness';
import { shared } from '../platform/registry';
import { closePool } from '../platform/sql';
import { closeLine } from '../platform/sql-together';
import { deleteOldProbes, probeAgents, runExamples, tendWatches } from '../probes';
import { recordStatus } from '../status';
import { ensureSigningKeys, findKeyFault, findSealedKeyFault } from '../tokens';
import { paymentPorts } from './payment-ports';
import { statusChecks } from './status-checks';

const hourMs = 3_600_000;
/** How often conversations that have come to rest are taken into the search. */
const textsMs = 5_000;
const packEveryMs = 300_000;
const tidyEveryMs = 300_000;
/** How often this node looks for waiting tasks whose agent is due to be asked. */
const waitingMs = 2_000;
/** How often a node looks for runs whose node is gone: they must go on within 3 s. */
const takeOverMs = 500;
/** How often this node looks for runs of its own that it lost, and how long such a run has said nothing. */
const lostRunsMs = 60_000;
/** How long a run has said nothing that is lost when the database was away. */
const settledMs = 10_000;
/** How often this node looks whether the card of some agent is due. */
const cardsMs = 10_000;
/** How often this node looks whether some agent's probe is due, or its standing. */
const probesMs = 1_000;
/** How often this node looks for agents that are to be probed and are not, or the other way round. */
const watchesMs = 15_000;
/** How often this node looks for orders whose time has come. */
const ordersMs = 5_000;
/** How often this node looks for what moderation has left to do. */
const moderationMs = 2_000;
/** How often this node looks at every part for the status page. */
const statusMs = 60_000;
/** How often notices of the card processor are looked for that did not come. */
const noticesMs = 300_000;

interface Node {
  started: Promise<void>;
  rounds: NodeJS.Timeout[];
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
export async function finishNode(withinMs: number): Promise<void> {
  for (const timer of node().rounds) clearInterval(timer);
  await finishRuns(withinMs);
}

/** Leaves the runs that remain to another node or the next start; whoever waits for one is answered with the task as it stands. */
export async function releaseNode(): Promise<void> {
  endWaits();
  await releaseAllRuns();
}

/** Ends what {@link startNode} began. */
export async function stopNode(): Promise<void> {
  const { rounds, stop } = node();
  for (const timer of rounds) clearInterval(timer);
  stop.abort();
  await releaseAllRuns();
  await stopPushes();
  await stopPayments();
  await writeAgentCalls();
  await stopBus();
  await Promise.all([closeLine(), closePool()]);
  await (await startTelemetry())();
}

function node(): Node {
  return shared('node', () => {
    const stop = new AbortController();
    const rounds = [
      every(hourMs, 'keys.rotation_failed', () => ensureSigningKeys(new Date())),
      every(takeOverMs, 'runs.take_over_failed', async () => isListening() && reattachRuns()),
      every(lostRunsMs, 'runs.readopt_failed', async () => isListening() && readoptRuns(lostRunsMs)),
      every(waitingMs, 'waiting_tasks.poll_failed', () => pollWaiting({ now: new Date(), signal: stop.signal })),
      every(packEveryMs, 'tasks.packing_failed', () => packFinishedTasks(new Date())),
      every(textsMs, 'texts.indexing_failed', () => indexSettledTexts(new Date())),
      every(tidyEveryMs, 'limits.tidy_failed', tidyLimits),
      every(hourMs, 'wires.tidy_failed', () => dropOldWires(new Date())),
      every(tidyEveryMs, 'calls.tidy_failed', () => dropOldAgentCalls(new Date())),
      every(ordersMs, 'payments.tending_failed', () => tendOrders(new Date())),
      every(noticesMs, 'payments.catch_up_failed', () => catchUpOnEvents(new Date())),
      every(hourMs, 'payments.tidy_failed', () => tidyPayments(new Date())),
      every(statusMs, 'status.record_failed', () => recordStatus(statusChecks(), new Date())),
      every(cardsMs, 'cards.refresh_failed', () => refreshCards({ now: new Date(), signal: stop.signal })),
      every(probesMs, 'probes.reach_failed', () => probeAgents({ now: new Date(), signal: stop.signal })),
      every(probesMs, 'probes.run_failed', () => runExamples({ now: new Date(), signal: stop.signal })),
      every(watchesMs, 'probes.watches_failed', () => tendWatches(new Date())),
      every(probesMs, 'standings.failed', () => computeStandings(new Date())),
      every(hourMs, 'probes.tidy_failed', () => deleteOldProbes(new Date())),
      every(hourMs, 'looks.completing_failed', completeLooks),
      every(cardsMs, 'icons.refresh_failed', () => refreshIcons({ now: new Date(), signal: stop.signal })),
      every(moderationMs, 'moderation.mails_failed', () => tellPeople(new Date())),
      every(moderationMs, 'moderation.ending_failed', () =>
        cancelRunsOfSuspended({ now: new Date(), signal: stop.signal }),
      ),
      every(cardsMs, 'ownerships.check_failed', () => recheckOwnerships({ now: new Date(), signal: stop.signal })),
    ];
    return { started: start(), rounds, stop };
  });
}

/** Rounds never overlap: one that takes long only delays the next. */
function every(ms: number, failed: string, work: () => Promise<unknown>): NodeJS.Timeout {
  let running = false;
  async function round(): Promise<void> {
    if (running) return;
    running = true;
    try {
      await work();
    } catch (error) {
      if (!node().stop.signal.aborted) log.error(failed, errorFields(error));
    } finally {
      running = false;
    }
  }
  return setInterval(() => void round(), ms).unref();
}

async function start(): Promise<void> {
  await startTelemetry();
  addGauge('a2a.runs', 'Runs that this process carries', countRuns);
  addGauge('streams.open', 'Streams that are being read', countStreams);
  addReadinessCheck({ name: 'keys', check: () => findKeyFault(new Date()) });
  await startBus();
  await unlessAway(prepareKeys);
  onOffers((said) => hearAgent(said, new Date()));
  setTaskEventReader(readStory);
  await unlessAway(reattachRuns);
  onGap(() => {
    if (isListening()) readoptRuns(settledMs).catch((error) => log.warn('runs.readopt_failed', errorFields(error)));
  });
  watchBreakers();
  watchTests();
  startPushes();
  startPayments(paymentPorts);
  catchUpOnEvents(new Date()).catch((error) => log.warn('payments.catch_up_failed', errorFields(error)));
}

/** A key that does not open what the database holds would fail each call by itself; the process says so at once and ends. */
async function prepareKeys(): Promise<void> {
  const fault = await findSealedKeyFault();
  if (fault) throw new EnvError(fault);
  await ensureSigningKeys(new Date());
}

/** A node may start while the database is away or read-only: it is not ready then, and does this later by itself. */
async function unlessAway(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    log.warn('node.started_without_database', errorFields(error));
  }
}
