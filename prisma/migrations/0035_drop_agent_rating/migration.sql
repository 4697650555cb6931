-- Ratings are read from the reviews themselves; nothing asks this view.
DROP VIEW "agent_rating";
