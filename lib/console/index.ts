export { getAgentLog } from './get-agent-log';
export { getOwnAgent } from './get-own-agent';
export { listAgentStates } from './list-agent-states';
export { listUndeliveredPushes } from './list-undelivered-pushes';
