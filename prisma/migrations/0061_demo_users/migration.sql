-- The invented users of the demo, whose reviews and tasks are marked as demo data.
ALTER TABLE "user" ADD COLUMN "is_demo" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "user_demo_idx" ON "user" ("id") WHERE "is_demo";
ALTER TABLE "agent_ranking" ADD COLUMN "has_demo_data" BOOLEAN NOT NULL DEFAULT false;
