/** A part of an agent, and the cosine of its vector with the query's. */
export interface NearestPart {
  agentId: string;
  part: number;
  /** -1 to 1. */
  cosine: number;
}

/** A condition on agents, such as those that pass the filters of a search. */
export interface AgentCondition {
  /** SQL on row `s` of `agent_search`, with its parameters numbered from `$1`. Excludes withheld agents. */
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
  /** Null for every public agent that is not withheld. */
  where: AgentCondition | null;
}

/** Finds the parts of public agents nearest to a vector, nearest first. */
export interface VectorIndex {
  nearest(query: NearestQuery): Promise<NearestPart[]>;
}

/**
 * Encodes a normalized vector as a little-endian float, which is the factor for the bytes, and signed bytes. The cosine
 * of two packed vectors differs by less than 0.005 from the exact cosine.
 */
export function packVector(vector: Float32Array): Buffer {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const factor = largest / 127;
  const packed = Buffer.alloc(4 + vector.length);
  packed.writeFloatLE(factor, 0);
  vector.forEach((value, at) => {
    packed.writeInt8(factor === 0 ? 0 : Math.round(value / factor), 4 + at);
  });
  return packed;
}

/** Returns the cosine of a normalized vector and a packed one. */
export function packedCosine(vector: Float32Array, packed: Uint8Array): number {
  const view = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const bytes = new Int8Array(packed.buffer, packed.byteOffset + 4, packed.length - 4);
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] ?? 0) * (bytes[at] ?? 0);
  return sum * view.readFloatLE(0);
}

/** Returns the signs of a vector relative to `mean` as a PostgreSQL bit string: `1` if the value is greater. */
export function signBits(vector: Float32Array, mean: ArrayLike<number> | null): string {
  let bits = '';
  for (let at = 0; at < vector.length; at++) bits += (vector[at] ?? 0) > (mean?.[at] ?? 0) ? '1' : '0';
  return bits;
}
