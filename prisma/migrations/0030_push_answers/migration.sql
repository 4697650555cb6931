-- What receivers of pushes answered last, and how often in a row a push of theirs was given up.
ALTER TABLE "push_config" ADD COLUMN "last_status" INTEGER;
ALTER TABLE "push_config" ADD COLUMN "last_answer" TEXT NOT NULL DEFAULT '';
ALTER TABLE "push_config" ADD COLUMN "given_up" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "push_dead_letter" ADD COLUMN "answer" TEXT NOT NULL DEFAULT '';
