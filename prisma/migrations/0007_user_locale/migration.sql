-- expand: the language of a user's emails, and what a guarded change changed, so that its email is in that language
ALTER TABLE "user" ADD COLUMN "locale" TEXT;
ALTER TABLE "guarded_change" ADD COLUMN "facts" JSONB;
