-- Cancels of tasks that the agent had not named yet. They are sent once its id is known, by any node.
CREATE TABLE "pending_cancel" (
    "task_id" UUID NOT NULL,
    "upstream_task_id" TEXT,
    "request" JSON NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pending_cancel_pkey" PRIMARY KEY ("task_id")
);
CREATE INDEX "pending_cancel_due_at_idx" ON "pending_cancel"("due_at") WHERE "upstream_task_id" IS NOT NULL;
