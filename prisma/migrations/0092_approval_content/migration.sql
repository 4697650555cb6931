-- What a call that waits for approval would send. Null in rows of older releases, which are not shown.
ALTER TABLE "chain_approval" ADD COLUMN "content" JSON;
