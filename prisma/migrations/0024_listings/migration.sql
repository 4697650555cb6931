-- How a person who lists agents is shown to others.
CREATE TABLE "publisher" (
    "user_id" TEXT NOT NULL,
    -- Its page is /publishers/{handle}.
    "handle" TEXT NOT NULL,
    -- The public name; null: the name of the account.
    "name" TEXT,
    "bio" TEXT NOT NULL DEFAULT '',
    "link" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "publisher_pkey" PRIMARY KEY ("user_id")
);

CREATE UNIQUE INDEX "publisher_handle_key" ON "publisher"("handle");

INSERT INTO "publisher" ("user_id", "handle", "created_at")
SELECT DISTINCT "owner_id", 'p-' || substr(md5('publisher ' || "owner_id"), 1, 10), CURRENT_TIMESTAMP FROM "agent"
WHERE EXISTS (SELECT FROM "user" u WHERE u."id" = "owner_id");

-- The picture of an agent as Parley serves it, made anew from what its card names.
CREATE TABLE "agent_icon" (
    "agent_id" TEXT NOT NULL,
    -- The address that it was looked for at.
    "source" TEXT NOT NULL,
    -- SHA-256 of `bytes`, hex; both null when there was nothing that could be shown.
    "digest" TEXT,
    "bytes" BYTEA,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_icon_pkey" PRIMARY KEY ("agent_id"),
    CONSTRAINT "agent_icon_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "agent_icon_next_check_at_idx" ON "agent_icon"("next_check_at");

ALTER TABLE "agent" ADD COLUMN "icon_digest" TEXT;

-- Since when a version of a card was the listed one; null for one that never was.
ALTER TABLE "agent_version" ADD COLUMN "listed_at" TIMESTAMPTZ(3);
UPDATE "agent_version" v SET "listed_at" = "fetched_at"
WHERE NOT EXISTS (SELECT FROM "card_watch" w WHERE w."waiting_version_id" = v."id");

-- How agents look to a hasty reader: name and slug folded to the letters that they resemble.
CREATE TABLE "agent_look" (
    "agent_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,

    CONSTRAINT "agent_look_pkey" PRIMARY KEY ("agent_id"),
    CONSTRAINT "agent_look_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
