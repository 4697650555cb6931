-- What a person says of an agent they have used; one per person and agent.
CREATE TABLE "review" (
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "stars" INTEGER NOT NULL CHECK ("stars" BETWEEN 1 AND 5),
    "text" TEXT NOT NULL,
    -- What the agent's owner answers, for all to read.
    "reply" TEXT,
    "replied_at" TIMESTAMPTZ(3),
    -- Set by moderation: nobody but its author sees it, and it does not count.
    "hidden_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "review_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "review_agent_id_user_id_key" ON "review"("agent_id", "user_id");
CREATE INDEX "review_agent_id_updated_at_id_idx" ON "review"("agent_id", "updated_at" DESC, "id");
CREATE INDEX "review_user_id_idx" ON "review"("user_id");

-- How an agent was rated: of the reviews that count their number, the sum of their stars, and how many gave each number.
CREATE VIEW "agent_rating" AS
SELECT "agent_id",
       count(*)::int AS "review_count",
       sum("stars")::int AS "stars_sum",
       (count(*) FILTER (WHERE "stars" = 1))::int AS "one",
       (count(*) FILTER (WHERE "stars" = 2))::int AS "two",
       (count(*) FILTER (WHERE "stars" = 3))::int AS "three",
       (count(*) FILTER (WHERE "stars" = 4))::int AS "four",
       (count(*) FILTER (WHERE "stars" = 5))::int AS "five"
FROM "review" WHERE "hidden_at" IS NULL GROUP BY "agent_id";
