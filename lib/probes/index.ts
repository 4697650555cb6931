export { listProbes } from './list-probes';
export { MAINTENANCE_AFTER_DAYS, WITHHELD_AFTER_DAYS } from './policy';
export { probeAgents, reconcileSchedules, runSyntheticChecks } from './probe-agents';
export { pruneProbes } from './store/probes';
