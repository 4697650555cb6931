-- What went between Parley and an agent for a task of a person, for that person to see; secrets are masked before it is kept.
CREATE TABLE "task_wire" (
    "id" TEXT NOT NULL,
    "task_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "exchange" JSON NOT NULL,

    CONSTRAINT "task_wire_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "task_wire_task_id_at_idx" ON "task_wire"("task_id", "at");
CREATE INDEX "task_wire_at_idx" ON "task_wire"("at");
