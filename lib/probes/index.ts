export { listProbes } from './list-probes';
export { MAINTENANCE_AFTER_DAYS, WITHHELD_AFTER_DAYS } from './policy';
export { probeAgents, runExamples, tendWatches } from './probe-agents';
export { deleteOldProbes } from './store/probes';
