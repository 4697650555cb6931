-- Limits that all nodes share. Unlogged: they are written often and worth nothing after a crash of the database, when every
-- bucket is full again and every place is free.
CREATE UNLOGGED TABLE "limit_bucket" (
    "key" TEXT NOT NULL,
    "burst" DOUBLE PRECISION NOT NULL,
    "per_second" DOUBLE PRECISION NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "granted" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "limit_bucket_pkey" PRIMARY KEY ("key")
);

CREATE UNLOGGED TABLE "limit_place" (
    "key" TEXT NOT NULL,
    "most" INTEGER NOT NULL,
    "taken" INTEGER NOT NULL,
    "granted" INTEGER NOT NULL,
    "nodes" JSONB NOT NULL,

    CONSTRAINT "limit_place_pkey" PRIMARY KEY ("key")
);

-- Attempts to sign in and mails: rate-limiter-flexible's own shape. Logged, since a guesser must not be forgotten.
CREATE TABLE "limit_attempt" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "limit_attempt_pkey" PRIMARY KEY ("key")
);
