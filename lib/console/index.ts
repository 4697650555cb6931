export { getAgentConsole, getPushOverview, listAgentStates } from './agent-console';
export { callNotInLog, getCall, listCalls, readCalls } from './calls';
export { getOverview } from './overview';
export { getPublishingChecklist } from './publishing-checklist';
export { getStats } from './stats';
export { getTestRun, startTestRun } from './test-run';
