import { sourceLibrary } from './source-library.mjs';

const EXPORTS = `
export { compactFinishedTasks } from './lib/gateway/store/task-events';
export { readEvents } from './lib/gateway/store/task-events';
export { createTask } from './lib/gateway/store/create-task';
export { appendEvents } from './lib/gateway/store/append-events';
export { findTask, findContextTasks } from './lib/gateway/store/find-tasks';
export { findIdempotencyKey } from './lib/gateway/store/idempotency-keys';
export { deleteOldTasks } from './lib/gateway/store/old-tasks';
export { deleteOldIdempotencyKeys } from './lib/gateway/store/idempotency-keys';
export { listHttpExchanges, insertHttpExchange } from './lib/gateway/store/task-http-traces';
export { pruneAgentCalls } from './lib/observability/store/agent-call-log';
export { deleteOutdated, pollInterruptedTasks, cancelRunsOfSuspendedAgents } from './lib/gateway';
export { eraseDeletedConversations, indexIdleConversations } from './lib/chat';
export { computeRankings, runSavedSearches } from './lib/discovery';
export { pruneLimits } from './lib/limits';
export { expireOrders, prunePayments } from './lib/payments';
export { deleteOldTranscripts } from './lib/hosts';
export { nodeId } from './lib/platform/bus';
export { closePipeline } from './lib/platform/pipelined-statements';
export { setRootSecret } from './lib/platform/crypto';
export { closePool } from './lib/platform/sql';
`;

/**
 * The functions of Parley that this bench measures, bundled for Node, with these environment variables.
 *
 * @param {Record<string, string>} variables
 */
export const growthLibrary = (variables) => sourceLibrary('growth-library', EXPORTS, variables);
