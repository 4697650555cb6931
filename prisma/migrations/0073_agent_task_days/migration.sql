-- expand: the trigger only adds to a new table; older releases compact tasks as before.
-- Finished tasks of each agent per day and principal, for rankings. Compaction handles every finished task exactly once, off
-- the message path, so its rows are counted: also those of nodes that run an earlier version.
CREATE TABLE "agent_task_day" (
    "agent_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "principal" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "completed" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,

    CONSTRAINT "agent_task_day_pkey" PRIMARY KEY ("agent_id", "day", "principal")
);
CREATE INDEX "agent_task_day_day_idx" ON "agent_task_day"("day");

-- Sorted, so that two nodes lock rows in the same order.
CREATE FUNCTION "count_compacted_tasks"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO agent_task_day AS d (agent_id, day, principal, calls, completed, failed)
  SELECT t.agent_id, (t.created_at AT TIME ZONE 'UTC')::date, t.principal, count(*), count(*) FILTER (WHERE t.state = 'completed'),
    count(*) FILTER (WHERE t.state IN ('failed', 'rejected'))
  FROM added JOIN task t ON t.id = added.task_id
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (agent_id, day, principal) DO UPDATE SET calls = d.calls + excluded.calls,
    completed = d.completed + excluded.completed, failed = d.failed + excluded.failed;
  RETURN NULL;
END $$;
CREATE TRIGGER "compacted_task_counted" AFTER INSERT ON "compacted_task"
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_compacted_tasks"();

-- No compaction can commit between the trigger and this count. The message path does not wait for the trigger's lock.
INSERT INTO "agent_task_day" ("agent_id", "day", "principal", "calls", "completed", "failed")
SELECT "agent_id", ("created_at" AT TIME ZONE 'UTC')::date, "principal", count(*), count(*) FILTER (WHERE "state" = 'completed'),
  count(*) FILTER (WHERE "state" IN ('failed', 'rejected'))
FROM "task" WHERE "compacted" AND "created_at" >= now() - interval '31 days' GROUP BY 1, 2, 3;
