import type { Statement, TextRow } from '../../platform/db/pipelined-statements';
import { type Columns, encodeParams, selectUnnest } from '../../platform/db/sql';
import { MAX_NOTIFY_KEYS } from '../limits';
import { batchedWriter } from './task-writes';

/** A worker's acceptance of its offer. */
export interface Acceptance {
  taskId: string;
  epoch: number;
  workerId: string;
  /** The worker declared that a lost run may start again. */
  redelivers: boolean;
}

const columns: Columns = { id: 'uuid', epoch: 'int', worker: 'uuid', redelivers: 'text' };

const acceptSql = (many: boolean): string => `
  UPDATE hub_run h SET state = 'accepted', worker_id = w.worker, redelivers = w.redelivers::boolean
  FROM (${selectUnnest(columns, many)}) w WHERE h.task_id = w.id AND h.epoch = w.epoch AND h.state = 'offered'
  RETURNING h.task_id`;
const acceptOneSql = acceptSql(false);
const acceptManySql = acceptSql(true);

/**
 * Records that a worker accepted its offer, in one commit with other writes of the process; false when the run was
 * offered again since.
 */
export const acceptRun = batchedWriter({ order: 3, maxBatch: MAX_NOTIFY_KEYS, statementsOf, resultsOf });

function statementsOf(batch: Acceptance[]): [Statement] {
  const rows = batch.map(({ taskId, epoch, workerId, redelivers }) => [taskId, epoch, workerId, String(redelivers)]);
  const values = encodeParams(columns, rows);
  return [
    batch.length > 1
      ? { name: 'accept-hub-runs', text: acceptManySql, values }
      : { name: 'accept-hub-run', text: acceptOneSql, values },
  ];
}

function resultsOf(batch: Acceptance[], rows: TextRow[]): boolean[] {
  const accepted = new Set(rows.map(([id]) => id));
  return batch.map(({ taskId }) => accepted.has(taskId));
}
