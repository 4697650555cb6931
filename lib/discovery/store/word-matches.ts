import type { AgentCondition } from '../../embeddings';
import { float8, int4, type RowOf, row, text } from '../../platform/db/rows';
import { weightsStatement, wordMatchesStatement } from '../meaning/matches-sql';
import type { WeighedWord } from '../meaning/weigh-words';

const matchRow = row({
  agentId: text(),
  /** Standing; negative under maintenance. */
  rank: int4(),
  /** Sum of the weights of the words that the agent has. */
  weight: float8(),
  /** The number of these words that the agent contains. */
  words: int4(),
  nameLevel: int4(),
});

/** An agent with some of the words. */
export type WordMatch = RowOf<typeof matchRow>;

/** The agents with any of the words, and those whose name begins with `key`. */
export function selectWordMatches(
  words: WeighedWord[],
  options: { key: string; where: AgentCondition },
): Promise<WordMatch[]> {
  // Not prepared: the planner needs the words to estimate the number of rows.
  const { text: statement, values } = wordMatchesStatement(words, options);
  return matchRow.queryUnprepared(statement, values);
}

/** The words that given agents have. */
export async function selectWeights(words: WeighedWord[], agentIds: string[]): Promise<WordMatch[]> {
  if (agentIds.length === 0) return [];
  const { text: statement, values } = weightsStatement(words, agentIds);
  return matchRow.queryUnprepared(statement, values);
}
