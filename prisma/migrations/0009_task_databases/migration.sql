-- expand: the directory of the databases with the rows of owners. Older releases use the main database only, and erase
-- what a dropped constraint erased before in their own statements or by retention.
CREATE TABLE "task_database" (
    "name" TEXT NOT NULL,
    "accepts_new" BOOLEAN NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_database_pkey" PRIMARY KEY ("name")
);

INSERT INTO "task_database" ("name", "accepts_new", "added_at") VALUES ('main', true, now());

CREATE TABLE "task_owner" (
    "principal" TEXT NOT NULL,
    "database" TEXT NOT NULL,
    "assigned_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_owner_pkey" PRIMARY KEY ("principal"),
    CONSTRAINT "task_owner_database_fkey" FOREIGN KEY ("database") REFERENCES "task_database"("name") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "task_owner_database_idx" ON "task_owner"("database");

-- A constraint cannot refer to a table in another database.
ALTER TABLE "answer_feedback" DROP CONSTRAINT "answer_feedback_agent_id_fkey";
ALTER TABLE "openai_lost_answer" DROP CONSTRAINT "openai_lost_answer_user_id_fkey";
ALTER TABLE "openai_turn" DROP CONSTRAINT "openai_turn_user_id_fkey";
ALTER TABLE "web_push_seen" DROP CONSTRAINT "web_push_seen_user_id_fkey";
