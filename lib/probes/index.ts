export { MAINTENANCE_AFTER_DAYS, WITHHELD_AFTER_DAYS } from './limits';
export { listProbes } from './list-probes';
export { nextProbe, probeAfterFailures, probeAgents, reconcileSchedules, runSyntheticChecks } from './probe-agents';
export { pruneProbes } from './store';
