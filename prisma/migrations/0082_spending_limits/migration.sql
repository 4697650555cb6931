-- What spending limits count an approved order for.
ALTER TABLE "payment_order" ADD COLUMN "approved_at" TIMESTAMPTZ(3),
    ADD COLUMN "credential_id" TEXT,
    ADD COLUMN "connection_id" TEXT,
    ADD COLUMN "root_task_id" UUID;

ALTER TABLE "payment_setting" ADD COLUMN "time_zone" TEXT;

-- The limits that users set. Where none is set, the defaults of the code apply.
CREATE TABLE "spending_limit" (
    "user_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "amount" BIGINT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "spending_limit_pkey" PRIMARY KEY ("user_id", "scope", "subject", "currency", "period")
);
