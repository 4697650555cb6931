-- When each agent is probed next, and how it stands since the last time.
CREATE TABLE "probe_watch" (
    "agent_id" TEXT NOT NULL,
    -- A node that takes a probe moves its time on, so no other node does.
    "next_reach_at" TIMESTAMPTZ(3) NOT NULL,
    "next_run_at" TIMESTAMPTZ(3) NOT NULL,
    -- 'unknown', 'healthy', 'degraded' or 'down'.
    "health" TEXT NOT NULL DEFAULT 'unknown',
    -- Reachability probes that failed in a row, and since when.
    "failing" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    -- Whether the last run of a skill's example failed.
    "run_failed" BOOLEAN NOT NULL DEFAULT false,
    "checked_at" TIMESTAMPTZ(3),
    -- 'reach' or 'run'.
    "checked_by" TEXT,
    -- When the owner was last told that it fails.
    "told_at" TIMESTAMPTZ(3),
    -- 'listed', 'maintenance' (ranks last) or 'withheld' (not in search).
    "rung" TEXT NOT NULL DEFAULT 'listed',

    CONSTRAINT "probe_watch_pkey" PRIMARY KEY ("agent_id"),
    CONSTRAINT "probe_watch_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "probe_watch_next_reach_at_idx" ON "probe_watch"("next_reach_at");
CREATE INDEX "probe_watch_next_run_at_idx" ON "probe_watch"("next_run_at");

-- Single probes; kept for a week.
CREATE TABLE "probe" (
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "good" BOOLEAN NOT NULL,
    "ms" INTEGER NOT NULL,
    -- Of probes that failed: our code, the reason, and what went over the wire, secrets masked.
    "code" TEXT,
    "message" TEXT,
    "wire" JSON,

    CONSTRAINT "probe_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "probe_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "probe_agent_id_at_idx" ON "probe"("agent_id", "at" DESC);
CREATE INDEX "probe_at_idx" ON "probe"("at");

-- The probes of one day together; kept for thirty days.
CREATE TABLE "probe_day" (
    "agent_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "checks" INTEGER NOT NULL,
    "good" INTEGER NOT NULL,
    "p50_ms" INTEGER,
    "p95_ms" INTEGER,

    CONSTRAINT "probe_day_pkey" PRIMARY KEY ("agent_id", "day"),
    CONSTRAINT "probe_day_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- What is known of each agent in numbers, and the score that follows from it.
CREATE TABLE "agent_standing" (
    "agent_id" TEXT NOT NULL,
    "health" TEXT NOT NULL DEFAULT 'unknown',
    "rung" TEXT NOT NULL DEFAULT 'listed',
    -- Share of good probes of thirty days; null before the first.
    "uptime" DOUBLE PRECISION,
    "p50_ms" INTEGER,
    "p95_ms" INTEGER,
    -- Of thirty days, without the owner's own.
    "users" INTEGER NOT NULL DEFAULT 0,
    "calls" INTEGER NOT NULL DEFAULT 0,
    -- Share of finished tasks that were completed; null before the first.
    "success" DOUBLE PRECISION,
    -- Mean of all reviews, 1 to 5; null before the first.
    "rating" DOUBLE PRECISION,
    "review_count" INTEGER NOT NULL DEFAULT 0,
    -- 0 to 100.
    "score" INTEGER NOT NULL DEFAULT 0,
    "parts" JSONB NOT NULL DEFAULT '[]',
    "computed_at" TIMESTAMPTZ(3),
    -- A node that takes it moves this on, so no other node does.
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_standing_pkey" PRIMARY KEY ("agent_id"),
    CONSTRAINT "agent_standing_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "agent_standing_due_at_idx" ON "agent_standing"("due_at");

CREATE INDEX "task_agent_id_created_at_idx" ON "task"("agent_id", "created_at");

-- What search filters and sorts by. A row is ranked once its standing is written into it.
ALTER TABLE "agent_search"
    ADD COLUMN "owner_id" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ADD COLUMN "is_ranked" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "is_withheld" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "health" TEXT NOT NULL DEFAULT 'unknown',
    -- The score; what is under maintenance stands below everything else.
    ADD COLUMN "rank" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "users" INTEGER NOT NULL DEFAULT 0,
    -- Hundredths of a star: the mean (0 before the first review), and that mean drawn to the middle while reviews are few.
    ADD COLUMN "rating" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "rating_rank" INTEGER NOT NULL DEFAULT 0;

UPDATE "agent_search" s SET owner_id = a.owner_id, updated_at = a.updated_at FROM "agent" a WHERE a.id = s.agent_id;

CREATE INDEX "agent_search_rank_idx" ON "agent_search" ("rank" DESC, "created_at" DESC, "agent_id" DESC);
CREATE INDEX "agent_search_users_idx" ON "agent_search" ("users" DESC, "created_at" DESC, "agent_id" DESC);
CREATE INDEX "agent_search_rating_idx" ON "agent_search" ("rating_rank" DESC, "created_at" DESC, "agent_id" DESC);
CREATE INDEX "agent_search_owner_idx" ON "agent_search" ("owner_id");
CREATE INDEX "agent_search_unranked_idx" ON "agent_search" ("agent_id") WHERE NOT is_ranked;

-- Agents that are listed already are probed for the first time within an interval, not all at once.
INSERT INTO "probe_watch" ("agent_id", "next_reach_at", "next_run_at")
SELECT "id", CURRENT_TIMESTAMP + random() * interval '15 minutes', CURRENT_TIMESTAMP + random() * interval '1 day' FROM "agent";
