import { nodeId } from '../../platform/bus';
import { query } from '../../platform/sql';

/** A name that no node has, so that its lock is free: any node takes up what it holds (find-tasks.ts, claimOrphanedRuns). */
const releasedNodeId = 'released';

/** Lets go of runs that this node holds and no longer carries. */
export async function releaseRuns(taskIds: string[]): Promise<void> {
  await query('release-runs', 'UPDATE task SET run_node = $1 WHERE id = ANY($2::uuid[]) AND run_node = $3', [
    releasedNodeId,
    taskIds,
    nodeId(),
  ]);
}
