-- expand: refunds of charges, and disputes. Older releases neither read nor write these tables, and release no earning that is held for a dispute.
CREATE TABLE "charge_refund" (
    "id" TEXT NOT NULL,
    "charge_id" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "fee" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "charge_refund_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "charge_refund_amounts" CHECK ("amount" > 0 AND "fee" BETWEEN 0 AND "amount"),
    CONSTRAINT "charge_refund_charge_id_fkey" FOREIGN KEY ("charge_id") REFERENCES "task_charge"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

CREATE INDEX "charge_refund_charge_id_idx" ON "charge_refund"("charge_id");

-- The part of an earning that is in the seller's account `reserve`.
ALTER TABLE "earning" ADD COLUMN "reserved" BIGINT NOT NULL DEFAULT 0;

CREATE TABLE "dispute" (
    "id" TEXT NOT NULL,
    "sale_kind" TEXT NOT NULL,
    "sale_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "seller_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "task_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,
    "wanted" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "outcome" TEXT,
    "awarded" BIGINT,
    "refund_id" TEXT,
    "proposed_by" TEXT,
    "proposed" BIGINT,
    "prior_hold" TEXT NOT NULL,
    "prior_available_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "reminded_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "dispute_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "dispute_sale_kind_check" CHECK ("sale_kind" IN ('order', 'charge')),
    CONSTRAINT "dispute_state_check" CHECK ("state" IN ('open', 'answered', 'review', 'refunding', 'failed', 'closed')),
    CONSTRAINT "dispute_closed_check" CHECK (("state" = 'closed') = ("closed_at" IS NOT NULL)),
    CONSTRAINT "dispute_amounts" CHECK ("wanted" > 0 AND "proposed" BETWEEN 0 AND "wanted" AND "awarded" BETWEEN 0 AND "wanted")
);

-- A sale has at most one dispute that is not closed.
CREATE UNIQUE INDEX "dispute_open_key" ON "dispute"("sale_kind", "sale_id") WHERE "closed_at" IS NULL;
CREATE UNIQUE INDEX "dispute_refund_id_key" ON "dispute"("refund_id");
CREATE INDEX "dispute_sale_id_idx" ON "dispute"("sale_id");
CREATE INDEX "dispute_user_id_created_at_id_idx" ON "dispute"("user_id", "created_at" DESC, "id");
CREATE INDEX "dispute_seller_id_created_at_id_idx" ON "dispute"("seller_id", "created_at" DESC, "id");
CREATE INDEX "dispute_due_at_idx" ON "dispute"("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "dispute_state_created_at_id_idx" ON "dispute"("state", "created_at", "id");

CREATE TABLE "dispute_entry" (
    "id" TEXT NOT NULL,
    "dispute_id" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "amount" BIGINT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_entry_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "dispute_entry_dispute_id_fkey" FOREIGN KEY ("dispute_id") REFERENCES "dispute"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

CREATE INDEX "dispute_entry_dispute_id_idx" ON "dispute_entry"("dispute_id");

CREATE TABLE "dispute_file" (
    "id" TEXT NOT NULL,
    "dispute_id" TEXT NOT NULL,
    "entry_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "dispute_file_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "dispute_file_size" CHECK ("size" = octet_length("bytes") AND "size" BETWEEN 1 AND 307200),
    CONSTRAINT "dispute_file_dispute_id_fkey" FOREIGN KEY ("dispute_id") REFERENCES "dispute"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "dispute_file_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "dispute_entry"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

CREATE INDEX "dispute_file_dispute_id_idx" ON "dispute_file"("dispute_id");
CREATE INDEX "dispute_file_entry_id_idx" ON "dispute_file"("entry_id");

CREATE TABLE "dispute_notice" (
    "id" TEXT NOT NULL,
    "dispute_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_notice_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "dispute_notice_dispute_id_fkey" FOREIGN KEY ("dispute_id") REFERENCES "dispute"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

CREATE INDEX "dispute_notice_due_at_idx" ON "dispute_notice"("due_at");
CREATE INDEX "dispute_notice_dispute_id_idx" ON "dispute_notice"("dispute_id");

-- Disputes of card payments at banks, mirrored from Stripe.
CREATE TABLE "bank_dispute" (
    "id" TEXT NOT NULL,
    "stripe_id" TEXT NOT NULL,
    "order_id" TEXT,
    "currency" TEXT,
    "amount" BIGINT,
    "status" TEXT,
    "reason" TEXT,
    "evidence_due_at" TIMESTAMPTZ(3),
    "evidence_sent_at" TIMESTAMPTZ(3),
    "debited" BIGINT NOT NULL DEFAULT 0,
    "debited_fee" BIGINT NOT NULL DEFAULT 0,
    "refunded" BIGINT NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_dispute_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "bank_dispute_amounts" CHECK ("debited" >= 0 AND "refunded" BETWEEN 0 AND "debited" AND "debited_fee" BETWEEN 0 AND "refunded")
);

CREATE UNIQUE INDEX "bank_dispute_stripe_id_key" ON "bank_dispute"("stripe_id");
CREATE INDEX "bank_dispute_order_id_idx" ON "bank_dispute"("order_id");
CREATE INDEX "bank_dispute_due_at_idx" ON "bank_dispute"("due_at");
