-- The first sale of a seller for real money. Without it, each settlement reads all sales of the seller in test credits.
CREATE INDEX CONCURRENTLY "earning_first_sale_idx" ON "earning"("seller_id", "captured_at") WHERE NOT "test";
