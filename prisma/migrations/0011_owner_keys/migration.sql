-- expand: the owner in each table of owners. Rows of nodes that do not know the column receive their owner from a trigger
-- at the end of the statement. A share's token is random, so that its index need not be unique.
ALTER TABLE "task_event" ADD COLUMN "principal" TEXT NOT NULL DEFAULT '';
ALTER TABLE "compacted_task" ADD COLUMN "principal" TEXT NOT NULL DEFAULT '';
ALTER TABLE "task_http_exchange" ADD COLUMN "principal" TEXT NOT NULL DEFAULT '';
ALTER TABLE "pending_cancel" ADD COLUMN "principal" TEXT NOT NULL DEFAULT '';
ALTER TABLE "hub_run" ADD COLUMN "principal" TEXT NOT NULL DEFAULT '';
ALTER TABLE "chain_task" ADD COLUMN "principal" TEXT NOT NULL DEFAULT '';
ALTER TABLE "chain_approval" ADD COLUMN "principal" TEXT NOT NULL DEFAULT '';
ALTER TABLE "conversation_branch" ADD COLUMN "user_id" TEXT NOT NULL DEFAULT '';
ALTER TABLE "conversation_index_cursor" ADD COLUMN "user_id" TEXT NOT NULL DEFAULT '';
ALTER TABLE "answer_feedback" ADD COLUMN "user_id" TEXT NOT NULL DEFAULT '';

-- The argument is the column that identifies the row with the owner.
CREATE FUNCTION set_row_owner() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_ARGV[0]
    WHEN 'task_id' THEN
      EXECUTE format('UPDATE %I r SET principal = t.principal FROM task t
        WHERE t.id = $1 AND r.task_id = $1 AND r.principal = ''''', TG_TABLE_NAME) USING NEW.task_id;
    WHEN 'root_task_id' THEN
      EXECUTE format('UPDATE %I r SET principal = c.principal FROM chain c
        WHERE c.root_task_id = $1 AND r.root_task_id = $1 AND r.principal = ''''', TG_TABLE_NAME) USING NEW.root_task_id;
    WHEN 'conversation_id' THEN
      EXECUTE format('UPDATE %I r SET user_id = c.user_id FROM conversation c
        WHERE c.id = $1 AND r.conversation_id = $1 AND r.user_id = ''''', TG_TABLE_NAME) USING NEW.conversation_id;
  END CASE;
  RETURN NULL;
END $$;

CREATE TRIGGER set_row_owner AFTER INSERT ON task_event
FOR EACH ROW WHEN (NEW.principal = '') EXECUTE FUNCTION set_row_owner('task_id');
CREATE TRIGGER set_row_owner AFTER INSERT ON compacted_task
FOR EACH ROW WHEN (NEW.principal = '') EXECUTE FUNCTION set_row_owner('task_id');
CREATE TRIGGER set_row_owner AFTER INSERT ON task_http_exchange
FOR EACH ROW WHEN (NEW.principal = '') EXECUTE FUNCTION set_row_owner('task_id');
CREATE TRIGGER set_row_owner AFTER INSERT ON pending_cancel
FOR EACH ROW WHEN (NEW.principal = '') EXECUTE FUNCTION set_row_owner('task_id');
CREATE TRIGGER set_row_owner AFTER INSERT ON hub_run
FOR EACH ROW WHEN (NEW.principal = '') EXECUTE FUNCTION set_row_owner('task_id');
CREATE TRIGGER set_row_owner AFTER INSERT ON chain_task
FOR EACH ROW WHEN (NEW.principal = '') EXECUTE FUNCTION set_row_owner('root_task_id');
CREATE TRIGGER set_row_owner AFTER INSERT ON chain_approval
FOR EACH ROW WHEN (NEW.principal = '') EXECUTE FUNCTION set_row_owner('root_task_id');
CREATE TRIGGER set_row_owner AFTER INSERT ON conversation_branch
FOR EACH ROW WHEN (NEW.user_id = '') EXECUTE FUNCTION set_row_owner('conversation_id');
CREATE TRIGGER set_row_owner AFTER INSERT ON conversation_index_cursor
FOR EACH ROW WHEN (NEW.user_id = '') EXECUTE FUNCTION set_row_owner('conversation_id');
CREATE TRIGGER set_row_owner AFTER INSERT ON answer_feedback
FOR EACH ROW WHEN (NEW.user_id = '') EXECUTE FUNCTION set_row_owner('conversation_id');

-- Nodes that know the column count what they compact.
CREATE OR REPLACE FUNCTION count_compacted_tasks() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO agent_task_day AS d (agent_id, day, principal, calls, completed, failed)
  SELECT t.agent_id, (t.created_at AT TIME ZONE 'UTC')::date, t.principal, count(*), count(*) FILTER (WHERE t.state = 'completed'),
    count(*) FILTER (WHERE t.state IN ('failed', 'rejected'))
  FROM added JOIN task t ON t.id = added.task_id WHERE added.principal = ''
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (agent_id, day, principal) DO UPDATE SET calls = d.calls + excluded.calls,
    completed = d.completed + excluded.completed, failed = d.failed + excluded.failed;
  RETURN NULL;
END $$;

-- Constraints instead of indexes, so that statements can name them.
ALTER TABLE "chain_task" ADD CONSTRAINT "chain_task_request_key" UNIQUE USING INDEX "chain_task_request_key";
ALTER TABLE "chain_approval" ADD CONSTRAINT "chain_approval_request_key" UNIQUE USING INDEX "chain_approval_request_key";

-- What keys.sql and backfill.sql have to know: whether all running nodes give the owner, and what is complete.
ALTER TABLE "node" ADD COLUMN "last_migration" TEXT NOT NULL DEFAULT '';
ALTER TABLE "schema_change" ADD COLUMN "backfilled_at" TIMESTAMPTZ(3);
