-- The picture of an agent is due from the moment its card names another one; until now every card was read to find out.
INSERT INTO "agent_icon" ("agent_id", "source", "next_check_at")
SELECT a."id", v."card"->>'iconUrl', to_timestamp(0)
FROM "agent" a JOIN "agent_version" v ON v."id" = a."current_version_id" WHERE v."card"->>'iconUrl' IS NOT NULL
ON CONFLICT ("agent_id") DO UPDATE SET "source" = excluded."source", "next_check_at" = excluded."next_check_at"
  WHERE "agent_icon"."source" <> excluded."source";

-- A card that names none any more; what is neither named nor kept is never due.
UPDATE "agent_icon" i SET "source" = '', "next_check_at" = to_timestamp(0)
FROM "agent" a JOIN "agent_version" v ON v."id" = a."current_version_id"
WHERE a."id" = i."agent_id" AND i."source" <> '' AND v."card"->>'iconUrl' IS NULL;
UPDATE "agent_icon" SET "next_check_at" = 'infinity' WHERE "source" = '' AND "bytes" IS NULL;
