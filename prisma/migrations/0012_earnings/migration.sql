-- expand: what sellers earn, and the fees of sales. Older releases write no row of these tables; a job adds the earnings
-- of the orders that they capture. They use none of the new kinds of ledger accounts.
CREATE TABLE "earning" (
    "id" TEXT NOT NULL,
    "sale_kind" TEXT NOT NULL,
    "sale_id" TEXT NOT NULL,
    "seller_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL,
    "gross" BIGINT NOT NULL,
    "fee" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL DEFAULT 0,
    "refunded" BIGINT NOT NULL DEFAULT 0,
    "fee_refunded" BIGINT NOT NULL DEFAULT 0,
    "captured_at" TIMESTAMPTZ(3) NOT NULL,
    "hold" TEXT NOT NULL,
    "available_at" TIMESTAMPTZ(3) NOT NULL,
    "released_at" TIMESTAMPTZ(3),

    CONSTRAINT "earning_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "earning_sale_kind_check" CHECK ("sale_kind" IN ('order', 'charge')),
    CONSTRAINT "earning_hold_check" CHECK ("hold" IN ('refund_window', 'new_seller', 'dispute', 'missing_detail')),
    CONSTRAINT "earning_amounts" CHECK ("gross" > 0 AND "fee" >= 0 AND "tax" >= 0 AND "fee" + "tax" <= "gross"
        AND "refunded" BETWEEN 0 AND "gross" AND "fee_refunded" BETWEEN 0 AND "fee")
);

CREATE UNIQUE INDEX "earning_sale_kind_sale_id_key" ON "earning"("sale_kind", "sale_id");
CREATE INDEX "earning_seller_id_captured_at_id_idx" ON "earning"("seller_id", "captured_at" DESC, "id");
CREATE INDEX "earning_due_idx" ON "earning"("available_at") WHERE "released_at" IS NULL;
CREATE INDEX "earning_unreleased_idx" ON "earning"("seller_id") WHERE "released_at" IS NULL;

CREATE TABLE "fee_schedule" (
    "id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "basis_points" INTEGER NOT NULL,
    "fixed" BIGINT NOT NULL,
    "effective_from" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "fee_schedule_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "fee_schedule_amounts" CHECK ("basis_points" BETWEEN 0 AND 10000 AND "fixed" >= 0)
);

CREATE INDEX "fee_schedule_currency_effective_from_idx" ON "fee_schedule"("currency", "effective_from");

-- What a seller may still be owed or owe: refunds of money that was paid out make `available` negative.
ALTER TABLE "ledger_account" DROP CONSTRAINT "ledger_account_not_overdrawn";
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_not_overdrawn"
    CHECK ("balance" >= 0 OR "kind" IN ('outside', 'merchant', 'available')) NOT VALID;
