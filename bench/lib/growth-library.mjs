import { sourceLibrary } from './source-library.mjs';

const EXPORTS = `
export { compactFinishedTasks } from './lib/tasks/store/task-events';
export { readEvents } from './lib/tasks/store/task-events';
export { createTask } from './lib/tasks/store/create-task';
export { appendEvents } from './lib/tasks/store/append-events';
export { findTask, findContextTasks } from './lib/tasks/store/find-tasks';
export { findIdempotencyKey } from './lib/tasks/store/idempotency-keys';
export { deleteOldTasks } from './lib/tasks/store/old-tasks';
export { deleteOldIdempotencyKeys } from './lib/tasks/store/idempotency-keys';
export { listHttpExchanges, insertHttpExchange } from './lib/tasks/store/task-http-traces';
export { pruneAgentCalls } from './lib/observability/store/agent-call-rows';
export { deleteOutdated, pollInterruptedTasks, cancelRunsOfSuspendedAgents } from './lib/tasks';
export { eraseDeletedConversations, indexIdleConversations } from './lib/chat';
export { computeRankings, runSavedSearches } from './lib/discovery';
export { pruneLimits } from './lib/limits';
export { expireOrders, prunePayments } from './lib/payments';
export { deleteOldTranscripts } from './lib/hosts';
export { nodeId } from './lib/platform/bus';
export { closePipeline } from './lib/platform/db/pipelined-statements';
export { setRootSecret } from './lib/platform/secrets/crypto';
export { closePool } from './lib/platform/db/sql';
`;

/**
 * Bundles the functions of Parley that this bench measures for Node, with these environment variables.
 *
 * @param {Record<string, string>} variables
 */
export const growthLibrary = (variables) => sourceLibrary('growth-library', EXPORTS, variables);
