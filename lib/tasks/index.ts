export { countRuns } from './active/active-runs';
export { type Authorization, authorize as authorizeRequest } from './agent-client/authorize-request';
export { onFirstFailure, syncBreakers } from './agent-client/circuit-breaker';
export { type ProbeResult, probeAgent } from './agent-client/probe-agent';
export { isSecretName, REDACTED, redactSecrets } from './agent-client/redact-secrets';
export { getExtendedCard, issueAgentCard, issueMarketplaceCard } from './calls/agent-cards';
export { cancelOpenTasks, cancelRunsOfSuspendedAgents, cancelTask } from './calls/cancel-task';
export { inlineFiles } from './calls/inline-files';
export { answerDelegatedTask, decideApproval, getChain, getSentFile, stopChain } from './calls/manage-chain';
export { findAgentOfTask, getTask, getUserTask, listTasks, readHttpTrace } from './calls/read-tasks';
export { collectTurn, sendMessage, streamMessage, type TaskTurn } from './calls/send-message';
export { sendOnBehalfOf } from './calls/send-on-behalf-of';
export { subscribeTask } from './calls/subscribe-task';
export { followChains, viewChains } from './chains/chain-views';
export {
  findTaskIdByClientTaskId,
  listClientTaskIds,
  sendToClientTask,
  streamToClientTask,
} from './client-task-ids/client-tasks';
export { taskNotFound } from './errors';
export { hubAgentCalls } from './hiring/agent-calls';
export {
  followHired,
  readEarlierTask,
  readEarlierTasks,
  readHired,
  readOwnTask,
} from './hiring/follow-hired';
export { actingAgentsOf, type HiredTask, hireAgent, replyToHired } from './hiring/hire-agent';
export { MAX_WAIT_MS } from './limits';
export { acquireStreamSlot, type StreamItem, type TaskStream } from './log/open-stream';
export { replayPaymentEvents } from './log/payment-events';
export {
  type ContextTask,
  type ContextTaskSummary,
  listContextTasks,
  readContextTasks,
  tailContext,
} from './log/tail-context';
export { endTimedTails } from './log/tail-task';
export { tasksPort } from './ports';
export { listAllDeadLetters, listDeadLetters, listFailingPushes, recoverPushes, resendPush } from './push/dead-letters';
export { deletePushConfig, getPushConfig, listPushConfigs, setPushConfig } from './push/push-configs';
export { deletePushReceiver, listPushReceivers } from './push/push-receivers';
export { startPushWorker, stopPushWorker } from './push/push-worker';
export { lookForMissedNotices } from './recovery/missed-notices';
export { drainRuns, releaseAllRuns, resumeOrphanedRuns, resumeStalledRuns } from './recovery/node-failover';
export { pollInterruptedTasks, receiveAgentPush } from './recovery/refresh-interrupted-tasks';
export { sendDueCancels } from './runs/pending-cancels';
export { type BuiltInAgent, type BuiltInTurn, setBuiltInAgent } from './sources/built-in-source';
export { expireHubRuns, hubRuns } from './sources/hub-source';
export { deleteOutdated, eraseContexts, eraseTasks, selectTasksWithOrders } from './store/erase-tasks';
export {
  findPushConfigsOfPrincipals,
  hasFinishedTask,
  listTasksInContexts,
  listTasksOfPrincipals,
} from './store/find-tasks';
export { measureQueuedRuns, nextHubRunExpiry } from './store/hub-runs';
export { nextInterruptedPoll } from './store/interrupted-tasks';
export { nextPendingCancel } from './store/pending-cancel-rows';
export { measurePushBacklog } from './store/push/push-deliveries';
export { nextOrphanLook } from './store/run-owners';
export { compactFinishedTasks, streamTaskEvents } from './store/task-events';
export { adoptTasks, insertDemoTasks } from './store/transfer-tasks';
