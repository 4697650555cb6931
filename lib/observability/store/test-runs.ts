import { db } from '../../platform/db';
import { MAX_SHOWN_INTROSPECTIONS } from '../limits';

interface TestRun {
  requestId: string;
  agentId: string;
  caller: string;
  replayOf: string | null;
  at: Date;
}

/** The result of an introspection of a caller's token. */
interface IntrospectionRecord {
  id: string;
  agentId: string;
  caller: string;
  active: boolean;
  reason: string | null;
  at: Date;
}

export async function insertTestRun(run: TestRun): Promise<void> {
  await db().testRun.create({ data: run });
}

export async function insertIntrospection(introspection: IntrospectionRecord): Promise<void> {
  await db().introspection.create({ data: introspection });
}

/** A test run of this caller. */
export async function selectTestRun(run: Pick<TestRun, 'requestId' | 'agentId' | 'caller'>): Promise<TestRun | null> {
  return db().testRun.findFirst({ where: run });
}

/** Introspections of a caller's tokens since a time, oldest first. */
export async function selectIntrospections(
  { agentId, caller }: Pick<IntrospectionRecord, 'agentId' | 'caller'>,
  since: Date,
): Promise<IntrospectionRecord[]> {
  return db().introspection.findMany({
    where: { agentId, caller, at: { gte: since } },
    orderBy: { at: 'asc' },
    take: MAX_SHOWN_INTROSPECTIONS,
  });
}

/** When an agent last passed a test, and when it last introspected an active token in one; null for never. */
export async function selectTestResults(agentId: string): Promise<{ passed: Date | null; introspected: Date | null }> {
  const [row] = await db().$queryRaw<{ passed: Date | null; introspected: Date | null }[]>`
    SELECT
      (SELECT max(c.at) FROM agent_call c JOIN test_run r ON r.request_id = c.request_id AND r.agent_id = c.agent_id
       WHERE c.agent_id = ${agentId} AND c.code IS NULL AND r.replay_of IS NULL) AS passed,
      (SELECT max(n.at) FROM introspection n WHERE n.agent_id = ${agentId} AND n.active) AS introspected`;
  return row ?? { passed: null, introspected: null };
}
