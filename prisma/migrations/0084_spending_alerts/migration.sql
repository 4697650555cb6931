-- What changed about a user's spending, shown in the app; automatic payments can be emailed once a day.
CREATE TABLE "spending_alert" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "details" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "emailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "spending_alert_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "spending_alert_user_id_at_idx" ON "spending_alert"("user_id", "at" DESC);
CREATE INDEX "spending_alert_order_id_idx" ON "spending_alert"("order_id");
CREATE INDEX "spending_alert_at_idx" ON "spending_alert"("at");
CREATE INDEX "spending_alert_due_at_idx" ON "spending_alert"("due_at") WHERE "emailed_at" IS NULL;

ALTER TABLE "payment_setting" ADD COLUMN "automatic_emails" TEXT, ADD COLUMN "alerts_seen_at" TIMESTAMPTZ(3);
