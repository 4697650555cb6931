-- expand: marks running tasks whose latest events may be only in the event stream
ALTER TABLE "task" ADD COLUMN "stream_key" TEXT;
