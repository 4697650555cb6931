import { checkEnvironment } from '../environment.mjs';
import { addShard, closeShard, describeShards } from '../shards.mjs';
import { readTaskDatabases } from '../task-databases.mjs';
import { databaseUrl, UsageError } from './command.mjs';

/** @type {import('./command.mjs').Command} */
export const shards = {
  summary: 'lists and adds databases for the tasks of owners',
  usage: 'status\nadd NAME\nclose NAME',
  help: `
The tasks, events and conversations of an owner are in one of the databases of TASK_DATABASE_URLS, or in that of
DATABASE_URL, which is called main. status prints each database. add migrates one and lets it accept new owners; first
restart all nodes with its name in TASK_DATABASE_URLS. close lets a database accept no new owners; those that it has
stay. All of it works while nodes are running, and may be repeated.`,
  options: {},
  most: 2,
  async run({ args: [action = 'status', name] }) {
    if (!(action === 'status' ? name === undefined : ['add', 'close'].includes(action) && name !== undefined))
      throw new UsageError('expected status, add NAME or close NAME');
    const databases = [{ name: 'main', url: await databaseUrl() }, ...(await readTaskDatabases())];
    await checkEnvironment();
    if (action === 'add') await addShard(databases, name);
    if (action === 'close') await closeShard(databases, name);
    for (const line of await describeShards(databases)) console.log(line);
  },
};
