-- What moderators decide about: one agent, review or shared conversation that was reported.
CREATE TABLE "moderation_case" (
    "id" TEXT NOT NULL,
    -- 'agent', 'review' or 'share', and the id of that one.
    "kind" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    -- The agent that it is about, and who answers for the target; null once that person's account is deleted.
    "agent_id" TEXT,
    "owner_id" TEXT,
    -- How the target was called when it was reported.
    "title" TEXT NOT NULL,
    -- 'open', 'dismissed', 'removed', 'appealed', 'restored' or 'upheld'.
    "state" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    -- Why it was removed, and what the owner is told.
    "reason" TEXT,
    "statement" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    -- The state that the target goes back to when it is restored.
    "prior" TEXT,
    "appeal" TEXT,
    "appealed_at" TIMESTAMPTZ(3),

    CONSTRAINT "moderation_case_pkey" PRIMARY KEY ("id")
);

-- Reports of one target meet in one case until it is closed.
CREATE UNIQUE INDEX "moderation_case_undecided_key" ON "moderation_case"("kind", "target_id")
    WHERE "state" IN ('open', 'removed', 'appealed', 'upheld');
CREATE INDEX "moderation_case_state_opened_at_idx" ON "moderation_case"("state", "opened_at");
CREATE INDEX "moderation_case_kind_target_id_idx" ON "moderation_case"("kind", "target_id");

-- One report. Its id is the receipt: who has it may see what came of it.
CREATE TABLE "moderation_report" (
    "id" TEXT NOT NULL,
    "case_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    -- Null for reports by people who were not signed in.
    "reporter_id" TEXT,
    -- The target as it was when it was reported.
    "evidence" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "moderation_report_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "moderation_report_case_id_fkey" FOREIGN KEY ("case_id") REFERENCES "moderation_case"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "moderation_report_case_id_created_at_idx" ON "moderation_report"("case_id", "created_at");
CREATE INDEX "moderation_report_reporter_id_idx" ON "moderation_report"("reporter_id");

-- What happened in a case, in order.
CREATE TABLE "moderation_step" (
    "id" TEXT NOT NULL,
    "case_id" TEXT NOT NULL,
    -- The state that it brought.
    "state" TEXT NOT NULL,
    -- 'moderator' or 'owner', and who it was; null once their account is deleted.
    "role" TEXT NOT NULL,
    "user_id" TEXT,
    "note" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "moderation_step_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "moderation_step_case_id_fkey" FOREIGN KEY ("case_id") REFERENCES "moderation_case"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "moderation_step_case_id_at_idx" ON "moderation_step"("case_id", "at");

-- Mails about decisions that are still to be sent; a row goes when its mail has gone.
CREATE TABLE "moderation_notice" (
    "case_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- The decision that is told, and why this person hears of it: 'owner', 'reporter' or 'user'.
    "state" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "moderation_notice_pkey" PRIMARY KEY ("case_id", "user_id", "state"),
    CONSTRAINT "moderation_notice_case_id_fkey" FOREIGN KEY ("case_id") REFERENCES "moderation_case"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "moderation_notice_due_at_idx" ON "moderation_notice"("due_at");
CREATE INDEX "moderation_notice_user_id_idx" ON "moderation_notice"("user_id");
