export { cancelOpenTasks, cancelRunsOfSuspendedAgents } from './calls/cancel-open-tasks';
export { cancelTask } from './calls/cancel-task';
export { getUserTask, listTasksInContexts, listTasksOfPrincipals, streamTaskEvents } from './calls/export-tasks';
export { getExtendedCard } from './calls/get-extended-card';
export { getTask } from './calls/get-task';
export { inlineFiles } from './calls/inline-files';
export { issueAgentCard, issueMarketplaceCard } from './calls/issue-card';
export { listTasks } from './calls/list-tasks';
export { readHttpTrace } from './calls/read-http-trace';
export { sendMessage } from './calls/send-message';
export { sendOnBehalfOf } from './calls/send-on-behalf-of';
export { streamMessage } from './calls/stream-message';
export { subscribeTask } from './calls/subscribe-task';
export { findTaskIdByClientTaskId, listClientTaskIds } from './client-task-ids/find-task-id-by-client-task-id';
export { sendToClientTask } from './client-task-ids/send-to-client-task';
export { streamToClientTask } from './client-task-ids/stream-to-client-task';
export { MAX_WAIT_MS } from './limits';
export { listAllDeadLetters, listDeadLetters } from './push/list-dead-letters';
export { deletePushConfig, getPushConfig, listPushConfigs, setPushConfig } from './push/push-configs';
export { deletePushReceiver, listPushReceivers } from './push/push-receivers';
export { startPushWorker, stopPushWorker } from './push/push-worker';
export { receiveAgentPush } from './push/receive-agent-push';
export { listFailingPushes, recoverPushes, resendPush } from './push/resend-push';
export { countRuns } from './runs/active-runs';
export { compactFinishedTasks } from './runs/compact-finished-tasks';
export { drainRuns, releaseAllRuns } from './runs/drain-runs';
export { onPaymentEvents } from './runs/payment-events';
export { pollInterruptedTasks } from './runs/poll-interrupted-tasks';
export { replayPaymentEvents } from './runs/replay-payment-events';
export { resumeOrphanedRuns, resumeStalledRuns } from './runs/resume-runs';
export { eraseTasks, findPushConfigsOfPrincipals, hasFinishedTask } from './store/principal-tasks';
export { deleteOldHttpExchanges } from './store/task-http-traces';
export { acquireStreamSlot } from './streams/open-stream';
export type { StreamItem, TaskStream } from './streams/stream-item';
export {
  type ContextTask,
  type ContextTaskSummary,
  listContextTasks,
  readContextTasks,
  tailContext,
} from './streams/tail-context';
export { endTimedTails } from './streams/tail-task';
export { syncBreakers } from './upstream/circuit-breaker';
export { type ProbeResult, probeAgent } from './upstream/probe-agent';
export { isSecretName, REDACTED, redactSecrets } from './upstream/redact-secrets';
