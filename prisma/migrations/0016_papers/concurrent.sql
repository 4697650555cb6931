-- The movements of sales, for which the job of papers searches. Without it, each search reads the whole ledger.
CREATE INDEX CONCURRENTLY "ledger_transaction_sale_idx" ON "ledger_transaction"("at", "id") WHERE "kind" IN ('capture', 'refund', 'refund-returned');
