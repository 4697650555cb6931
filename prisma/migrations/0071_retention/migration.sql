-- How far a job has examined a table in the order of time.
CREATE TABLE "retention_cursor" (
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "retention_cursor_pkey" PRIMARY KEY ("kind")
);
INSERT INTO "retention_cursor" ("kind", "at") VALUES ('tasks', '-infinity');

-- Deleted conversations stay restorable for a while; then their content is erased.
ALTER TABLE "conversation" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
