import { int4, nullable, type RowOf, row, text } from '../../platform/db/rows';
import { env } from '../../platform/runtime/env';

/** The calls of an agent by others. */
export interface CallCounts {
  users: number;
  calls: number;
  completed: number;
  failed: number;
}

/**
 * The calls of agents (`$1`) by principal on whole days in UTC after `$2`, without those of guests. `fresh`: the tasks
 * that are not compacted and therefore not in agent_task_day: those of the last hour, and interrupted ones.
 */
const calledSql = `fresh AS MATERIALIZED (
  SELECT agent_id, principal, count(*)::int AS calls, (count(*) FILTER (WHERE state = 'completed'))::int AS completed,
    (count(*) FILTER (WHERE state IN ('failed', 'rejected')))::int AS failed
  FROM task WHERE NOT compacted AND run_node IS NULL AND agent_id = ANY($1)
    AND created_at >= (($2::timestamptz AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC' GROUP BY 1, 2
), called AS (
  SELECT agent_id, principal, calls, completed, failed FROM agent_task_day
  WHERE agent_id = ANY($1) AND day > ($2::timestamptz AT TIME ZONE 'UTC')::date AND principal !~ '^(gst|pyr)_'
  UNION ALL SELECT agent_id, principal, calls, completed, failed FROM fresh WHERE principal !~ '^(gst|pyr)_')`;

const appRow = row({ id: text() });
const countRow = row({
  agentId: text(),
  principal: nullable(text()),
  users: int4(),
  calls: int4(),
  completed: int4(),
  failed: int4(),
});

/**
 * Counts the calls of agents on whole days in UTC after `since`. Calls of an agent's own team and its apps do not count,
 * nor do those of guests, nor those of demo users unless the demo runs. A user and their apps count as one user. Agents
 * without calls may have no entry.
 */
export async function countCalls(agentIds: string[], since: Date): Promise<Map<string, CallCounts>> {
  const apps = await appRow
    .inEach()
    .query(
      'calling-apps',
      `WITH ${calledSql} SELECT DISTINCT principal AS id FROM called WHERE principal LIKE 'app\\_%'`,
      [agentIds, since],
    );
  const accounts = await findAccounts(
    agentIds,
    apps.map(({ id }) => id),
  );
  // The others are counted in the database, because there can be many.
  const named = [...accounts.ownerOf.keys(), ...accounts.ownerOf.values(), ...accounts.teams.keys(), ...accounts.demo];
  const rows = await countRow.inEach().query(
    'count-calls',
    `WITH ${calledSql}
     SELECT agent_id AS "agentId", CASE WHEN principal = ANY($3) THEN principal END AS principal,
       count(DISTINCT principal)::int AS users, sum(calls)::int AS calls, sum(completed)::int AS completed,
       sum(failed)::int AS failed
     FROM called GROUP BY 1, 2`,
    [agentIds, since, [...new Set(named)]],
  );
  return sumCounts(rows, accounts);
}

interface Accounts {
  /** The owners of apps. */
  ownerOf: Map<string, string>;
  /** The agents of each member of their teams. */
  teams: Map<string, Set<string>>;
  /** Demo users that do not count. */
  demo: Set<string>;
}

const ownerRow = row({ id: text(), ownerId: text() });
const memberRow = row({ agentId: text(), userId: text() });
const demoRow = row({ id: text() });

async function findAccounts(agentIds: string[], appIds: string[]): Promise<Accounts> {
  const [owners, members, demo] = await Promise.all([
    ownerRow.query('calling-app-owners', 'SELECT id, owner_id AS "ownerId" FROM app WHERE id = ANY($1)', [appIds]),
    memberRow.query(
      'ranked-teams',
      `SELECT id AS "agentId", owner_id AS "userId" FROM agent WHERE id = ANY($1)
       UNION ALL SELECT agent_id, user_id FROM agent_member WHERE agent_id = ANY($1)`,
      [agentIds],
    ),
    env().DEMO ? [] : demoRow.query('demo-users', 'SELECT id FROM "user" WHERE is_demo'),
  ]);
  const teams = new Map<string, Set<string>>();
  for (const { agentId, userId } of members) teams.set(userId, (teams.get(userId) ?? new Set()).add(agentId));
  return {
    ownerOf: new Map(owners.map(({ id, ownerId }) => [id, ownerId])),
    teams,
    demo: new Set(demo.map(({ id }) => id)),
  };
}

/** Adds up the counts of each database. */
function sumCounts(rows: RowOf<typeof countRow>[], { ownerOf, teams, demo }: Accounts): Map<string, CallCounts> {
  const sums = new Map<string, CallCounts>();
  const seen = new Set<string>();
  for (const { agentId, principal, users, calls, completed, failed } of rows) {
    const who = principal && (ownerOf.get(principal) ?? principal);
    if (who && (teams.get(who)?.has(agentId) || demo.has(who))) continue;
    const isCounted = who !== null && seen.has(`${agentId} ${who}`);
    if (who !== null) seen.add(`${agentId} ${who}`);
    const sum = sums.get(agentId) ?? { users: 0, calls: 0, completed: 0, failed: 0 };
    sums.set(agentId, {
      users: sum.users + (isCounted ? 0 : users),
      calls: sum.calls + calls,
      completed: sum.completed + completed,
      failed: sum.failed + failed,
    });
  }
  return sums;
}
