-- Which kinds of mail a person wants or does not; a kind without a row is as it is by default.
CREATE TABLE "notification_choice" (
    "user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "wanted" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_choice_pkey" PRIMARY KEY ("user_id", "kind")
);

ALTER TABLE "notification_choice" ADD CONSTRAINT "notification_choice_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
