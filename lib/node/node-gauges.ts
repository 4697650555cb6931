import { countSearches } from '../embeddings';
import { rejectedShareOf } from '../http/admission/admission';
import { countStreams } from '../http/sse/send-stream';
import { countConnections } from '../hub';
import { addGauge, isTelemetryEnabled, measureProcess } from '../observability';
import { countRuns } from '../tasks';
import { addBacklogGauges } from './backlog-gauges';
import { addJobGauges } from './jobs';

/** Adds the gauges of a node: of its process, its jobs and its domains. */
export function addNodeGauges(): void {
  measureProcess();
  addGauge('a2a.runs', 'Runs that this process executes', countRuns);
  addGauge('a2a.streams', 'Open event streams', countStreams);
  addGauge('a2a.workers', 'Connections of agents that connect to Parley', countConnections);
  for (const priority of ['calls', 'background'] as const)
    addGauge(`overload.${priority}`, 'Share of these requests that is rejected now', () => rejectedShareOf(priority));
  addGauge('search.meaning', 'Searches that used semantic search', () => countSearches().compared);
  addGauge('search.meaning_failed', 'Searches without a vector for semantic search', () => countSearches().failed);
  if (!isTelemetryEnabled()) return;
  addJobGauges();
  addBacklogGauges();
}
