-- A row holds what was written at once, and not each event alone: every row costs a place in the index. Only tasks that are not
-- packed yet have rows here.
ALTER TABLE "task_event" RENAME COLUMN "payload" TO "events";
UPDATE "task_event" SET "events" = json_build_array("events");
