-- The price of an agent in lists, for search to show and filter by (lib/catalog/price-summary.ts).
ALTER TABLE "agent_search"
    ADD COLUMN "price_kind" TEXT NOT NULL DEFAULT 'unstated',
    -- Minor units of the currency; null unless 'free' or 'from'.
    ADD COLUMN "price_amount" INTEGER,
    ADD COLUMN "price_currency" TEXT;

WITH skill AS (
    SELECT a."id" AS agent_id, k.position, p.value AS price
    FROM "agent" a
    JOIN "agent_version" v ON v."id" = a."current_version_id",
    LATERAL jsonb_array_elements(v."card"->'skills') WITH ORDINALITY AS k(value, position)
    LEFT JOIN LATERAL jsonb_array_elements(a."prices") p ON p.value->>'skillId' = k.value->>'id'
    WHERE jsonb_array_length(a."prices") > 0
), stated AS (
    SELECT agent_id,
        bool_and(coalesce((price->>'amount')::int = 0, false)) AS is_free,
        (array_agg(price->>'currency' ORDER BY position))[1] AS free_currency,
        (array_agg(price->>'currency' ORDER BY position) FILTER (WHERE (price->>'amount')::int > 0))[1] AS currency
    FROM skill GROUP BY agent_id
)
UPDATE "agent_search" s SET
    "price_kind" = CASE WHEN is_free THEN 'free' ELSE 'from' END,
    "price_currency" = CASE WHEN is_free THEN free_currency ELSE currency END,
    "price_amount" = CASE WHEN is_free THEN 0 ELSE (
        SELECT min((price->>'amount')::int) FROM skill
        WHERE skill.agent_id = stated.agent_id AND price->>'currency' = stated.currency AND (price->>'amount')::int > 0) END
FROM stated
WHERE stated.agent_id = s."agent_id" AND (is_free OR stated.currency IS NOT NULL);

UPDATE "agent_search" SET "price_kind" = 'in_chat'
WHERE "price_kind" = 'unstated' AND "badges" @> ARRAY['payments'];

-- Few agents state that they are free, or a price.
CREATE INDEX "agent_search_price_idx" ON "agent_search" ("price_kind") WHERE "price_kind" <> 'unstated';
