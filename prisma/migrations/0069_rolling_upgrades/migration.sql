-- Which releases work with each migration: a release that lacks its file reads this to decide whether it may serve.
CREATE TABLE "schema_change" (
    "migration" TEXT NOT NULL,
    -- The release that applied it.
    "release" TEXT NOT NULL,
    -- The oldest release that works with it; null if every release does.
    "oldest_release" TEXT,
    "applied_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schema_change_pkey" PRIMARY KEY ("migration")
);

-- The nodes, alive while they hold the lock of their id, so that no migration removes what one of them uses.
CREATE TABLE "node" (
    "id" TEXT NOT NULL,
    "release" TEXT NOT NULL,
    -- The oldest release that may run beside it.
    "oldest_peer" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "node_pkey" PRIMARY KEY ("id")
);
