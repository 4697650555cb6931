-- One message of a buyer leads to at most one automatic payment.
CREATE UNIQUE INDEX CONCURRENTLY "payment_order_automatic_payment_key" ON "payment_order"("user_id", "answered_message") WHERE "standing_id" IS NOT NULL;
