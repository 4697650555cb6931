-- Pinned conversations come first in their user's list; archived ones are in a list of their own.
ALTER TABLE "conversation" ADD COLUMN "pinned" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "conversation" ADD COLUMN "archived_at" TIMESTAMPTZ(3);
CREATE INDEX "conversation_user_id_pinned_updated_at_idx" ON "conversation" ("user_id", "pinned", "updated_at");
