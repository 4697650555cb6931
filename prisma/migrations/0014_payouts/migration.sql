-- expand: payouts to sellers. Older releases do not read or write these tables; their ledger has no account of a seller.
CREATE TABLE "seller_account" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "rail" TEXT NOT NULL,
    "account_id" TEXT,
    "details" JSONB,
    "details_submitted" BOOLEAN NOT NULL DEFAULT false,
    "payouts_enabled" BOOLEAN NOT NULL DEFAULT false,
    "requirements" JSONB NOT NULL DEFAULT '[]',
    "interval" TEXT NOT NULL DEFAULT 'weekly',
    "day" INTEGER NOT NULL DEFAULT 1,
    "minimum" BIGINT NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "left_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,
    "checked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "seller_account_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "seller_account_user_key" ON "seller_account"("user_id", "rail");
CREATE UNIQUE INDEX "seller_account_account_id_key" ON "seller_account"("account_id");
CREATE INDEX "seller_account_next_at_idx" ON "seller_account"("next_at");

CREATE TABLE "payout" (
    "id" TEXT NOT NULL,
    "seller_id" TEXT NOT NULL,
    "rail" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "test" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "code" TEXT,
    "reason" TEXT,
    "account_id" TEXT,
    "transfer_id" TEXT,
    "bank_payout_id" TEXT,
    "reversal_id" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "version" INTEGER NOT NULL DEFAULT 0,
    "arrives_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "payout_transfer_id_key" ON "payout"("transfer_id");
CREATE UNIQUE INDEX "payout_bank_payout_id_key" ON "payout"("bank_payout_id");
CREATE UNIQUE INDEX "payout_reversal_id_key" ON "payout"("reversal_id");
CREATE INDEX "payout_seller_id_created_at_id_idx" ON "payout"("seller_id", "created_at" DESC, "id");

CREATE TABLE "payout_step" (
    "payout_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "code" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_step_pkey" PRIMARY KEY ("payout_id", "version"),
    CONSTRAINT "payout_step_payout_id_fkey" FOREIGN KEY ("payout_id") REFERENCES "payout"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

-- Jobs of their own: nodes of older releases complete jobs of "payment_outbox" whose subject they do not know.
CREATE TABLE "payout_job" (
    "id" BIGSERIAL NOT NULL,
    "payout_id" TEXT,
    "seller_account_id" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "payout_job_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "payout_job_payout_id_fkey" FOREIGN KEY ("payout_id") REFERENCES "payout"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "payout_job_seller_account_id_fkey" FOREIGN KEY ("seller_account_id") REFERENCES "seller_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX "payout_job_due_at_idx" ON "payout_job"("due_at");
CREATE UNIQUE INDEX "payout_job_payout_id_key" ON "payout_job"("payout_id");
CREATE UNIQUE INDEX "payout_job_seller_account_id_key" ON "payout_job"("seller_account_id");
