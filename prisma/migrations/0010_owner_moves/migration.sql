-- expand: moves of an owner's rows to another database. Older releases do not run moves.
CREATE TABLE "task_move" (
    "principal" TEXT NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "source" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "acknowledged" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "switched_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "task_move_pkey" PRIMARY KEY ("principal")
);

CREATE TABLE "leaving_owner" (
    "principal" TEXT NOT NULL,
    "is_fenced" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "leaving_owner_pkey" PRIMARY KEY ("principal")
);

CREATE TABLE "arrived_owner" (
    "principal" TEXT NOT NULL,
    "move_id" UUID NOT NULL,

    CONSTRAINT "arrived_owner_pkey" PRIMARY KEY ("principal")
);

-- Rejects writes to the rows of an owner while they are copied for the last time, and afterwards. Its triggers exist only
-- while owners leave the database. The argument is the column that identifies the owner.
CREATE FUNCTION reject_leaving_owner() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  changed record;
  owners text[];
  owner text;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  CASE TG_ARGV[0]
    WHEN 'principal' THEN
      owners := ARRAY[changed.principal];
      IF TG_OP = 'UPDATE' THEN owners := owners || OLD.principal; END IF;
    WHEN 'user_id' THEN
      owners := ARRAY[changed.user_id];
      IF TG_OP = 'UPDATE' THEN owners := owners || OLD.user_id; END IF;
    WHEN 'task_id' THEN owners := ARRAY(SELECT t.principal FROM task t WHERE t.id = changed.task_id);
    WHEN 'root_task_id' THEN owners := ARRAY(SELECT c.principal FROM chain c WHERE c.root_task_id = changed.root_task_id);
    WHEN 'conversation_id' THEN owners := ARRAY(SELECT c.user_id FROM conversation c WHERE c.id = changed.conversation_id);
  END CASE;
  FOR owner IN SELECT l.principal FROM leaving_owner l WHERE l.principal = ANY(owners) LOOP
    CONTINUE WHEN current_setting('parley.moved_owner', true) = owner;
    -- Waits for the fence, which waits for earlier writers.
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('leaving ' || owner, 9));
    IF EXISTS (SELECT FROM leaving_owner l WHERE l.principal = owner AND l.is_fenced) THEN
      RAISE EXCEPTION 'the rows of this owner are being moved to another database' USING ERRCODE = 'PM001';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
