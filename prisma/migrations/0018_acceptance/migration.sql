-- expand: the acceptance of sales that have terms, and the hold until it. Older releases do not read or write this table, and
-- release no earning that is held for the reason "acceptance".
CREATE TABLE "sale_acceptance" (
    "sale_kind" TEXT NOT NULL,
    "sale_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "seller_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "terms" JSONB NOT NULL,
    "accept_by" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "prior_hold" TEXT NOT NULL,
    "prior_available_at" TIMESTAMPTZ(3) NOT NULL,
    "email" TEXT,
    "email_due_at" TIMESTAMPTZ(3),
    "email_attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "sale_acceptance_pkey" PRIMARY KEY ("sale_kind", "sale_id"),
    CONSTRAINT "sale_acceptance_sale_kind_check" CHECK ("sale_kind" IN ('order', 'charge')),
    CONSTRAINT "sale_acceptance_email_check" CHECK ("email" IN ('reminder', 'accepted') AND ("email" IS NULL) = ("email_due_at" IS NULL)),
    CONSTRAINT "sale_acceptance_sale_kind_sale_id_fkey" FOREIGN KEY ("sale_kind", "sale_id") REFERENCES "earning"("sale_kind", "sale_id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

CREATE INDEX "sale_acceptance_user_id_accept_by_idx" ON "sale_acceptance"("user_id", "accept_by");
CREATE INDEX "sale_acceptance_email_due_at_idx" ON "sale_acceptance"("email_due_at") WHERE "email_due_at" IS NOT NULL;

ALTER TABLE "earning" DROP CONSTRAINT "earning_hold_check";
ALTER TABLE "earning" ADD CONSTRAINT "earning_hold_check"
    CHECK ("hold" IN ('refund_window', 'new_seller', 'dispute', 'missing_detail', 'acceptance')) NOT VALID;
