export { embedders, warmUp } from './embedders';
export { measureFillBacklog, startFilling, stopFilling } from './fill-vectors';
export { findNearest, type NotCompared, nearestByAgent, nearestPartsOf, sampleCosines } from './find-nearest';
export { advanceModels, prepareIndexes } from './models';
export { countSearches, getSearchMode } from './status';
export { deleteVectors, markVectorsDue } from './store/vectors';
export type { AgentCondition, NearestPart } from './vector-index';
