import { eraseExpiredGuests } from '../account';
import { recheckOwnerships, refreshCards, refreshIcons } from '../catalog';
import { eraseDeletedConversations, indexIdleConversations } from '../chat';
import { computeRankings, nextRankingDue, nextSavedSearch, runSavedSearches } from '../discovery';
import { advanceModels, prepareIndexes } from '../embeddings';
import { deleteOutdatedTurns } from '../hosts';
import { announceChanges, completeRecoveries } from '../identity';
import { pruneLimits } from '../limits';
import { nextDecisionEmail, sendDecisionEmails } from '../moderation';
import { pruneWebPush, sweepEvents } from '../notifications';
import { SWEEP_INTERVAL_MS } from '../notifications/limits';
import { pruneAgentCalls } from '../observability';
import {
  createDuePayouts,
  expireOrders,
  issuePapers,
  nextAcceptanceEmail,
  nextBankDispute,
  nextChargeCheck,
  nextDisputeDeadline,
  nextDisputeNotice,
  nextEarningDue,
  nextOfferExpiry,
  nextScheduledPayouts,
  nextX402Settlement,
  prunePayments,
  reconcileStripeEvents,
  runDisputeDeadlines,
  sendAcceptanceEmails,
  sendDigests,
  sendDisputeEmails,
  settleDueCharges,
  settleDueX402,
  settleEarnings,
  syncBankDisputes,
} from '../payments';
import { canSeePeers, isListening } from '../platform/bus';
import { settleMoves } from '../platform/db/task-databases/settle-moves';
import { joinPeers, nextPeerLook } from '../platform/runtime/peers';
import { loadRootSecret } from '../platform/secrets/stored-secrets';
import { nextProbe, probeAgents, pruneProbes, reconcileSchedules, runSyntheticChecks } from '../probes';
import { recordStatus } from '../status';
import { statusChecks } from '../status/endpoints';
import {
  cancelRunsOfSuspendedAgents,
  compactFinishedTasks,
  deleteOutdated,
  expireHubRuns,
  nextHubRunExpiry,
  nextInterruptedPoll,
  nextOrphanLook,
  nextPendingCancel,
  pollInterruptedTasks,
  resumeOrphanedRuns,
  resumeStalledRuns,
  sendDueCancels,
} from '../tasks';
import { ensureSigningKeys } from '../tokens';
import { jobScheduler, type ScheduleEvery } from './jobs';
import {
  AUTH_REQUIRED_POLL_MS,
  CARD_POLL_MS,
  COMPACTION_INTERVAL_MS,
  DIGEST_POLL_MS,
  EARNING_POLL_MS,
  EMBEDDING_INDEX_POLL_MS,
  EMBEDDING_MODEL_POLL_MS,
  GUARD_POLL_MS,
  HUB_RUN_POLL_MS,
  KEY_ROTATION_INTERVAL_MS,
  MODERATION_POLL_MS,
  ORDER_POLL_MS,
  ORPHANED_RUN_POLL_MS,
  OWNER_MOVE_POLL_MS,
  PAPER_POLL_MS,
  PAYOUT_SCHEDULE_POLL_MS,
  PEER_POLL_MS,
  PENDING_CANCEL_POLL_MS,
  PROBE_POLL_MS,
  PRUNE_INTERVAL_MS,
  RETENTION_INTERVAL_MS,
  SAVED_SEARCH_POLL_MS,
  SCHEDULE_RECONCILE_INTERVAL_MS,
  SEARCH_INDEX_INTERVAL_MS,
  STALLED_RUN_POLL_MS,
  STATUS_INTERVAL_MS,
  STRIPE_RECONCILE_INTERVAL_MS,
} from './limits';

/** Starts the jobs of a node until `stop`. Returns their timers. */
export function startJobs(signal: AbortSignal): NodeJS.Timeout[] {
  const scheduleEvery = jobScheduler(signal);
  return [...startDueJobs(signal, scheduleEvery), ...startPeriodicJobs(signal, scheduleEvery)];
}

/** Starts jobs whose work becomes due at a time that is stored in the database. */
function startDueJobs(signal: AbortSignal, scheduleEvery: ScheduleEvery): NodeJS.Timeout[] {
  return [
    scheduleEvery(ORPHANED_RUN_POLL_MS, 'runs.orphaned_resume_failed', {
      round: async () => canSeePeers() && resumeOrphanedRuns(),
      nextDue: nextOrphanLook,
    }),
    scheduleEvery(PEER_POLL_MS, 'peers.join_failed', {
      round: async () => isListening() && joinPeers(new Date()),
      nextDue: nextPeerLook,
    }),
    scheduleEvery(HUB_RUN_POLL_MS, 'runs.expiry_failed', {
      round: async () => isListening() && expireHubRuns(),
      nextDue: nextHubRunExpiry,
    }),
    scheduleEvery(AUTH_REQUIRED_POLL_MS, 'interrupted_tasks.poll_failed', {
      round: () => pollInterruptedTasks({ now: new Date(), signal }),
      nextDue: () => nextInterruptedPoll(new Date()),
    }),
    scheduleEvery(PENDING_CANCEL_POLL_MS, 'cancels.send_failed', {
      round: () => sendDueCancels({ now: new Date(), signal }),
      nextDue: nextPendingCancel,
    }),
    scheduleEvery(ORDER_POLL_MS, 'payments.expiry_failed', {
      round: () => expireOrders(new Date()),
      nextDue: nextOfferExpiry,
    }),
    scheduleEvery(PAYOUT_SCHEDULE_POLL_MS, 'payouts.creation_failed', {
      round: () => createDuePayouts(new Date()),
      nextDue: nextScheduledPayouts,
    }),
    scheduleEvery(EARNING_POLL_MS, 'payments.earnings_failed', {
      round: () => settleEarnings(new Date()),
      nextDue: nextEarningDue,
    }),
    scheduleEvery(ORDER_POLL_MS, 'disputes.deadlines_failed', {
      round: () => runDisputeDeadlines(new Date()),
      nextDue: nextDisputeDeadline,
    }),
    scheduleEvery(MODERATION_POLL_MS, 'bank_disputes.sync_failed', {
      round: () => syncBankDisputes(new Date()),
      nextDue: nextBankDispute,
    }),
    scheduleEvery(MODERATION_POLL_MS, 'disputes.emails_failed', {
      round: () => sendDisputeEmails(new Date()),
      nextDue: nextDisputeNotice,
    }),
    scheduleEvery(MODERATION_POLL_MS, 'acceptance.emails_failed', {
      round: () => sendAcceptanceEmails(new Date()),
      nextDue: nextAcceptanceEmail,
    }),
    scheduleEvery(ORDER_POLL_MS, 'payments.settlement_failed', {
      round: () => settleDueCharges(new Date()),
      nextDue: nextChargeCheck,
    }),
    scheduleEvery(ORDER_POLL_MS, 'x402.settlement_failed', {
      round: () => settleDueX402(new Date()),
      nextDue: nextX402Settlement,
    }),
    scheduleEvery(PROBE_POLL_MS, 'probes.reach_failed', {
      round: () => probeAgents({ now: new Date(), signal }),
      nextDue: () => nextProbe('reach'),
    }),
    scheduleEvery(PROBE_POLL_MS, 'probes.run_failed', {
      round: () => runSyntheticChecks({ now: new Date(), signal }),
      nextDue: () => nextProbe('run'),
    }),
    scheduleEvery(PROBE_POLL_MS, 'rankings.computation_failed', {
      round: () => computeRankings(new Date()),
      nextDue: nextRankingDue,
    }),
    scheduleEvery(SAVED_SEARCH_POLL_MS, 'saved_searches.run_failed', {
      round: () => runSavedSearches(new Date()),
      nextDue: nextSavedSearch,
    }),
    scheduleEvery(MODERATION_POLL_MS, 'moderation.emails_failed', {
      round: () => sendDecisionEmails(new Date()),
      nextDue: nextDecisionEmail,
    }),
  ];
}

/** Starts jobs that poll for work. */
function startPeriodicJobs(signal: AbortSignal, scheduleEvery: ScheduleEvery): NodeJS.Timeout[] {
  return [
    scheduleEvery(KEY_ROTATION_INTERVAL_MS, 'keys.rotation_failed', () => ensureSigningKeys(new Date())),
    scheduleEvery(
      STALLED_RUN_POLL_MS,
      'runs.stalled_resume_failed',
      async () => isListening() && resumeStalledRuns(STALLED_RUN_POLL_MS),
    ),
    scheduleEvery(PAPER_POLL_MS, 'payments.papers_failed', () => issuePapers(new Date())),
    scheduleEvery(OWNER_MOVE_POLL_MS, 'owner_moves.settlement_failed', () => settleMoves()),
    scheduleEvery(PEER_POLL_MS, 'keys.root_failed', async () => !(await loadRootSecret())),
    scheduleEvery(COMPACTION_INTERVAL_MS, 'tasks.compaction_failed', () => compactFinishedTasks(new Date())),
    scheduleEvery(SEARCH_INDEX_INTERVAL_MS, 'texts.indexing_failed', () => indexIdleConversations(new Date())),
    scheduleEvery(PRUNE_INTERVAL_MS, 'limits.prune_failed', pruneLimits),
    scheduleEvery(RETENTION_INTERVAL_MS, 'retention.deletion_failed', () => deleteOutdated(new Date())),
    scheduleEvery(RETENTION_INTERVAL_MS, 'conversations.erasure_failed', () => eraseDeletedConversations(new Date())),
    scheduleEvery(RETENTION_INTERVAL_MS, 'guests.erasure_failed', () =>
      eraseExpiredGuests({ now: new Date(), signal }),
    ),
    scheduleEvery(PRUNE_INTERVAL_MS, 'calls.prune_failed', () => pruneAgentCalls(new Date())),
    scheduleEvery(STRIPE_RECONCILE_INTERVAL_MS, 'payments.reconciliation_failed', () =>
      reconcileStripeEvents(new Date()),
    ),
    scheduleEvery(DIGEST_POLL_MS, 'payments.digest_failed', () => sendDigests(new Date())),
    scheduleEvery(SWEEP_INTERVAL_MS, 'web_push.sweep_failed', () => sweepEvents(new Date())),
    scheduleEvery(RETENTION_INTERVAL_MS, 'web_push.prune_failed', () => pruneWebPush(new Date())),
    scheduleEvery(RETENTION_INTERVAL_MS, 'payments.prune_failed', () => prunePayments(new Date())),
    scheduleEvery(STATUS_INTERVAL_MS, 'status.record_failed', () => recordStatus(statusChecks(), new Date())),
    scheduleEvery(CARD_POLL_MS, 'cards.refresh_failed', () => refreshCards({ now: new Date(), signal })),
    scheduleEvery(SCHEDULE_RECONCILE_INTERVAL_MS, 'probes.scheduling_failed', () => reconcileSchedules(new Date())),
    scheduleEvery(EMBEDDING_MODEL_POLL_MS, 'embeddings.check_failed', () => advanceModels(new Date())),
    scheduleEvery(EMBEDDING_INDEX_POLL_MS, 'embeddings.index_failed', prepareIndexes),
    scheduleEvery(RETENTION_INTERVAL_MS, 'turns.prune_failed', () => deleteOutdatedTurns(new Date())),
    scheduleEvery(RETENTION_INTERVAL_MS, 'probes.prune_failed', () => pruneProbes(new Date())),
    scheduleEvery(CARD_POLL_MS, 'icons.refresh_failed', () => refreshIcons({ now: new Date(), signal })),
    scheduleEvery(GUARD_POLL_MS, 'guards.emails_failed', () => announceChanges(new Date())),
    scheduleEvery(GUARD_POLL_MS, 'guards.recovery_failed', () => completeRecoveries(new Date())),
    scheduleEvery(MODERATION_POLL_MS, 'moderation.cancellation_failed', () =>
      cancelRunsOfSuspendedAgents({ now: new Date(), signal }),
    ),
    scheduleEvery(CARD_POLL_MS, 'ownerships.check_failed', () => recheckOwnerships({ now: new Date(), signal })),
  ];
}
