-- What an agent's team says that its skills cost (SkillPrice[] in lib/catalog/schema-prices.ts).
ALTER TABLE "agent" ADD COLUMN "prices" JSONB NOT NULL DEFAULT '[]';
