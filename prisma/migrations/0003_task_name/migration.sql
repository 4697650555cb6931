-- CreateTable
CREATE TABLE "task_name" (
    "family" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "client_id" VARCHAR(255) NOT NULL,
    "task_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_name_pkey" PRIMARY KEY ("principal","agent_id","client_id","family")
);

-- CreateIndex
CREATE INDEX "task_name_task_id_idx" ON "task_name"("task_id");
