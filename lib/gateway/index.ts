export { type BuiltInAgent, type BuiltInTurn, setBuiltInAgent } from './built-in/built-in-agents';
export { followHired, readEarlierTask, readEarlierTasks, readHired, readOwnTask } from './built-in/follow-hired';
export { actingAgentsOf, type HiredTask, hireAgent, replyToHired } from './built-in/hire-agent';
export { getExtendedCard, issueAgentCard, issueMarketplaceCard } from './calls/agent-cards';
export { cancelOpenTasks, cancelRunsOfSuspendedAgents, cancelTask } from './calls/cancel-task';
export { inlineFiles } from './calls/inline-files';
export { findAgentOfTask, getTask, getUserTask, listTasks, readHttpTrace } from './calls/read-tasks';
export { collectTurn, sendMessage, streamMessage, type TaskTurn } from './calls/send-message';
export { sendOnBehalfOf } from './calls/send-on-behalf-of';
export { subscribeTask } from './calls/subscribe-task';
export { sendDueCancels } from './cancels/pending-cancels';
export { viewChains } from './chains/chain-view';
export { followChains } from './chains/follow-chains';
export { answerDelegatedTask, decideApproval, getChain, stopChain } from './chains/manage-chain';
export { setTaskOrderReader } from './chains/task-orders';
export {
  findTaskIdByClientTaskId,
  listClientTaskIds,
  sendToClientTask,
  streamToClientTask,
} from './client-task-ids/client-tasks';
export { deleteOutdated } from './delete-outdated';
export { taskNotFound } from './errors';
export { gatewayAgentCalls } from './hub/agent-calls';
export { expireHubRuns, gatewayRunSource } from './hub/run-source';
export { MAX_WAIT_MS } from './limits';
export { listAllDeadLetters, listDeadLetters, listFailingPushes, recoverPushes, resendPush } from './push/dead-letters';
export { deletePushConfig, getPushConfig, listPushConfigs, setPushConfig } from './push/push-configs';
export { deletePushReceiver, listPushReceivers } from './push/push-receivers';
export { startPushWorker, stopPushWorker } from './push/push-worker';
export { countRuns } from './runs/active-runs';
export { lookForMissedNotices } from './runs/missed-notices';
export { drainRuns, releaseAllRuns, resumeOrphanedRuns, resumeStalledRuns } from './runs/node-failover';
export { onPaymentEvents, replayPaymentEvents } from './runs/payment-events';
export { pollInterruptedTasks, receiveAgentPush } from './runs/refresh-interrupted-tasks';
export { eraseContexts, eraseTasks } from './store/erase-tasks';
export { listTasksInContexts } from './store/find-tasks';
export { measureQueuedRuns, nextHubRunExpiry } from './store/hub-runs';
export { nextInterruptedPoll } from './store/interrupted-tasks';
export { nextPendingCancel } from './store/pending-cancels';
export {
  findPushConfigsOfPrincipals,
  hasFinishedTask,
  listTasksOfPrincipals,
} from './store/principal-tasks';
export { measurePushBacklog } from './store/push-deliveries';
export { nextOrphanLook } from './store/run-ownership';
export { compactFinishedTasks, streamTaskEvents } from './store/task-events';
export { acquireStreamSlot, type StreamItem, type TaskStream } from './streams/open-stream';
export {
  type ContextTask,
  type ContextTaskSummary,
  listContextTasks,
  readContextTasks,
  tailContext,
} from './streams/tail-context';
export { endTimedTails } from './streams/tail-task';
export { onFirstFailure, syncBreakers } from './upstream/circuit-breaker';
export { type ProbeResult, probeAgent } from './upstream/probe-agent';
export { isSecretName, REDACTED, redactSecrets } from './upstream/redact-secrets';
