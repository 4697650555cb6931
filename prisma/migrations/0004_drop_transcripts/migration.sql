-- contract: unused since 0.1.0
DROP TABLE openai_transcript;
