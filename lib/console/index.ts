export { beginRun, getRun } from './begin-run';
export { getOwnAgent } from './get-own-agent';
export { getStats } from './get-stats';
export { listAgentStates } from './list-agent-states';
export { getCall, listCalls, readCalls } from './list-calls';
export { listUndeliveredPushes } from './list-undelivered-pushes';
