import { db } from '../../platform/db/db';
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

/** Returns a test run of this caller; null if there is none. */
export async function selectTestRun(run: Pick<TestRun, 'requestId' | 'agentId' | 'caller'>): Promise<TestRun | null> {
  return db().testRun.findFirst({ where: run });
}

/** Returns the introspections of a caller's tokens since the given time, oldest first. */
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
