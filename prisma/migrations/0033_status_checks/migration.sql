-- What each part of Parley did in each hour: how often it was looked at, and how often it answered.
CREATE TABLE "status_check" (
    "component" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "checks" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "last_ok" BOOLEAN NOT NULL,

    CONSTRAINT "status_check_pkey" PRIMARY KEY ("component", "hour")
);

CREATE INDEX "status_check_hour_idx" ON "status_check"("hour");
