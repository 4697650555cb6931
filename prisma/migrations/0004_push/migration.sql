-- CreateTable
CREATE TABLE "push_config" (
    "task_id" UUID NOT NULL,
    "id" VARCHAR(255) NOT NULL,
    "principal" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "dialect" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secrets" TEXT NOT NULL,
    "sent_seq" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease" TEXT,
    "leased_until" TIMESTAMPTZ(3),
    "ended" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_config_pkey" PRIMARY KEY ("task_id","id")
);

-- CreateTable
CREATE TABLE "push_dead_letter" (
    "id" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "task_id" UUID NOT NULL,
    "config_id" VARCHAR(255) NOT NULL,
    "seq" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "http_status" INTEGER,
    "attempts" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_dead_letter_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "push_config_ended_due_at_idx" ON "push_config"("ended", "due_at");

-- CreateIndex
CREATE INDEX "push_dead_letter_principal_at_id_idx" ON "push_dead_letter"("principal", "at" DESC, "id");
