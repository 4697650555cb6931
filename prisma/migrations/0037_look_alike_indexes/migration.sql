-- Every look at an agent's page asks which verified agent it could be mistaken for: by shared trigrams.
CREATE INDEX "agent_look_name_trigrams_idx" ON "agent_look" USING GIN ("name" gin_trgm_ops);
CREATE INDEX "agent_look_slug_trigrams_idx" ON "agent_look" USING GIN ("slug" gin_trgm_ops);
