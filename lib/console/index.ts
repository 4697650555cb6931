export { getAgentConsole, getPublishingChecklist, getPushOverview, listAgentStates } from './agent-console';
export { callNotInLog, getCall, listCalls, listLatestCalls, readCalls } from './calls';
export { getOverview, getStats } from './overview';
export { runChecks } from './run-checks';
export { getTestRun, startTestRun } from './test-run';
