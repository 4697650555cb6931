export { beginRun, getRun } from './begin-run';
export { checkPublishing } from './check-publishing';
export { getOwnAgent } from './get-own-agent';
export { getPushOverview } from './get-push-overview';
export { getStats } from './get-stats';
export { listAgentStates } from './list-agent-states';
export { getCall, listCalls, readCalls } from './list-calls';
