ALTER TABLE "task" ADD COLUMN "packed" BOOLEAN NOT NULL DEFAULT false;

CREATE INDEX "task_packed_state_at_idx" ON "task"("packed", "state_at");

CREATE TABLE "task_story" (
    "task_id" UUID NOT NULL,
    "events" JSON NOT NULL,

    CONSTRAINT "task_story_pkey" PRIMARY KEY ("task_id")
);
