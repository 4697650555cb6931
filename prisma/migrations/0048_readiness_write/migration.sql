-- What /readyz writes to find out whether the database can be written: one row per slot, so that nodes do not wait for each other.
CREATE TABLE "readiness_write" (
    "slot" INTEGER NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "readiness_write_pkey" PRIMARY KEY ("slot")
);
