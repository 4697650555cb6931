/** A part of an agent, and the cosine of its vector with the query's. */
export interface NearestPart {
  agentId: string;
  part: number;
  /** -1 to 1. */
  cosine: number;
}

/** A condition on agents, such as those that pass the filters of a search. */
export interface AgentCondition {
  /** SQL on row `s` of `agent_search`, with its parameters numbered from `$1`; excludes withheld agents. */
  sql: string;
  values: unknown[];
}

export interface NearestQuery {
  /** Normalized. */
  vector: Float32Array;
  /** `embedding_model.id`. */
  model: number;
  /** Maximum number of parts. */
  limit: number;
  /** Null: every public agent that is not withheld. */
  where: AgentCondition | null;
}

/** Finds the parts of public agents nearest to a vector, the nearest first. */
export interface VectorIndex {
  nearest(query: NearestQuery): Promise<NearestPart[]>;
}
