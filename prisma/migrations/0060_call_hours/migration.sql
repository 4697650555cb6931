-- The task of a call, to search the call log by it.
ALTER TABLE "agent_call" ADD COLUMN "task_id" TEXT NOT NULL DEFAULT '';

-- Calls of an agent per hour, for the figures of the console; they last longer than the call log.
CREATE TABLE "agent_call_hour" (
    "agent_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    -- 0 for failed calls; else the bucket of the duration (lib/observability/store/call-hours.ts).
    "bucket" INTEGER NOT NULL,
    "calls" INTEGER NOT NULL,

    CONSTRAINT "agent_call_hour_pkey" PRIMARY KEY ("agent_id", "hour", "bucket")
);
CREATE INDEX "agent_call_hour_hour_idx" ON "agent_call_hour"("hour");

-- The callers of an agent per hour, to count distinct ones.
CREATE TABLE "agent_caller_hour" (
    "agent_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "caller" TEXT NOT NULL,

    CONSTRAINT "agent_caller_hour_pkey" PRIMARY KEY ("agent_id", "hour", "caller")
);
CREATE INDEX "agent_caller_hour_hour_idx" ON "agent_caller_hour"("hour");

INSERT INTO "agent_call_hour" ("agent_id", "hour", "bucket", "calls")
SELECT "agent_id", date_trunc('hour', "at", 'UTC'),
  CASE WHEN "code" IS NOT NULL THEN 0 ELSE 1 + floor(ln(greatest("ms", 1)) / ln(1.1))::int END, count(*)::int
FROM "agent_call" GROUP BY 1, 2, 3;

INSERT INTO "agent_caller_hour" ("agent_id", "hour", "caller")
SELECT DISTINCT "agent_id", date_trunc('hour', "at", 'UTC'), "caller" FROM "agent_call" WHERE "caller" <> '';
