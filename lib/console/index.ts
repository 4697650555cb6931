export { getAgentConsole } from './get-agent-console';
export { getPublishingChecklist } from './get-publishing-checklist';
export { getPushOverview } from './get-push-overview';
export { getStats } from './get-stats';
export { listAgentStates } from './list-agent-states';
export { getCall, listCalls, readCalls } from './list-calls';
export { getTestRun, startTestRun } from './start-test-run';
