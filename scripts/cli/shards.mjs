import { checkEnvironment } from '../environment.mjs';
import { bundleOf } from '../program.mjs';
import { addShard, closeShard, describeShards, requireAdded } from '../shards.mjs';
import { readTaskDatabases } from '../task-databases.mjs';
import { databaseUrl, UsageError } from './command.mjs';

/** The number of names after each action. */
const NAMES = { status: 0, add: 1, close: 1, move: 2, drain: 1 };

/** @type {import('./command.mjs').Command} */
export const shards = {
  summary: 'lists and adds databases for the tasks of owners, and moves owners',
  usage: 'status\nadd NAME\nclose NAME\nmove OWNER NAME\ndrain NAME',
  help: `
The tasks, events and conversations of an owner are in one of the databases of TASK_DATABASE_URLS, or in that of
DATABASE_URL, which is called main. status prints each database. add migrates one and lets it accept new owners; first
restart all nodes with its name in TASK_DATABASE_URLS. close lets a database accept no new owners; those that it has
stay. move copies the rows of one owner, the id of an account, to another database. drain closes a database and moves
all of its owners. Each owner is paused for less than a second: requests wait or get 503. A move that is interrupted
continues or is undone by the nodes. All of it works while nodes are running, and may be repeated.`,
  options: {},
  most: 3,
  async run({ args: [action = 'status', ...names] }) {
    if (NAMES[action] !== names.length)
      throw new UsageError('expected status, add NAME, close NAME, move OWNER NAME or drain NAME');
    const name = names.at(-1);
    const databases = [{ name: 'main', url: await databaseUrl() }, ...(await readTaskDatabases())];
    await checkEnvironment();
    if (action === 'add') await addShard(databases, name);
    if (action === 'close' || action === 'drain') await closeShard(databases, name);
    if (action === 'move') {
      await requireAdded(databases, name);
      await (await import(bundleOf('move-owners'))).moveTo(names[0], name);
    }
    if (action === 'drain') await (await import(bundleOf('move-owners'))).drain(name);
    for (const line of await describeShards(databases)) console.log(line);
  },
};
