-- A run of an agent that connects to Parley: written with its task, claimed by the node that holds a worker, deleted
-- when the turn ends. At most one per task.
CREATE TABLE "hub_run" (
    "task_id" UUID NOT NULL,
    "turn_seq" INTEGER NOT NULL,
    "agent_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "worker_id" UUID,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "seen" INTEGER NOT NULL DEFAULT 0,
    "redelivers" BOOLEAN NOT NULL DEFAULT false,
    "request" JSON NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hub_run_pkey" PRIMARY KEY ("task_id")
);
CREATE INDEX "hub_run_waiting_idx" ON "hub_run"("agent_id", "created_at") WHERE "state" = 'waiting';
CREATE INDEX "hub_run_due_idx" ON "hub_run"("due_at") WHERE "state" = 'waiting';

-- The connected workers. A row whose node is dead counts as absent.
CREATE TABLE "hub_worker" (
    "id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "capacity" INTEGER NOT NULL,
    "draining" BOOLEAN NOT NULL DEFAULT false,
    "version" TEXT NOT NULL DEFAULT '',
    "connected_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hub_worker_pkey" PRIMARY KEY ("agent_id", "id")
);

-- Agents that have connected. Nothing is queued for one that never has.
CREATE TABLE "hub_agent" (
    "agent_id" TEXT NOT NULL,
    "first_connected_at" TIMESTAMPTZ(3) NOT NULL,
    "last_connected_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hub_agent_pkey" PRIMARY KEY ("agent_id")
);
