-- expand: prices that the gateway enforces. Older releases send to agents with a price plan without a charge.
ALTER TABLE "agent" ADD COLUMN "price_plans" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "agent_search" ADD COLUMN "price_unit" TEXT;
ALTER TABLE "agent_search" ADD COLUMN "price_per" INTEGER;

CREATE TABLE "price_approval" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "plan_id" TEXT NOT NULL,
    "plan" JSONB NOT NULL,
    "currency" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL,
    "amount" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "held" BIGINT NOT NULL DEFAULT 0,
    "spent" BIGINT NOT NULL DEFAULT 0,
    "agents_may_use" BOOLEAN NOT NULL,
    "method" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "connection_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "price_approval_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "price_approval_amounts" CHECK ("amount" > 0 AND "amount" <= "total" AND "held" >= 0 AND "spent" >= 0),
    CONSTRAINT "price_approval_total" CHECK ("held" + "spent" <= "total")
);

-- At most one approval of a user pays an agent in a currency.
CREATE UNIQUE INDEX "price_approval_open_key" ON "price_approval"("user_id", "agent_id", "currency", "test") WHERE "ended_at" IS NULL;
CREATE INDEX "price_approval_user_id_created_at_idx" ON "price_approval"("user_id", "created_at" DESC);
CREATE INDEX "price_approval_agent_id_idx" ON "price_approval"("agent_id");

CREATE TABLE "task_charge" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "approval_id" TEXT NOT NULL,
    "plan" JSONB NOT NULL,
    "task_id" UUID NOT NULL,
    "message_id" TEXT,
    "currency" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL,
    "authorized" BIGINT NOT NULL,
    "captured" BIGINT NOT NULL DEFAULT 0,
    "fee_bps" INTEGER NOT NULL,
    "fee_fixed" BIGINT NOT NULL,
    "fee" BIGINT NOT NULL DEFAULT 0,
    "units" BIGINT,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "authorized_at" TIMESTAMPTZ(3) NOT NULL,
    "check_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "task_charge_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "task_charge_state_check" CHECK ("state" IN ('authorized', 'captured', 'released')),
    CONSTRAINT "task_charge_amounts" CHECK ("authorized" > 0 AND "captured" >= 0 AND "captured" <= "authorized" AND "fee" >= 0 AND "fee" <= "captured"),
    CONSTRAINT "task_charge_approval_id_fkey" FOREIGN KEY ("approval_id") REFERENCES "price_approval"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

CREATE UNIQUE INDEX "task_charge_key_key" ON "task_charge"("key");
CREATE INDEX "task_charge_check_at_idx" ON "task_charge"("check_at") WHERE "state" = 'authorized';
CREATE INDEX "task_charge_task_id_idx" ON "task_charge"("task_id");
CREATE INDEX "task_charge_user_id_authorized_at_idx" ON "task_charge"("user_id", "authorized_at" DESC);
CREATE INDEX "task_charge_agent_id_authorized_at_idx" ON "task_charge"("agent_id", "authorized_at" DESC);
