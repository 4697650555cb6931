-- The calls that agents make on behalf of the caller of one root task, and their limits.
CREATE TABLE "chain" (
    "root_task_id" UUID NOT NULL,
    "principal" TEXT NOT NULL,
    "calls" INTEGER NOT NULL DEFAULT 0,
    "max_calls" INTEGER NOT NULL,
    "open_tasks" UUID[] NOT NULL DEFAULT '{}',
    "max_open" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "hirers" TEXT[] NOT NULL DEFAULT '{}',
    "stopped_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_pkey" PRIMARY KEY ("root_task_id")
);
CREATE INDEX "chain_principal_idx" ON "chain"("principal");

-- A task that an agent created at another. A failed task may be requested again: its hash is then NULL.
CREATE TABLE "chain_task" (
    "task_id" UUID NOT NULL,
    "root_task_id" UUID NOT NULL,
    "parent_task_id" UUID NOT NULL,
    "from_agent_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "depth" INTEGER NOT NULL,
    "request_hash" TEXT,
    "request_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_task_pkey" PRIMARY KEY ("task_id")
);
CREATE UNIQUE INDEX "chain_task_request_key" ON "chain_task"("root_task_id", "agent_id", "request_hash");

-- What the caller of the root task is asked to allow. One per request.
CREATE TABLE "chain_approval" (
    "id" TEXT NOT NULL,
    "root_task_id" UUID NOT NULL,
    "from_agent_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "request_text" TEXT NOT NULL,
    "reasons" TEXT[] NOT NULL,
    "decision" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "chain_approval_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "chain_approval_request_key" ON "chain_approval"("root_task_id", "from_agent_id", "agent_id", "request_hash");

ALTER TABLE "agent_grant" ADD COLUMN "never_hires" BOOLEAN NOT NULL DEFAULT false;
