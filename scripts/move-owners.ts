import { setTimeout as sleep } from 'node:timers/promises';
import { moveOwner } from '@/lib/platform/db/task-databases/move-owner';
import {
  chooseDatabase,
  listOpenDatabases,
  listOwners,
  readDatabaseName,
} from '@/lib/platform/db/task-databases/owner-directory';
import { settleMove } from '@/lib/platform/db/task-databases/settle-moves';
import { closeDatabases } from '@/lib/platform/db/task-databases/task-databases';
import { MOVED_ROWS_GRACE_MS } from '@/lib/platform/limits';
import { CliError } from './cli-output.mjs';

/** Deletions of rows that were moved, which follow the switch. */
const deletions = new Set<Promise<void>>();

/**
 * Moves the rows of an owner to another database while nodes serve it.
 * @throws {CliError} if the owner is unknown or already there
 */
export async function moveTo(principal: string, target: string): Promise<void> {
  try {
    const source = await readDatabaseName(principal);
    if (source === null)
      throw new CliError(`${principal} has no tasks or conversations; expected the id of an account`);
    if (source === target) throw new CliError(`${principal} is already in ${target}`);
    await move({ principal, source, target });
  } finally {
    await close();
  }
}

/**
 * Moves the rows of all owners of a database, which accepts no new ones, to the others. Continues after a failure.
 * @throws {CliError} with the number of owners that remain
 */
export async function drain(source: string): Promise<void> {
  try {
    const names = await listOpenDatabases();
    const owners = await listOwners(source);
    let failed = 0;
    for (const principal of owners) {
      const target = chooseDatabase(principal, names);
      if (target === null) throw new CliError('no other database accepts new owners');
      await move({ principal, source, target }).catch((error: Error) => {
        failed += 1;
        console.error(`${principal}: ${error.message}`);
      });
    }
    await Promise.all(deletions);
    if (failed > 0) throw new CliError(`${failed} of ${owners.length} owners remain in ${source}; repeat the command`);
  } finally {
    await close();
  }
}

async function move(planned: { principal: string; source: string; target: string }): Promise<void> {
  const { pauseMs, copied, copiedInPause } = await moveOwner(planned);
  const { principal, source, target } = planned;
  console.log(
    `${principal}: ${source} → ${target}, ${copied} rows and ${copiedInPause} in a pause of ${Math.round(pauseMs)} ms`,
  );
  const deletion = sleep(MOVED_ROWS_GRACE_MS + 50)
    .then(() => settleMove(principal))
    // A node repeats it.
    .catch(() => undefined)
    .finally(() => deletions.delete(deletion));
  deletions.add(deletion);
}

async function close(): Promise<void> {
  await Promise.all(deletions);
  await closeDatabases();
}
